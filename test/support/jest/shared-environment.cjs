// Suites of the service run in the worker's own realm instead of a new one for each file, so that packages can be loaded
// once for all of them (shared-runtime.cjs). What a file leaves behind in that realm is taken away after it.
const { AsyncLocalStorage } = require('node:async_hooks');
const { appendFileSync } = require('node:fs');
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

/**
 * Used since the last file ended. From its first use on Node asks each of them at every promise, until it is switched off;
 * Jest brings some with each file, so that a worker would become slower with every file.
 */
const storages = new Set();
for (const name of ['run', 'enterWith']) {
  const use = AsyncLocalStorage.prototype[name];
  AsyncLocalStorage.prototype[name] = function (...args) {
    storages.add(this);
    return use.apply(this, args);
  };
}

/** What packages keep of our classes beside the modules, which are loaded once as well (shared-runtime.cjs). */
const REGISTRIES = new Set(['typeormMetadataArgsStorage', 'classValidatorMetadataStorage']);

/** Where a whole run has written down which worker began which file (test/support/run/begun-files.ts). */
const note = (line) => {
  const file = process.env.TEST_FILES_BEGUN;
  if (file) appendFileSync(file, `${JSON.stringify(line)}\n`);
};

/** What a worker tells Jest when a file has ended: [this, the bytes of its heap] (jest-worker, `PARENT_MESSAGE_MEM_USAGE`). */
const HEAP_USED = 4;
let heapLimit = Infinity;

// Jest ends a worker whose heap has become too large as soon as it is told so: the worker may have the next file by then, which
// another begins anew. Noted before it is told, because there may be no time afterwards.
const tell = process.send;
if (tell)
  process.send = (...args) => {
    const [kind, bytes] = Array.isArray(args[0]) ? args[0] : [];
    if (kind === HEAP_USED && bytes > heapLimit) note({ tooLarge: process.pid });
    return tell.apply(process, args);
  };

// As Jest ends it; what it has started ends with it.
process.once('SIGTERM', () => process.exit(143));

module.exports = class SharedEnvironment {
  constructor({ globalConfig, projectConfig }, context) {
    heapLimit = globalConfig?.workerIdleMemoryLimit ?? Infinity;
    this.file = context?.testPath;
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

  async setup() {
    if (this.file) note({ file: this.file, by: process.pid });
  }

  async teardown() {
    this.moduleMocker.restoreAllMocks();
    this.fakeTimersModern.dispose();
    // One that is shared is switched on again by its next use.
    for (const storage of storages) storage.disable();
    storages.clear();
    const { globals, exit, env } = this.before;
    process.exit = exit;
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
    // By name only: what is under a symbol is Jest's own.
    for (const name of Object.keys(globalThis))
      if (!(name in globals) && !REGISTRIES.has(name)) delete globalThis[name];
    for (const [name, descriptor] of Object.entries(globals)) {
      if ('value' in descriptor && !Object.is(globalThis[name], descriptor.value))
        Object.defineProperty(globalThis, name, descriptor);
    }
  }
};
