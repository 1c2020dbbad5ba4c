import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { Metrics } from '../../../platform/observability/metrics.js';
import { RateWindows } from '../../../platform/rate-limit/rate-windows.js';
import { WriteBehind } from './write-behind.js';

let logged: unknown[];
beforeEach(() => {
  logged = [];
  const silent = () => undefined;
  Logger.overrideLogger({ log: silent, warn: silent, error: (line: unknown) => void logged.push(line) });
});
afterAll(() => Logger.overrideLogger(false));

function world() {
  const metrics = new Metrics();
  const wrote: string[] = [];
  let isDown = false;
  const transaction = async (write: (tx: unknown) => Promise<void>) => {
    if (isDown) throw Object.assign(new Error('the database is down'), { code: 'ECONNREFUSED' });
    await write({});
  };
  const later = new WriteBehind(
    { transaction } as unknown as DataSource,
    new RateWindows({} as DataSource),
    metrics,
  );
  const add = (what: string) => later.add(what, () => Promise.resolve(void wrote.push(what)));
  const dropped = async (why: string) =>
    new RegExp(`rappen_write_behind_dropped_total\\{why="${why}"\\} (\\d+)`).exec(
      (await metrics.text()) ?? '',
    )?.[1];
  return { later, add, wrote, dropped, fail: (down: boolean) => (isDown = down) };
}

it('writes nothing before its turn, then all in their order, each once in a minute', async () => {
  const { later, add, wrote } = world();
  for (const what of ['a', 'b', 'a', 'b', 'c']) add(what);
  await Promise.resolve();
  expect(wrote).toEqual([]);
  await later.write();
  expect(wrote).toEqual(['a', 'b', 'c']);
});

it('takes no more than it has places for, counts what it leaves out, and says so once', async () => {
  const { later, add, wrote, dropped } = world();
  for (let i = 0; i < 1_010; i += 1) add(String(i));
  expect([await dropped('full'), logged]).toEqual(['10', [{ why: 'full' }]]);
  await later.write();
  expect(wrote).toHaveLength(1_000);
  add('one more');
  await later.write();
  expect(wrote.at(-1)).toBe('one more');
});

it('tries again what the database did not take, in its order', async () => {
  const { later, add, wrote, fail } = world();
  for (const what of ['a', 'b']) add(what);
  fail(true);
  await expect(later.write()).rejects.toThrow('down');
  fail(false);
  await later.write();
  expect(wrote).toEqual(['a', 'b']);
});

it('waits for a database that is down, however long, and loses nothing by it', async () => {
  const { later, add, wrote, dropped, fail } = world();
  for (const what of ['a', 'b']) add(what);
  fail(true);
  for (let i = 0; i < 60; i += 1) await expect(later.write()).rejects.toThrow('down');
  fail(false);
  await later.write();
  expect([wrote, await dropped('failed'), logged]).toEqual([['a', 'b'], '0', []]);
});

it('gives up, and counts, what can never be written, and goes on', async () => {
  const { later, add, wrote, dropped } = world();
  later.add('wrong', () => Promise.reject(new Error('of nobody')));
  add('a');
  for (let i = 0; i < 5; i += 1) await expect(later.write()).rejects.toThrow('of nobody');
  await later.write();
  expect([wrote, await dropped('failed'), logged]).toEqual([['a'], '1', [{ why: 'failed' }]]);
});

it('writes what waits when the process ends', async () => {
  const { later, add, wrote } = world();
  add('a');
  await later.onApplicationShutdown();
  expect(wrote).toEqual(['a']);
});
