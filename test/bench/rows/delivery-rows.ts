import type { Pool } from 'pg';
import type {
  ProcessShop,
  ServiceProcess,
  ServiceProcessOptions,
} from '../../support/service/service-process.js';
import { fillFreshIntents, refillBacklog } from '../fill.js';
import type { Helper } from '../helper.js';
import { profiled } from '../profile.js';
import { type LoadShape, SERVICE_CORE, Stage } from '../stage.js';
import type { Row } from '../table.js';
import {
  type Cost,
  costOf,
  costOfEach,
  eachOf,
  OTHER,
  rowsOf,
  spent,
  type Subject,
  subjects,
  type Taken,
  turns,
} from '../turns.js';
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

/** One that sends, on a database of its own. The service is stopped, and nothing is due yet. */
interface Sending {
  readonly databaseUrl: string;
  readonly pool: Pool;
  readonly service: ServiceProcess;
  readonly endpoints: Endpoints;
}

/** From a backlog: how fast does it arrive, verified, once the first tenth of it is through? And what does each cost from there on? */
export async function deliver(stage: Stage): Promise<Row[]> {
  const receiver = stage.helper('receiver-process.mjs');
  const port = await receiver.call<number>('listen');
  const ours = await backlogged(stage, undefined, port);
  const beside = Stage.beside === undefined ? null : await backlogged(stage, Stage.beside, port);
  const rivals: Readonly<Record<string, () => Promise<Sent>>> = {
    'pg + undici.request': () => raw(stage, ours, receiver, 'undici'),
    'pg + fetch': () => raw(stage, ours, receiver, 'fetch'),
    'graphile-worker 0.17.3': () => library(stage, 'graphile-process.mjs', ours, receiver),
    'pg-boss 10.4.2': () => library(stage, 'pg-boss-process.mjs', ours, receiver),
  };
  const taken = { ours: [] as Sent[], beside: [] as Sent[] };
  const against = new Map<string, Sent[]>(Object.keys(rivals).map((what) => [what, []]));
  for (let i = 0; i < stage.repeats; i++) {
    taken.ours.push(await byService(ours, receiver));
    for (const [what, rival] of Object.entries(rivals)) against.get(what)!.push(await rival());
    if (beside) taken.beside.push(await byService(beside, receiver));
  }
  const [first] = against.keys();
  const costs = { ...taken, ceiling: against.get(first!)! };
  const rateOf = ({ perSecond }: Sent) => perSecond;
  return [
    ...[...against].flatMap(([what, ceiling]) =>
      rowsOf(`deliver, against ${what}`, '/s', what, { ...taken, ceiling, beside: [] }, rateOf),
    ),
    ...(beside
      ? rowsOf('deliver', '/s', OTHER, { ...taken, ceiling: taken.beside, beside: [] }, rateOf)
      : []),
    ...costOf('deliver, processor for each', first!, costs, ({ service }) => service),
    ...costOf("deliver, PostgreSQL's processor for each", first!, costs, ({ server }) => server),
  ];
}

/** Shops, their endpoints and events. */
async function backlogged(stage: Stage, checkout: string | undefined, port: number): Promise<Sending> {
  const { url: databaseUrl, pool } = await stage.database(checkout);
  const service = await stage.service(databaseUrl, { checkout });
  const endpoints: Endpoints[number][] = [];
  for (let shop = 0; shop < SHOPS; shop++) {
    const urls = Array.from({ length: ENDPOINTS }, (_, i) => `http://127.0.0.1:${port}/hook/${shop}/${i}`);
    const made = await service.shop(`bench ${shop}`, urls);
    endpoints.push(...made.endpoints);
    const body = JSON.stringify({ filler: 'x'.repeat(700) });
    await fillFreshIntents(pool, made.merchantId, stage.quick ? 20 : EVENTS, body);
  }
  await service.stop();
  return { databaseUrl, pool, service, endpoints };
}

async function byService({ service, pool, endpoints }: Sending, receiver: Helper): Promise<Sent> {
  const count = await refillBacklog(pool);
  await expect(receiver, endpoints);
  await service.start();
  const sent = await arrived(receiver, count, { pool, service });
  await service.stop();
  await mustBeRecorded(pool);
  return sent;
}

async function raw(
  stage: Stage,
  { databaseUrl, pool, endpoints }: Sending,
  receiver: Helper,
  client: 'undici' | 'fetch',
): Promise<Sent> {
  const count = await refillBacklog(pool);
  await expect(receiver, endpoints);
  // By which it finds what is due longest: our index is of each endpoint, and by that it would sort all of them for each claim.
  await pool.query(`CREATE INDEX raw_due ON delivery (next_attempt_at) WHERE state = 'pending'`);
  const rival = stage.helper('raw-deliver.mjs', SERVICE_CORE);
  const [sent] = await Promise.all([
    arrived(receiver, count, { pool, service: null }),
    rival.call('drain', { databaseUrl, endpoints, client }),
  ]);
  rival.stop();
  await mustBeRecorded(pool);
  await pool.query('DROP INDEX raw_due');
  return sent;
}

async function library(
  stage: Stage,
  script: string,
  { databaseUrl, pool, endpoints }: Sending,
  receiver: Helper,
): Promise<Sent> {
  const count = await refillBacklog(pool);
  await expect(receiver, endpoints);
  const rival = stage.helper(script, SERVICE_CORE);
  await rival.call('prepare', { databaseUrl });
  await pool.query('CHECKPOINT');
  const [sent] = await Promise.all([
    arrived(receiver, count, { pool, service: null }),
    rival.call('start', { databaseUrl, endpoints }),
  ]);
  const left = await rival.call<number>('stop', { databaseUrl });
  rival.stop();
  if (left > 0) throw new Error(`${left} jobs arrived and were not recorded by ${script}`);
  return sent;
}

async function expect(receiver: Helper, endpoints: Endpoints): Promise<void> {
  const secrets = Object.fromEntries(endpoints.map(({ url, secret }) => [new URL(url).pathname, secret]));
  await receiver.call('expect', secrets);
}

/** How many a second, and what each cost, both without the first tenth. */
interface Sent {
  readonly perSecond: number;
  readonly cpu: Cost;
}

/** @param of whose processor is asked for */
async function arrived(receiver: Helper, expected: number, of: Parameters<typeof spent>[0]): Promise<Sent> {
  const begun = await receiver.call<Arrivals>('whenArrived', Math.ceil(expected / 10));
  const before = await spent(of);
  const { count, refused, tenth, tenthMs, lastMs } = await profiled(of.service, () =>
    receiver.call<Arrivals>('whenArrived', expected),
  );
  // Of a handful all are there before the service says that it is ready.
  const cpu = costOfEach(before, await spent(of), Math.max(1, count - begun.count));
  if (refused > 0) throw new Error(`${refused} deliveries did not verify`);
  return { perSecond: ((count - 1 - tenth) * 1_000) / (lastMs - tenthMs), cpu };
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
    // Each request from an address of its own: one buyer's would soon be asked to slow down.
    const shape = pageShape({ ...each, waiting }, stage.quick ? 50 : 500);
    const pages = { ...shape, connections: CROWD, addresses: shape.requests };
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
  const run = (each: Subject) => profiled(each.service, () => stage.run(load, shapeOf(each)));
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
