// Suites of the service run in the worker's own realm instead of a new one for each file, so that packages can be loaded
// once for all of them (shared-runtime.cjs). What a file leaves behind in that realm is taken away after it.
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

module.exports = class SharedEnvironment {
  constructor({ projectConfig }) {
    this.global = globalThis;
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    this.before = {
      globals: Object.getOwnPropertyDescriptors(globalThis),
      exit: process.exit,
      env: { ...process.env },
    };
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return globalThis;
  }

  async setup() {}

  async teardown() {
    this.moduleMocker.restoreAllMocks();
    this.fakeTimersModern.dispose();
    const { globals, exit, env } = this.before;
    process.exit = exit;
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
    // By name only: what is under a symbol is Jest's own.
    for (const name of Object.keys(globalThis)) if (!(name in globals)) delete globalThis[name];
    for (const [name, descriptor] of Object.entries(globals)) {
      if ('value' in descriptor && !Object.is(globalThis[name], descriptor.value))
        Object.defineProperty(globalThis, name, descriptor);
    }
  }
};
