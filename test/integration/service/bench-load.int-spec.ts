import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { main } from '../../bench/main.js';
import { highestThatHolds } from '../../bench/rows/load-rows.js';
import { type Load, Stage } from '../../bench/stage.js';

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

it.each([200, 900, 1_000, 1_100, 5_000])('finds the highest rate that holds from %s', async (from) => {
  const tried: number[] = [];
  const found = await highestThatHolds(from, (rate) =>
    Promise.resolve(tried.push(rate) > 0 && rate <= 1_000),
  );
  expect(tried).toContain(found);
  expect(found).toBeLessThanOrEqual(1_000);
  expect(found).toBeGreaterThan(950);
});
