import { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { RateWindows } from './rate-windows.js';

const NOON_MS = Date.UTC(2026, 10, 21, 12);
const MINUTE_MS = 60_000;

/** A database that is down: a pool of `pg` before a port where nobody listens, which remembers what it was asked. */
function unreachable() {
  const pool = new Pool({ host: '127.0.0.1', port: 1 });
  const asked = jest.spyOn(pool, 'query');
  const query = (text: string) => pool.query(text);
  const sent = () => asked.mock.calls.map(([of]: unknown[]) => (of as { text?: string }).text ?? of);
  return { sent, dataSource: { driver: { master: pool }, query } as unknown as DataSource };
}

/** A database that answers once `before` has, and counts for all instances. */
function answering() {
  const sent: Readonly<Record<string, number>>[] = [];
  const sums = new Map<string, number>();
  const state = { before: Promise.resolve() };
  const answer = ([subjects, startsMs, hits]: [string[], number[], number[]]) => {
    sent.push(Object.fromEntries(subjects.map((subject, i) => [subject, hits[i]!])));
    const rows = subjects.map((subject, i) => {
      sums.set(subject, (sums.get(subject) ?? 0) + hits[i]!);
      return { subject, startsMs: startsMs[i], hits: sums.get(subject)! };
    });
    return state.before.then(() => ({ rows }));
  };
  const master = {
    query: (asked: { values: Parameters<typeof answer>[0] }, _none: undefined, done: Answered) =>
      void answer(asked.values).then((result) => done(null, result), done),
  };
  const query = () => Promise.resolve([]);
  return { sent, state, dataSource: { driver: { master }, query } as unknown as DataSource };
}

type Answered = (error: unknown, result?: unknown) => void;

const windowsOn = (dataSource: DataSource, maxSubjects?: number) => new RateWindows(dataSource, maxSubjects);

describe('RateWindows without its database', () => {
  it('goes on counting, and forgets with the minute what it could not share', async () => {
    const { dataSource, sent } = unreachable();
    const windows = windowsOn(dataSource);
    windows.hit('auth:192.0.2.1', NOON_MS);
    await expect(windows.exchange(NOON_MS + 250)).rejects.toThrow('ECONNREFUSED');
    expect(windows.hit('auth:192.0.2.1', NOON_MS + 500).hits).toBe(2);
    expect(sent()).toHaveLength(1);
    // The next minute has nothing to share; only the clean-up of old windows still fails.
    await expect(windows.exchange(NOON_MS + MINUTE_MS)).rejects.toThrow('ECONNREFUSED');
    expect(sent().slice(1)).toEqual([expect.stringContaining('DELETE')]);
    expect(windows.hit('auth:192.0.2.1', NOON_MS + MINUTE_MS)).toEqual({ hits: 1, resetS: 60 });
  });
});

describe('RateWindows with its database', () => {
  it('tells it of each hit once, and of nobody who has not come again', async () => {
    const { dataSource, sent } = answering();
    const windows = windowsOn(dataSource);
    for (const subject of ['auth:a', 'auth:b', 'auth:b']) windows.hit(subject, NOON_MS);
    await windows.exchange(NOON_MS + 250);
    windows.hit('auth:a', NOON_MS + 300);
    await windows.exchange(NOON_MS + 500);
    await windows.exchange(NOON_MS + 750);
    expect(sent).toEqual([{ 'auth:a': 1, 'auth:b': 2 }, { 'auth:a': 1 }]);
    expect([windows.hit('auth:a', NOON_MS + 800).hits, windows.hit('auth:b', NOON_MS + 800).hits]).toEqual([
      3, 3,
    ]);
  });

  it('tells it next time of what comes while it answers, and of what it did not take', async () => {
    const { dataSource, sent, state } = answering();
    const windows = windowsOn(dataSource);
    const hit = (...subjects: string[]) => subjects.map((subject) => windows.hit(subject, NOON_MS).hits);
    hit('auth:a', 'auth:b');
    let answer = (): void => undefined;
    state.before = new Promise((resolve) => (answer = resolve));
    const exchanged = windows.exchange(NOON_MS);
    expect(hit('auth:a', 'auth:c')).toEqual([2, 1]);
    answer();
    await exchanged;
    expect(hit('auth:b')).toEqual([2]);
    state.before = Promise.reject(new Error('down'));
    await expect(windows.exchange(NOON_MS)).rejects.toThrow('down');
    state.before = Promise.resolve();
    await windows.exchange(NOON_MS);
    const again = { 'auth:a': 1, 'auth:b': 1, 'auth:c': 1 };
    expect(sent).toEqual([{ 'auth:a': 1, 'auth:b': 1 }, again, again]);
  });

  it('forgets what is under way when the minute ends', async () => {
    const { dataSource, sent, state } = answering();
    const windows = windowsOn(dataSource);
    windows.hit('auth:a', NOON_MS);
    let answer = (): void => undefined;
    state.before = new Promise((resolve) => (answer = resolve));
    const exchanged = windows.exchange(NOON_MS);
    windows.hit('auth:a', NOON_MS);
    expect(windows.hit('auth:a', NOON_MS + MINUTE_MS).hits).toBe(1);
    answer();
    await exchanged;
    await windows.exchange(NOON_MS + MINUTE_MS);
    expect(sent).toEqual([{ 'auth:a': 1 }, { 'auth:a': 1 }]);
  });
});

describe('a kind with too many subjects', () => {
  const windows = windowsOn(unreachable().dataSource, 2);
  const hits = (subject: string) => windows.hit(subject, NOON_MS).hits;

  it('counts the late ones together, the early ones and other kinds as before', () => {
    expect([hits('auth:a'), hits('auth:b'), hits('auth:c'), hits('auth:d')]).toEqual([1, 1, 1, 2]);
    expect([hits('auth:a'), hits('key:a'), hits('key:b')]).toEqual([2, 1, 1]);
  });

  it('counts whoever is known apart from it, however its subjects are called', () => {
    const known = (subject: string) => windows.hitKnown(subject, NOON_MS).hits;
    expect([hits('auth:e'), known('auth:e'), known('auth:f'), known('auth:e')]).toEqual([3, 1, 1, 2]);
  });

  it('counts each of them alone again in the next minute', () => {
    expect(windows.hit('auth:d', NOON_MS + MINUTE_MS).hits).toBe(1);
  });
});

it('cuts a subject that is longer than any of ours', () => {
  const windows = windowsOn(unreachable().dataSource);
  windows.hit(`auth:${'x'.repeat(5_000)}1`, NOON_MS);
  expect(windows.hit(`auth:${'x'.repeat(5_000)}2`, NOON_MS).hits).toBe(2);
});
