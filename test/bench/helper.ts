import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { onCore } from '../support/service/cores.js';

/** A process beside this one: load, receiver or a rival, each from a script of `processes/`. */
export class Helper {
  private constructor(private readonly child: ChildProcess) {}

  /** @param core where it runs; without one, where the benchmark itself does */
  static start(script: string, core?: number): Helper {
    const [first, ...rest] = onCore(core, [process.execPath]);
    const file = join(import.meta.dirname, 'processes', script);
    const options = { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] as ('ignore' | 'inherit' | 'ipc')[] };
    // fork() makes the channel; what it executes may be `taskset` with node as its argument.
    const child =
      rest.length === 0
        ? fork(file, { ...options, execPath: first! })
        : fork(file, { ...options, execPath: first!, execArgv: rest });
    return new Helper(child);
  }

  /** @throws Error with what went wrong over there */
  async call<Result>(call: string, input: unknown = null): Promise<Result> {
    return new Promise((resolve, reject) => {
      const onExit = () => reject(new Error(`the process ended during ${call}`));
      this.child.once('exit', onExit);
      this.child.once('message', (message: { result?: Result; failed?: string }) => {
        this.child.off('exit', onExit);
        if (message.failed !== undefined) reject(new Error(message.failed));
        else resolve(message.result as Result);
      });
      this.child.send({ call, input });
    });
  }

  stop(): void {
    this.child.removeAllListeners('exit');
    this.child.kill('SIGKILL');
  }
}
