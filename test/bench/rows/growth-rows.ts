import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { LARGE_TABLES } from '../../queries/fill.js';
import type { TestAnvil } from '../../support/nodes/anvil.js';
import { commandProcess } from '../../support/service/command-line.js';
import type { ServiceProcess, ServiceProcessOptions } from '../../support/service/service-process.js';
import {
  fillDelivered,
  fillEventLog,
  fillFreshIntents,
  fillIntents,
  fillQueue,
  withoutIndexes,
} from '../fill.js';
import { runtime } from '../runtime.js';
import { apiHeaders, type LoadShape, portOf, type Stage } from '../stage.js';
import { type Row, thousands } from '../table.js';
import { rowsOf, type Subject, turns } from '../turns.js';
import { goingChain, mustWait } from '../waiting-pages.js';
import { createShape } from './api-rows.js';
import { pagesOf } from './page-rows.js';

/** The jobs' first turns, for which code is compiled, are over by then. */
const SETTLE_MS = 30_000;
/** Each job has had its turn in it, but for the hour's retention. */
const REST_MS = 65_000;
/** What was filled is of the last 90 days. */
const keeping = (days: number) => ({
  RETENTION_ATTEMPT_DAYS: String(days),
  RETENTION_DELIVERY_DAYS: String(days),
});
/** Or the service's first run of retention would remove most of it, in the middle of the measurement. */
const ENV = keeping(3_650);
/** With which the shop's oldest deliveries are removed: some ten thousand of the small one, and a day of the large one. */
const [FEW_DAYS, MANY_DAYS] = [30, 89];

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const A_WEEK = `createdFrom=${daysAgo(40)}&createdTo=${daysAgo(33)}`;

interface Shop extends Subject {
  readonly kBEach: number;
  /** What process and PostgreSQL do in `REST_MS` in which nobody asks for anything, in milliseconds. */
  readonly rest: { readonly process: number; readonly database: number };
}

/**
 * The same shop with 10,000 payments and with ten million (`BENCH_INTENTS` says another number): what takes longer with these
 * is in proportion to the whole, or reads what has left the memory.
 */
export async function growth(stage: Stage): Promise<Row[]> {
  const [fewCount, manyCount] = stage.quick
    ? [100, 1_000]
    : [10_000, Number(process.env['BENCH_INTENTS'] ?? 10_000_000)];
  const anvil = await goingChain(stage);
  const few = await shopOf(stage, anvil, fewCount);
  const many = await shopOf(stage, anvil, manyCount);
  const [what, of] = [`of ${thousands(fewCount)}`, `of ${thousands(manyCount)}`];
  const row = (name: string, unit: Row['unit'], ours: number, least: number): Row => ({
    name: `${of}: ${name}`,
    unit,
    values: [ours],
    ceiling: { what, values: [least] },
  });
  const rows = [
    row('disk for a payment with its events and deliveries', 'kB', many.kBEach, few.kBEach),
    row('at rest, processor of the service', 'ms', many.rest.process, few.rest.process),
    row('at rest, sessions of PostgreSQL at work', 'ms', many.rest.database, few.rest.database),
  ];
  for (const { service } of [few, many]) await service.start();
  const load = stage.helper('load-process.mjs');
  const measure = async (name: string, ours: LoadShape, theirs: LoadShape, slow: 'p95Ms' | 'p99Ms') => {
    const taken = await turns(stage, [() => stage.load(load, ours)], () => stage.load(load, theirs));
    rows.push(
      ...rowsOf(`${of}: ${name}, p50`, 'ms', what, taken, ({ p50Ms }) => p50Ms),
      ...rowsOf(`${of}: ${name}, ${slow.slice(0, 3)}`, 'ms', what, taken, (each) => each[slow]),
    );
  };
  const [calls, fewCalls] = [await callsOf(stage, many), await callsOf(stage, few)];
  for (const [name, shape] of Object.entries(calls)) await measure(name, shape, fewCalls[name]!, 'p99Ms');
  const pages = await pagesOf(stage, many.service, many.pool, many.merchantId);
  const fewPages = await pagesOf(stage, few.service, few.pool, few.merchantId);
  const small = new Map(fewPages.pages);
  for (const [kind, path] of pages.pages.slice(0, stage.quick ? 3 : undefined)) {
    const same = small.get(kind);
    // Of the small shop there is no second page of a list, say.
    if (same === undefined) process.stderr.write(`${kind}: only of ${thousands(manyCount)}, not measured\n`);
    if (same === undefined) continue;
    await measure(kind, { ...pages.shape, paths: [path] }, { ...fewPages.shape, paths: [same] }, 'p95Ms');
  }
  const removing = await removingOf({ ...many, ...anvil }, MANY_DAYS, stage.quick);
  const fewRemoving = await removingOf({ ...few, ...anvil }, FEW_DAYS, stage.quick);
  rows.push(
    row(
      'retention that finds nothing, and the start of its command',
      'ms',
      removing.idleMs,
      fewRemoving.idleMs,
    ),
    row('retention, each thousand rows', 'ms', removing.thousandMs, fewRemoving.thousandMs),
  );
  return rows;
}

/** Its service is stopped. */
async function shopOf(stage: Stage, chain: ServiceProcessOptions['chain'], count: number): Promise<Shop> {
  const { url: databaseUrl, pool } = await stage.database();
  const service = await stage.service(databaseUrl, { env: ENV, chain });
  const { merchantId, key, endpoints } = await service.shop('bench', ['http://localhost:9/hook']);
  await service.stop();
  const sizeOf = async () => {
    const { rows } = await pool.query<{ size: string }>(
      'SELECT pg_database_size(current_database()) AS size',
    );
    return Number(rows[0]!.size);
  };
  const empty = await sizeOf();
  await withoutIndexes(pool, LARGE_TABLES, async () => {
    await fillIntents(pool, merchantId, count);
    await fillDelivered(pool, endpoints[0]!.id);
    await fillEventLog(pool);
  });
  await fillQueue(pool, merchantId, stage.quick ? 5 : 200, true);
  const kBEach = ((await sizeOf()) - empty) / 1_024 / count;
  await service.start();
  const rest = await restOf(stage, service, pool);
  await service.stop();
  return { databaseUrl, service, pool, merchantId, key, endpoints, kBEach, rest };
}

async function restOf({ quick }: Stage, service: ServiceProcess, pool: Pool): Promise<Shop['rest']> {
  const now = async () => {
    const { rows } = await pool.query<{ active: number }>(
      'SELECT active_time AS active FROM pg_stat_database WHERE datname = current_database()',
    );
    return { process: (await runtime(service.url)).cpuMs, database: rows[0]!.active };
  };
  await sleep(quick ? 100 : SETTLE_MS);
  const before = await now();
  await sleep(quick ? 1_000 : REST_MS);
  const after = await now();
  return { process: after.process - before.process, database: after.database - before.database };
}

/** What `rappen retention` takes, once where nothing is due and once where all is that is older than so many days. */
async function removingOf(
  place: Pick<Shop, 'databaseUrl'> & Pick<TestAnvil, 'rpcUrl' | 'tokens'>,
  days: number,
  isQuick: boolean,
): Promise<{ idleMs: number; thousandMs: number }> {
  const run = async (env: Readonly<Record<string, string>>) => {
    const startedMs = performance.now();
    const { code, stdout, stderr } = await commandProcess({ ...place, env }, 'retention', '--json');
    if (code !== 0) throw new Error(stderr);
    const counts = Object.values(JSON.parse(stdout) as Record<string, string>).map(Number);
    return { ms: performance.now() - startedMs, rows: counts.reduce((sum, count) => sum + count, 0) };
  };
  // Of a first start much is reading files.
  if (!isQuick) await run(ENV);
  const { ms: idleMs } = await run(ENV);
  const { ms, rows } = await run(keeping(days));
  return { idleMs, thousandMs: ((ms - idleMs) * 1_000) / rows };
}

/** All calls of the API and what a buyer's browser asks for, one after the other. */
async function callsOf(stage: Stage, shop: Shop): Promise<Readonly<Record<string, LoadShape>>> {
  const { service, pool, merchantId, key } = shop;
  const requests = stage.quick ? 5 : 1_000;
  // Of each call that can be made once, as many as are asked for in all, those included that warm up.
  const once = stage.repeats * (requests + Math.ceil(requests / 10));
  const cancelled = await fillFreshIntents(pool, merchantId, once, '{}');
  const picked = await fillFreshIntents(pool, merchantId, once, '{}');
  const some = await pool.query<{ id: string }>('SELECT id FROM intent ORDER BY random() LIMIT 1000');
  const middle = await pool.query<{ id: string }>(
    'SELECT event_id AS id FROM event_log WHERE position = (SELECT max(position) / 2 FROM event_log)',
  );
  const get = (...paths: string[]): LoadShape => ({
    port: portOf(service.url),
    connections: 1,
    requests,
    method: 'GET',
    paths: paths.map((path) => `/api/v1/${path}`),
    headers: apiHeaders(service.url, key),
    expected: 200,
  });
  const any = some.rows.map(({ id }) => id);
  const buyers = (ids: readonly string[], after = ''): LoadShape => ({
    ...get(),
    port: portOf(service.checkoutUrl),
    paths: ids.map((id) => `/pay/${id}${after}`),
    headers: { host: new URL(service.checkoutUrl).host },
  });
  return {
    create: { ...createShape(shop, requests), connections: 1 },
    cancel: { ...get(...cancelled.map((id) => `intents/${id}/cancel`)), method: 'POST' },
    'choice of an asset': {
      ...buyers(picked, '/asset'),
      method: 'POST',
      body: 'network=ethereum&asset=USDC',
      contentType: 'application/x-www-form-urlencoded',
      expected: 303,
    },
    'checkout page that waits': { ...buyers(picked), mustHold: () => mustWait(service, picked[0]!) },
    read: get(...any.map((id) => `intents/${id}`)),
    'checkout page of any payment': buyers(any),
    'its status': buyers(any, '/status'),
    list: get('intents?pageSize=20'),
    'list by status': get('intents?status=settled&pageSize=20'),
    'list of a week': get(`intents?${A_WEEK}&pageSize=20`),
    'list of a week by status': get(`intents?${A_WEEK}&status=settled&pageSize=20`),
    'list of an order': get('intents?idempotencyKey=order-77'),
    'list, page 400': get('intents?pageSize=20&page=400'),
    'events from the first': get('events?pageSize=20'),
    'events from the middle': get(`events?after=${middle.rows[0]!.id}&pageSize=20`),
  };
}
