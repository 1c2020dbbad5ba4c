import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { Turn } from '../../bench/rows/hostile-rows.js';
import { eventually } from '../../support/servers/receiver.js';

const TURNS = join(import.meta.dirname, '../../bench/processes/turns.mjs');
const STALL_MS = 300;
/** Less than it by what its process's other threads have of its work, and by the system's clock of processors. */
const MOST_OF_IT_MS = 200;
/** What else a turn of a process has of the processor that does nothing. */
const BESIDE_MS = 100;
/** Answers anything, and works for so many milliseconds of its processor's time in one turn where it is told to. */
const WORKER = `
  process.on('message', ({ busyMs = 0 }) => {
    const since = process.cpuUsage();
    const usedMs = () => { const { user, system } = process.cpuUsage(since); return (user + system) / 1e3; };
    while (usedMs() < busyMs);
    process.send({ done: true });
  });
  process.on('disconnect', () => process.exit());
  process.send({ ready: true });`;

let child: ChildProcess;
const answer = <T>(field: string) =>
  new Promise<T>((resolve) => {
    const take = (message: Record<string, T>) => {
      if (!(field in message)) return;
      child.off('message', take);
      resolve(message[field]!);
    };
    child.on('message', take);
  });
const ask = async <T>(message: Record<string, unknown>, field: string): Promise<T> => {
  const answered = answer<T>(field);
  child.send(message);
  return answered;
};
const longestTurn = () => ask<Turn>({ turns: true }, 'turns');

beforeEach(async () => {
  child = fork('', {
    execArgv: ['--import', TURNS, '--eval', WORKER],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await answer('ready');
  await longestTurn(); // of its start
});
afterEach(() => child.kill('SIGKILL'));

it('finds a turn that works for so long', async () => {
  await ask({ busyMs: STALL_MS }, 'done');
  const { ownMs, tookMs } = await longestTurn();
  expect(ownMs).toBeGreaterThan(MOST_OF_IT_MS);
  expect(ownMs).toBeLessThan(STALL_MS + BESIDE_MS);
  expect(tookMs).toBeGreaterThan(MOST_OF_IT_MS);
  expect((await longestTurn()).ownMs).toBeLessThan(BESIDE_MS);
});

it('does not take for work that the process was stopped', async () => {
  child.kill('SIGSTOP');
  const sinceMs = performance.now();
  await eventually(
    () => Promise.resolve(performance.now() - sinceMs),
    (ms) => ms > STALL_MS,
  );
  child.kill('SIGCONT');
  const { ownMs, tookMs } = await longestTurn();
  expect(tookMs).toBeGreaterThan(MOST_OF_IT_MS);
  expect(ownMs).toBeLessThan(BESIDE_MS);
});
