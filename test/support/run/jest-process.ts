import { spawn } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');

/** What Jest says of itself when something keeps it from ending. It only says so, and stays. */
const STAYS = /did not exit .* after the test run/;
/** The same, and what it says of a worker that it had to kill. */
const LEFT_RUNNING = [/failed to exit gracefully/, STAYS];

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

export interface Ended {
  readonly code: number;
  /** Jest's own lines about what a test left running. */
  readonly leftRunning: readonly string[];
}

/** Runs Jest until it ends; once it says that it cannot, it is ended, with the code 1. What it says is passed on. */
export function endOfJest(
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const command = [join(ROOT, 'node_modules/jest/bin/jest.js'), ...args];
  return new Promise((resolve, reject) => {
    const env = { ...process.env, ...variables };
    const child = spawn(process.execPath, command, { cwd: ROOT, env, stdio: ['inherit', 'inherit', 'pipe'] });
    // As from a terminal, where all that run are told.
    const passOn = (signal: NodeJS.Signals) => child.kill(signal);
    for (const signal of SIGNALS) process.on(signal, passOn);
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      process.stderr.write(chunk);
      said += chunk;
      // The line may come in two chunks.
      if (!STAYS.test(said.slice(-chunk.length - 200))) return;
      child.kill('SIGKILL');
      // Also where a process that a test has left holds it open.
      child.stderr.destroy();
    });
    child.on('error', reject).on('close', (code) => {
      for (const signal of SIGNALS) process.off(signal, passOn);
      const leftRunning = said.split('\n').filter((line) => LEFT_RUNNING.some((words) => words.test(line)));
      resolve({ code: code ?? 1, leftRunning });
    });
  });
}
