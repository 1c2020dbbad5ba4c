import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Profile, shares } from '../../bench/profile.js';
import type { Turn } from '../../bench/rows/hostile-rows.js';
import { eventually } from '../../support/servers/receiver.js';

const TURNS = join(import.meta.dirname, '../../bench/processes/turns.mjs');
const PROFILE = join(import.meta.dirname, '../../bench/processes/profile.mjs');
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
    execArgv: ['--import', TURNS, '--import', PROFILE, '--eval', WORKER],
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

it('takes a profile of what is between two messages, and says whose code the time went into', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rappen-profile-'));
  try {
    const file = join(folder, 'taken.cpuprofile');
    expect(await ask({ profile: { begin: true } }, 'profile')).toBe('begun');
    await ask({ busyMs: STALL_MS }, 'done');
    expect(await ask({ profile: { file } }, 'profile')).toBe('written');
    const profile = JSON.parse(readFileSync(file, 'utf8')) as Profile;
    const took = profile.timeDeltas.reduce((sum, each) => sum + each, 0) / 1_000;
    expect(took).toBeGreaterThan(MOST_OF_IT_MS);
    const all = shares(profile);
    expect(all.reduce((sum, [, share]) => sum + share, 0)).toBeCloseTo(1);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('counts what a package, a folder of ours and V8 itself had of a profile, and not what nobody had', () => {
  const frame = (url: string, functionName = 'f') => ({ functionName, url, lineNumber: 0, columnNumber: 0 });
  const nodes = [
    frame('file:///app/node_modules/@nestjs/core/router.js'),
    frame('file:///app/node_modules/pg/lib/client.js'),
    frame('file:///app/node_modules/pg/lib/query.js'),
    frame('/app/src/modules/intents/intents.service.ts'),
    frame('node:net'),
    frame('', '(garbage collector)'),
    frame('', 'writev'),
    frame('', '(idle)'),
  ].map((callFrame, id) => ({ id, callFrame }));
  const timeDeltas = [10, 10, 20, 30, 5, 15, 10, 900];
  const samples = timeDeltas.map((_, id) => id);
  expect(shares({ nodes, samples, timeDeltas })).toEqual([
    ['pg', 0.3],
    ['src/modules/intents', 0.3],
    ['(garbage collector)', 0.15],
    ['@nestjs/core', 0.1],
    ['native writev', 0.1],
    ['node:net', 0.05],
  ]);
});
