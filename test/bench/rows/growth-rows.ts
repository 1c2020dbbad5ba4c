import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { ServiceProcess } from '../../support/service/service-process.js';
import { fillDelivered, fillEventLog, fillIntents, fillQueue, withoutIndexes } from '../fill.js';
import { runtime } from '../runtime.js';
import { apiHeaders, type LoadShape, portOf, type Stage } from '../stage.js';
import type { Row } from '../table.js';
import { createShape, rowsOf, turns, withWallet } from './api-rows.js';
import { type Pages, pagesOf } from './page-rows.js';

/** All jobs but the hour's retention have had their turn by then. */
const REST_MS = 65_000;
const LARGE = [
  'address',
  'delivery',
  'delivery_attempt',
  'event',
  'event_log',
  'intent',
  'quote',
  'settlement',
  'transfer',
  'transition',
];

interface Shop {
  readonly service: ServiceProcess;
  readonly pool: Pool;
  readonly pages: Pages;
  readonly bytesEach: number;
  readonly calls: readonly (readonly [name: string, shape: LoadShape])[];
}

/**
 * The same shop with 10,000 payments and with ten million (`BENCH_INTENTS` says another number): what takes longer with these
 * is in proportion to the whole, or reads what has left the memory.
 */
export async function growth(stage: Stage): Promise<Row[]> {
  const counts = stage.quick ? [100, 1_000] : [10_000, Number(process.env['BENCH_INTENTS'] ?? 10_000_000)];
  const [few, many] = [await shopOf(stage, counts[0]!), await shopOf(stage, counts[1]!)];
  const [what, of] = [`of ${plain(counts[0]!)}`, `of ${plain(counts[1]!)}`];
  const load = stage.helper('load-process.mjs');
  const rows: Row[] = [
    {
      name: `${of}: disk for a payment with its events and deliveries`,
      unit: 'kB',
      values: [many.bytesEach / 1_000],
      ceiling: { what, values: [few.bytesEach / 1_000] },
    },
  ];
  const pages = many.pages.pages.slice(0, stage.quick ? 3 : undefined).map(([kind, path], i) => {
    const small = few.pages.pages[i]?.[1] ?? path;
    return [kind, { ...many.pages.shape, paths: [path] }, { ...few.pages.shape, paths: [small] }] as const;
  });
  const calls = many.calls.map(([name, shape], i) => [name, shape, few.calls[i]?.[1] ?? shape] as const);
  for (const [name, ours, theirs] of [...calls, ...pages]) {
    const taken = await turns(stage, [() => stage.load(load, ours)], () => stage.load(load, theirs));
    rows.push(
      ...rowsOf(`${of}: ${name}, p50`, 'ms', what, taken, ({ p50Ms }) => p50Ms),
      ...rowsOf(`${of}: ${name}, p99`, 'ms', what, taken, ({ p99Ms }) => p99Ms),
    );
  }
  await few.service.stop();
  const resting = await rest(stage, many);
  await many.service.stop();
  await few.service.start();
  const before = await rest(stage, few);
  for (const [at, whose] of ['service', 'PostgreSQL'].entries()) {
    const ceiling = { what, values: [before[at]!] };
    rows.push({ name: `${of}: a minute of rest, ${whose}`, unit: 'ms', values: [resting[at]!], ceiling });
  }
  return rows;
}

async function shopOf(stage: Stage, count: number): Promise<Shop> {
  const { url, pool } = await stage.database();
  const service = await stage.service(url);
  const { merchantId, key, endpoints } = await service.shop('bench', ['http://localhost:9/hook']);
  await service.stop();
  const sizeOf = async () => {
    const { rows } = await pool.query<{ size: string }>(
      'SELECT pg_database_size(current_database()) AS size',
    );
    return Number(rows[0]!.size);
  };
  const empty = await sizeOf();
  await withoutIndexes(pool, LARGE, async () => {
    await withWallet(pool, merchantId);
    await fillIntents(pool, merchantId, count);
    await fillDelivered(pool, endpoints[0]!.id);
    await fillEventLog(pool);
  });
  await fillQueue(pool, merchantId, stage.quick ? 5 : 200);
  const bytesEach = ((await sizeOf()) - empty) / count;
  await service.start();
  const pages = await pagesOf(stage, service, pool, merchantId);
  return {
    service,
    pool,
    pages,
    bytesEach,
    calls: await callsOf(stage, { service, pool, merchantId, key }, count),
  };
}

interface Caller {
  readonly service: ServiceProcess;
  readonly pool: Pool;
  readonly merchantId: string;
  readonly key: string;
}

/** Every call of the API, one after the other. */
async function callsOf(stage: Stage, caller: Caller, count: number): Promise<Shop['calls']> {
  const { service, pool, key } = caller;
  const requests = stage.quick ? 5 : 300;
  const ids = async (where: string, table = 'intent') => {
    const { rows } = await pool.query<{ id: string }>(`SELECT id FROM ${table} WHERE ${where} LIMIT 1000`);
    return rows.map(({ id }) => id);
  };
  const some = await ids(
    `id > (SELECT id FROM intent ORDER BY created_at OFFSET ${Math.floor(count / 2)} LIMIT 1)`,
  );
  const [event] = await ids(`type = 'payment.status'`, 'event');
  const get = (...paths: string[]): LoadShape => ({
    port: portOf(service.url),
    connections: 1,
    requests,
    method: 'GET',
    paths: paths.map((path) => `/api/v1/${path}`),
    headers: apiHeaders(service.url, key),
    expected: 200,
  });
  return [
    ['create', { ...createShape({ ...caller, databaseUrl: '' }, requests), connections: 1 }],
    ['read', get(...some.map((id) => `intents/${id}`))],
    ['list', get('intents?pageSize=20')],
    ['list by status', get('intents?status=settled&pageSize=20')],
    ['list of a week', get(`intents?createdFrom=${daysAgo(40)}&createdTo=${daysAgo(33)}&pageSize=20`)],
    ['list of an order', get('intents?idempotencyKey=order-77')],
    ['list, page 400', get('intents?pageSize=20&page=400')],
    ['events from the first', get('events?pageSize=20')],
    ['events after one', get(`events?after=${event}&pageSize=20`)],
  ];
}

const plain = (count: number) => count.toLocaleString('en-US');
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

/** What the process and the database do in a minute in which nobody asks for anything, in milliseconds. */
async function rest(
  stage: Stage,
  { service, pool }: Shop,
): Promise<readonly [service: number, database: number]> {
  const active = async () => {
    const { rows } = await pool.query<{ active: number }>(
      'SELECT active_time AS active FROM pg_stat_database WHERE datname = current_database()',
    );
    return rows[0]!.active;
  };
  const [processBefore, databaseBefore] = [(await runtime(service.url)).cpuMs, await active()];
  await sleep(stage.quick ? 1_000 : REST_MS);
  return [(await runtime(service.url)).cpuMs - processBefore, (await active()) - databaseBefore];
}
