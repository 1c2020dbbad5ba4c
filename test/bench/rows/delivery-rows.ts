import type { Pool } from 'pg';
import type {
  ProcessShop,
  ServiceProcess,
  ServiceProcessOptions,
} from '../../support/service/service-process.js';
import { fillFreshIntents, refillBacklog } from '../fill.js';
import type { Helper } from '../helper.js';
import { type LoadShape, SERVICE_CORE, type Stage } from '../stage.js';
import type { Row } from '../table.js';
import { eachOf, rowsOf, type Subject, subjects, type Taken, turns } from '../turns.js';
import { goingChain } from '../waiting-pages.js';
import { createShape } from './api-rows.js';
import { pageShape, pickedIntent } from './checkout-rows.js';

/** 16 endpoints of which each takes 4 at once are the 64 in flight that everybody here has. */
const SHOPS = 2;
const ENDPOINTS = 8;
/** Of each shop: with so many the fastest is at work for some ten seconds. */
const EVENTS = 3_750;
/** Connections that ask for pages: four times what the pool has. */
const CROWD = 64;

type Endpoints = ProcessShop['endpoints'];

interface Arrivals {
  readonly count: number;
  readonly refused: number;
  readonly tenth: number;
  readonly tenthMs: number;
  readonly lastMs: number;
}

/** From a backlog: how fast does it arrive, verified, once the first tenth of it is through? */
export async function deliver(stage: Stage): Promise<Row[]> {
  const { url: databaseUrl, pool } = await stage.database();
  const receiver = stage.helper('receiver-process.mjs');
  const { service, endpoints } = await backlogged(stage, databaseUrl, pool, receiver);
  const taken = {
    ours: [] as number[],
    undici: [] as number[],
    fetch: [] as number[],
    graphile: [] as number[],
    pgBoss: [] as number[],
  };
  for (let i = 0; i < stage.repeats; i++) {
    taken.ours.push(await ours(service, pool, receiver, endpoints));
    taken.undici.push(await raw(stage, databaseUrl, pool, receiver, endpoints, 'undici'));
    taken.fetch.push(await raw(stage, databaseUrl, pool, receiver, endpoints, 'fetch'));
    taken.graphile.push(await library(stage, 'graphile-process.mjs', databaseUrl, pool, receiver, endpoints));
    taken.pgBoss.push(await library(stage, 'pg-boss-process.mjs', databaseUrl, pool, receiver, endpoints));
  }
  const against = (what: string, values: readonly number[]): Row => ({
    name: `deliver, against ${what}`,
    unit: '/s',
    values: taken.ours,
    ceiling: { what, values },
  });
  return [
    against('pg + undici.request', taken.undici),
    against('pg + fetch', taken.fetch),
    against('graphile-worker 0.17.3', taken.graphile),
    against('pg-boss 10.4.2', taken.pgBoss),
  ];
}

/** Shops, their endpoints and events; the service is stopped again, and nothing is due yet. */
async function backlogged(stage: Stage, databaseUrl: string, pool: Pool, receiver: Helper) {
  const port = await receiver.call<number>('listen');
  const service = await stage.service(databaseUrl);
  const endpoints: Endpoints[number][] = [];
  for (let shop = 0; shop < SHOPS; shop++) {
    const urls = Array.from({ length: ENDPOINTS }, (_, i) => `http://127.0.0.1:${port}/hook/${shop}/${i}`);
    const made = await service.shop(`bench ${shop}`, urls);
    endpoints.push(...made.endpoints);
    const body = JSON.stringify({ filler: 'x'.repeat(700) });
    await fillFreshIntents(pool, made.merchantId, stage.quick ? 20 : EVENTS, body);
  }
  await service.stop();
  return { service, endpoints };
}

async function ours(service: ServiceProcess, pool: Pool, receiver: Helper, endpoints: Endpoints) {
  const count = await refillBacklog(pool);
  await expect(receiver, endpoints);
  await service.start();
  const rate = await arrived(receiver, count);
  await service.stop();
  await mustBeRecorded(pool);
  return rate;
}

async function raw(
  stage: Stage,
  databaseUrl: string,
  pool: Pool,
  receiver: Helper,
  endpoints: Endpoints,
  client: 'undici' | 'fetch',
) {
  const count = await refillBacklog(pool);
  await expect(receiver, endpoints);
  // By which it finds what is due longest: our index is of each endpoint, and by that it would sort all of them for each claim.
  await pool.query(`CREATE INDEX raw_due ON delivery (next_attempt_at) WHERE state = 'pending'`);
  const rival = stage.helper('raw-deliver.mjs', SERVICE_CORE);
  const [rate] = await Promise.all([
    arrived(receiver, count),
    rival.call('drain', { databaseUrl, endpoints, client }),
  ]);
  rival.stop();
  await mustBeRecorded(pool);
  await pool.query('DROP INDEX raw_due');
  return rate;
}

async function library(
  stage: Stage,
  script: string,
  databaseUrl: string,
  pool: Pool,
  receiver: Helper,
  endpoints: Endpoints,
) {
  const count = await refillBacklog(pool);
  await expect(receiver, endpoints);
  const rival = stage.helper(script, SERVICE_CORE);
  await rival.call('prepare', { databaseUrl });
  await pool.query('CHECKPOINT');
  const [rate] = await Promise.all([
    arrived(receiver, count),
    rival.call('start', { databaseUrl, endpoints }),
  ]);
  const left = await rival.call<number>('stop', { databaseUrl });
  rival.stop();
  if (left > 0) throw new Error(`${left} jobs arrived and were not recorded by ${script}`);
  return rate;
}

async function expect(receiver: Helper, endpoints: Endpoints): Promise<void> {
  const secrets = Object.fromEntries(endpoints.map(({ url, secret }) => [new URL(url).pathname, secret]));
  await receiver.call('expect', secrets);
}

async function arrived(receiver: Helper, expected: number): Promise<number> {
  const { count, refused, tenth, tenthMs, lastMs } = await receiver.call<Arrivals>('whenArrived', expected);
  if (refused > 0) throw new Error(`${refused} deliveries did not verify`);
  return ((count - 1 - tenth) * 1_000) / (lastMs - tenthMs);
}

async function mustBeRecorded(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM delivery WHERE state <> 'delivered'`,
  );
  if (rows[0]!.n > 0) throw new Error(`${rows[0]!.n} deliveries arrived and were not recorded`);
}

/** From the write of an event to its arrival, verified, while fifty creations a second come in. */
export async function latency(stage: Stage): Promise<Row[]> {
  const { all, run, told, shapeOf } = await telling(stage, 50);
  const rival = stage.helper('raw-deliver.mjs', SERVICE_CORE);
  const [ours] = all;
  const { databaseUrl, merchantId, endpoints } = ours;
  const raw = { databaseUrl, merchantId, endpoints, count: shapeOf(ours).requests, body: 'x'.repeat(700) };
  const runs = eachOf(all, (each) => told(each, () => run(each)));
  const taken = await turns(stage, runs, () => told(ours, () => rival.call('latency', raw)));
  return percentilesOf('commit to receiver', 'one commit, then one request', taken);
}

/** The same with twenty creations a second, while buyers ask for the page of one who is to pay as fast as they are answered. */
export async function crowded(stage: Stage): Promise<Row[]> {
  const { all, run, told } = await telling(stage, 20, await goingChain(stage));
  const crowd = stage.helper('load-process.mjs');
  let buyers = 0;
  const amid = async (each: Subject) => {
    const waiting = [await pickedIntent(each.service, each.key, buyers++)];
    const pages = { ...pageShape({ ...each, waiting }, stage.quick ? 50 : 500), connections: CROWD };
    let isOver = false;
    const crowding = async () => {
      while (!isOver) await stage.run(crowd, pages);
    };
    const work = () => run(each).finally(() => (isOver = true));
    return told(each, () => Promise.all([work(), crowding()]));
  };
  const [ours] = all;
  const taken = await turns(stage, eachOf(all, amid), () => told(ours, () => run(ours)));
  return percentilesOf(`commit to receiver amid ${CROWD} buyers`, 'nobody else', taken);
}

/** Shops that tell a receiver of each creation, of which so many come a second. */
async function telling(stage: Stage, perSecond: number, chain?: ServiceProcessOptions['chain']) {
  const requests = stage.quick ? 20 : 10 * perSecond;
  const receiver = stage.helper('receiver-process.mjs');
  const url = `http://127.0.0.1:${await receiver.call<number>('listen')}/hook`;
  const all = await subjects(stage, { chain }, () => Promise.resolve({}), url);
  const load = stage.helper('load-process.mjs');
  const shapeOf = (each: Subject): LoadShape => ({
    ...createShape(each, requests),
    connections: 4,
    perSecond,
  });
  /** @returns from each commit to its arrival, sorted, in milliseconds */
  const told = async ({ pool, endpoints }: Subject, work: () => Promise<unknown>): Promise<number[]> => {
    await expect(receiver, endpoints);
    await work();
    await receiver.call('whenArrived', requests);
    return latencies(pool, await receiver.call<Record<string, number>>('times'));
  };
  const run = (each: Subject) => stage.run(load, shapeOf(each));
  for (const each of all) await told(each, () => stage.run(load, { ...shapeOf(each), perSecond: 0 }));
  return { all, run, told, shapeOf };
}

const percentilesOf = (name: string, what: string, taken: Taken<readonly number[]>): Row[] =>
  [0.5, 0.99].flatMap((share) =>
    rowsOf(
      `${name}, p${share * 100}`,
      'ms',
      what,
      taken,
      (sorted) => sorted[Math.floor(sorted.length * share)]!,
    ),
  );

/** By one clock: database and receiver are on this machine. Sorted, in milliseconds. */
async function latencies(pool: Pool, arrivedAt: Readonly<Record<string, number>>): Promise<number[]> {
  const { rows } = await pool.query<{ id: string; ms: number }>(
    `SELECT id, (extract(epoch FROM created_at) * 1000)::float8 AS ms FROM event WHERE id = ANY ($1)`,
    [Object.keys(arrivedAt)],
  );
  return rows.map(({ id, ms }) => arrivedAt[id]! - ms).sort((a, b) => a - b);
}
