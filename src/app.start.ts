import 'reflect-metadata';
import { createApp, startApp } from './app.setup.js';
import { ConfigError } from './config/environment.js';
import { isProduction, loadConfig } from './config/load-config.js';
import { processEnv } from './config/process.js';
import { messageOf } from './kernel/error-fields.js';
import { logProcessEvents } from './platform/observability/process-events.js';
import { CannotStart } from './platform/process/cannot-start.js';
import { onEndingSignal } from './platform/process/ending-signals.js';

/** Production is the service alone; everything else is the sandbox, which starts what the service needs first. */
async function start(): Promise<() => Promise<void>> {
  const env = processEnv();
  if (!isProduction(env)) {
    const { startSandbox } = await import('./modules/sandbox/sandbox.service.js');
    return (await startSandbox(env)).stop;
  }
  const config = loadConfig(env);
  const app = await createApp(config);
  await startApp(app, config);
  return () => app.close();
}

let stop: (() => Promise<void>) | null = null;
let stopping = false;

function stopNow(): void {
  if (stop) void stop().then(() => process.exit(0), fail);
}

function fail(error: unknown): never {
  const isPlain = error instanceof ConfigError || error instanceof CannotStart;
  const stack = error instanceof Error && !isPlain ? error.stack : null;
  process.stderr.write(`${stack ?? messageOf(error)}\n`);
  process.exit(1);
}

logProcessEvents();
onEndingSignal(() => {
  stopping = true;
  stopNow();
});
start().then((stopIt) => {
  stop = stopIt;
  if (stopping) stopNow();
}, fail);
