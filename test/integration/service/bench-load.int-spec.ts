import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { main } from '../../bench/main.js';
import { highestThatHolds } from '../../bench/rows/load-rows.js';
import { type Load, Stage, untilSteady } from '../../bench/stage.js';

it('refuses beside another checkout what cannot be measured there, before anything is started', async () => {
  process.env['BENCH_BESIDE'] = '/nowhere';
  try {
    await expect(main(['create', 'live'])).rejects.toThrow(
      'No such row beside another checkout (BENCH_BESIDE): live.',
    );
  } finally {
    delete process.env['BENCH_BESIDE'];
  }
});

it('counts from when a request was due, so that all that wait behind a slow one are slow', async () => {
  const STALL = 400;
  let asked = 0;
  const server = createServer((_request, response) => {
    asked += 1;
    setTimeout(() => response.end('{}'), asked === 50 ? STALL : 0);
  });
  const port = await new Promise<number>((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
  );
  const stage = new Stage(1, true);
  try {
    const load = stage.helper('load-process.mjs');
    const shape = {
      port,
      connections: 1,
      requests: 100,
      method: 'GET',
      paths: ['/'],
      headers: { host: '127.0.0.1' },
      expected: 200,
    };
    const open = await load.call<Load>('run', { ...shape, perSecond: 200 });
    // Behind the slow one there was no free connection for 400 ms, in which all others became due: half of all waited.
    expect(open.p95Ms).toBeGreaterThan(STALL / 4);
    asked = 0;
    const closed = await load.call<Load>('run', shape);
    expect(closed.p99Ms).toBeGreaterThan(STALL / 4);
    expect(closed.p95Ms).toBeLessThan(open.p95Ms);
  } finally {
    await stage.clear();
    server.close();
  }
});

it('asks what must hold of a load before and after it, and every path once before any a second time', async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => response.end(String(asked.push(request.url ?? ''))));
  const port = await new Promise<number>((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
  );
  const stage = new Stage(1, true);
  try {
    const load = stage.helper('load-process.mjs');
    const shape = {
      port,
      connections: 1,
      method: 'GET',
      headers: { host: '127.0.0.1' },
      expected: 200,
    } as const;
    const held: number[] = [];
    const mustHold = () => Promise.resolve(void held.push(asked.length));
    await stage.run(load, { ...shape, requests: 2, paths: ['/a', '/b', '/c'], mustHold });
    await stage.run(load, { ...shape, requests: 1, paths: ['/x', '/y'] });
    await stage.run(load, { ...shape, requests: 2, paths: ['/a', '/b', '/c'], mustHold });
    expect(asked).toEqual(['/a', '/b', '/x', '/c', '/a']);
    expect(held).toEqual([0, 2, 3, 5]);
    const fails = () => Promise.reject(new Error('it is another page'));
    const failing = stage.run(load, { ...shape, requests: 1, paths: ['/a'], mustHold: fails });
    await expect(failing).rejects.toThrow('it is another page');
    expect(asked).toHaveLength(5);
  } finally {
    await stage.clear();
    server.close();
  }
});

it('has every load of the benchmark made by the method that asks', () => {
  const folder = join(process.cwd(), 'test/bench');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const makeLoads = files.filter((file) =>
    /call(<\w+>)?\('run'/.test(readFileSync(join(folder, file), 'utf8')),
  );
  expect(makeLoads).toEqual(['stage.ts']);
});

it.each([
  ['one that has to warm up', [100, 200, 300, 310, 320], 4],
  ['one that is as fast at once', [300, 301, 302], 2],
  ['one that never is', [100, 200, 100, 200, 100, 200, 100, 200, 100], 8],
])('runs until two runs are about as fast: %s', async (_, rates, runs) => {
  const before: (number | undefined)[] = [];
  const last = await untilSteady((one) => {
    before.push(one?.perSecond);
    return Promise.resolve({ perSecond: rates[before.length - 1]! } as Load);
  });
  expect(before).toEqual([undefined, ...rates.slice(0, runs - 1)]);
  expect(last.perSecond).toBe(rates[runs - 1]);
});

it.each([200, 900, 1_000, 1_100, 5_000])('finds the highest rate that holds from %s', async (from) => {
  const tried: number[] = [];
  const found = await highestThatHolds(from, (rate) =>
    Promise.resolve(tried.push(rate) > 0 && rate <= 1_000),
  );
  expect(tried).toContain(found);
  expect(found).toBeLessThanOrEqual(1_000);
  expect(found).toBeGreaterThan(950);
});
