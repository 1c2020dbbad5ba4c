import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Pool } from 'pg';
import type { Address } from 'viem';
import { startCluster } from '../support/database/cluster.js';
import type { TestAnvil } from '../support/nodes/anvil.js';
import type { Helper } from './helper.js';
import { machine } from './main.js';
import { createShape, readShape, withIntents } from './rows/api-rows.js';
import { transfer } from './rows/chains-rows.js';
import { createdIntent, pageShape, pick } from './rows/checkout-rows.js';
import { runtime } from './runtime.js';
import { type Load, type LoadShape, Stage } from './stage.js';
import { median, table } from './table.js';
import { type Subject } from './turns.js';
import { goingChain } from './waiting-pages.js';

const MINUTES = 120;
/** Of what the machine can do, shared by the three loads. */
const SHARE = 0.3;
/** An open loop needs a connection for each request that is under way. */
const CONNECTIONS = 64;
/** The first part, in which caches fill and the compiler ends, says nothing of hours. */
const WARM_SHARE = 0.25;
/** Whose pages are asked for. */
const BUYERS_A_MINUTE = 20;
/** So long nothing more may be settled or told, where something is left to be. */
const PATIENCE_MS = 120_000;
const MIB = 1_024 ** 2;

interface Lengths {
  readonly minutes: number;
  readonly minuteMs: number;
  /** Without load, before and afterwards. */
  readonly restMs: number;
  /** Of the closed loop that finds what the machine can do. */
  readonly requests: number;
  readonly payEveryMs: number;
  /** At what is left to be settled and told at the end. */
  readonly lookEveryMs: number;
}

const LENGTHS = { minuteMs: 60_000, restMs: 120_000, requests: 5_000, payEveryMs: 1_000, lookEveryMs: 1_000 };
/** To see that it runs; its figures mean nothing. */
export const QUICK: Lengths = {
  minutes: 4,
  minuteMs: 1_000,
  restMs: 500,
  requests: 50,
  payEveryMs: 300,
  lookEveryMs: 200,
};

/** A kind of load, and what each minute of it took. */
interface Loaded {
  readonly name: string;
  readonly perSecond: number;
  readonly loads: Load[];
}

/** Who has come so far. */
interface Buyers {
  /** Each has an address of their own. */
  came: number;
  /** The intents that were paid. */
  readonly paid: string[];
  /** How many got no address. */
  refused: number;
  /** The intents of this minute's, who look at their page and never pay. */
  waiting: readonly string[];
}

export interface Soaked {
  /** From the start of the process to its readiness, on a migrated database. */
  readonly readyMs: number;
  readonly idleMib: number;
  /** At the end of each minute. */
  readonly loadedMib: readonly number[];
  /** Deliveries that waited then. */
  readonly waiting: readonly number[];
  readonly restedMib: number;
  readonly slopeMibPerHour: number;
  /** Of the heap, what a full collection leaves: after the first quarter, and at the end of the load. */
  readonly liveMib: readonly [number, number];
  readonly loads: readonly Loaded[];
  /** All of them settled, and all that was to be told was told, or the run has failed. */
  readonly payments: number;
  /** Whose choice gave them no address, because the network was closed at that moment. */
  readonly refusedBuyers: number;
  /** Minutes in which a page that was asked for was none that waits with its code, at their beginning or at their end. */
  readonly otherPages: number;
  readonly deliveries: number;
}

/**
 * A service under a part of what its machine can do: creations, reads and checkout pages in open loops, a payment a second that
 * is settled, and an endpoint that is told of everything. What it holds in memory is read after each minute, and twice after all
 * that is of no use any more was collected: V8 lets a heap grow before it does that by itself.
 * @param onMinute is told of each minute: two hours may end before they are over
 * @throws Error when a payment is not settled or an event is not delivered
 */
export async function soak(
  stage: Stage,
  share: number,
  lengths: Lengths,
  onMinute: (line: string) => void = () => undefined,
): Promise<Soaked> {
  const { minutes, minuteMs, restMs, requests, payEveryMs, lookEveryMs } = lengths;
  const anvil = await goingChain(stage);
  const receiver = stage.helper('receiver-process.mjs');
  const port = await receiver.call<number>('listen');
  const { url: databaseUrl, pool } = await stage.database();
  const service = await stage.service(databaseUrl, { chain: anvil, nodeOptions: ['--expose-gc'] });
  const { merchantId, key, endpoints } = await service.shop('soak', [`http://127.0.0.1:${port}/hook`]);
  await receiver.call('expect', { '/hook': endpoints[0]!.secret });
  const shop = { databaseUrl, pool, service, merchantId, key, endpoints };
  const buyers: Buyers = { came: 0, paid: [], refused: 0, waiting: [] };
  const filled = { ...shop, ...(await withIntents(stage, shop)) };

  await service.stop();
  const startedMs = performance.now();
  await service.start();
  const readyMs = performance.now() - startedMs;
  await sleep(restMs);
  const idleMib = await residentMib(shop);

  const shapes: [string, (requests: number) => LoadShape][] = [
    ['create', (count) => createShape(shop, count)],
    ['read', (count) => readShape(filled, count)],
    ['checkout page', (count) => pageShape({ ...shop, ...buyers }, count)],
  ];
  const running: (Loaded & { helper: Helper; shapeOf: (requests: number) => LoadShape })[] = [];
  await come(shop, buyers);
  for (const [name, shapeOf] of shapes) {
    const helper = stage.helper('load-process.mjs');
    const { perSecond: most } = await stage.warm(helper, shapeOf(requests));
    running.push({ name, perSecond: (most * share) / shapes.length, loads: [], helper, shapeOf });
  }
  const loadedMib: number[] = [];
  const waiting: number[] = [];
  let otherPages = 0;
  const warmMinutes = Math.floor(minutes * WARM_SHARE);
  let warmBytes = 0;
  for (let minute = 0; minute < minutes; minute += 1) {
    await come(shop, buyers);
    const endMs = performance.now() + minuteMs;
    await Promise.all([
      ...running.map(async ({ helper, shapeOf, perSecond, loads }) => {
        const { mustHold, ...shape } = shapeOf(Math.ceil((perSecond * minuteMs) / 1_000));
        // A network that is closed for a moment does not end hours of work.
        const holds = await doesHold(mustHold);
        loads.push(await stage.run(helper, { ...shape, connections: CONNECTIONS, perSecond }));
        if (!holds || !(await doesHold(mustHold))) otherPages += 1;
      }),
      pay(shop, anvil, buyers, payEveryMs, endMs),
    ]);
    loadedMib.push(await residentMib(shop));
    waiting.push(await waitingDeliveries(pool));
    onMinute(`minute ${minute + 1}: ${loadedMib.at(-1)?.toFixed(1)} MiB, ${waiting.at(-1)} deliveries wait`);
    if (minute === warmMinutes - 1) warmBytes = await service.liveBytes();
  }
  const liveMib = [warmBytes / MIB, (await service.liveBytes()) / MIB] as const;
  const deliveries = await allTold(pool, buyers.paid, lookEveryMs);
  await sleep(restMs);
  return {
    readyMs,
    idleMib,
    loadedMib,
    waiting,
    restedMib: await residentMib(shop),
    liveMib,
    slopeMibPerHour: slopeOf(loadedMib.slice(warmMinutes)) * (3_600_000 / minuteMs),
    loads: running,
    payments: buyers.paid.length,
    refusedBuyers: buyers.refused,
    otherPages,
    deliveries,
  };
}

const doesHold = (mustHold: () => Promise<void> = () => Promise.resolve()) =>
  mustHold().then(
    () => true,
    () => false,
  );

const residentMib = async ({ service }: Subject) => (await runtime(service.url)).residentBytes / MIB;

async function waitingDeliveries(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM delivery WHERE state = 'pending'`,
  );
  return rows[0]!.n;
}

/** Those of the minute before have less and less time, and theirs would soon be the page of an expired payment. */
async function come(subject: Subject, buyers: Buyers): Promise<void> {
  const waiting: string[] = [];
  for (let n = 0; n < BUYERS_A_MINUTE; n += 1) waiting.push(await comes(subject, buyers));
  buyers.waiting = waiting;
}

/** @returns the intent, whose buyer may have been refused */
async function comes({ service, key }: Subject, buyers: Buyers): Promise<string> {
  const id = await createdIntent({ service, key });
  if ((await pick(service, id, buyers.came++)) !== null) buyers.refused += 1;
  return id;
}

/** A buyer after the other. */
async function pay(
  subject: Subject,
  anvil: TestAnvil,
  buyers: Buyers,
  everyMs: number,
  endMs: number,
): Promise<void> {
  for (let dueMs = performance.now(); dueMs < endMs; dueMs += everyMs) {
    await sleep(Math.max(0, dueMs - performance.now()));
    const id = await comes(subject, buyers);
    const { rows } = await subject.pool.query<{ address: Address; amount_atoms: string }>(
      'SELECT address, amount_atoms FROM quote WHERE intent_id = $1',
      [id],
    );
    const quote = rows[0];
    if (!quote) continue;
    await transfer(anvil, quote.address, BigInt(quote.amount_atoms));
    buyers.paid.push(id);
  }
}

/** @returns how many deliveries there were. @throws Error when something is missing and nothing more comes for `PATIENCE_MS` */
async function allTold(pool: Pool, paid: readonly string[], lookEveryMs: number): Promise<number> {
  let [least, endMs] = [Infinity, 0];
  for (;;) {
    const { rows } = await pool.query<{ unsettled: number; untold: number; told: number }>(
      `SELECT (SELECT count(*)::int FROM intent WHERE id = ANY($1) AND status <> 'settled') AS unsettled,
              count(*) FILTER (WHERE state <> 'delivered')::int AS untold, count(*)::int AS told
       FROM delivery`,
      [paid],
    );
    const { unsettled, untold, told } = rows[0]!;
    if (unsettled === 0 && untold === 0) return told;
    if (unsettled + untold < least) [least, endMs] = [unsettled + untold, performance.now() + PATIENCE_MS];
    if (performance.now() > endMs) {
      const tries = await pool.query(
        `SELECT coalesce(error, 'http ' || http_status) AS "what", count(*)::int AS "times", max(started_at) AS "last"
         FROM delivery_attempt GROUP BY 1`,
      );
      throw new Error(
        `${unsettled} payments were not settled, ${untold} deliveries have not arrived; tries: ${JSON.stringify(tries.rows)}`,
      );
    }
    await sleep(lookEveryMs);
  }
}

/** By least squares, for each step between two values. */
export function slopeOf(values: readonly number[]): number {
  const [x, y] = [(values.length - 1) / 2, values.reduce((sum, value) => sum + value, 0) / values.length];
  const [covariance, variance] = values.reduce(
    ([xy, xx], value, i) => [xy + (i - x) * (value - y), xx + (i - x) ** 2],
    [0, 0],
  );
  return variance === 0 ? 0 : covariance / variance;
}

export function linesOf({ loads, loadedMib, waiting, ...soaked }: Soaked): [string, string][] {
  const part = Math.ceil(loadedMib.length / 4);
  const mib = (value: number) => `${value.toFixed(1)} MiB`;
  const firstAndLast = <Value>(values: readonly Value[], of: (part: readonly Value[]) => string) =>
    `${of(values.slice(0, part))} in the first quarter, ${of(values.slice(-part))} in the last`;
  return [
    ['ready after', `${Math.round(soaked.readyMs)} ms`],
    ['resident, before any load', mib(soaked.idleMib)],
    ['resident, under load', firstAndLast(loadedMib, (values) => mib(median(values)))],
    ['resident, at rest afterwards', mib(soaked.restedMib)],
    ['heap after a full collection, after a quarter and at the end', soaked.liveMib.map(mib).join(', ')],
    ['slope under load, without the first quarter', `${soaked.slopeMibPerHour.toFixed(2)} MiB an hour`],
    ...loads.map(({ name, perSecond, loads: minutes }): [string, string] => [
      `${name}, ${Math.round(perSecond)}/s, p99`,
      firstAndLast(minutes, (each) => `${median(each.map(({ p99Ms }) => p99Ms)).toFixed(1)} ms`),
    ]),
    ['deliveries that waited at the end of a minute, at most', Math.max(...waiting).toLocaleString('en-US')],
    ['buyers for whom the network was closed', String(soaked.refusedBuyers)],
    ['minutes with another page than one that waits with its code', String(soaked.otherPages)],
    ['payments settled, of as many', soaked.payments.toLocaleString('en-US')],
    ['deliveries arrived, of as many', soaked.deliveries.toLocaleString('en-US')],
  ];
}

/** The command `npm run soak`. */
export async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { quick: { type: 'boolean', default: false }, minutes: { type: 'string' } },
  });
  const lengths = values.quick ? QUICK : { ...LENGTHS, minutes: Number(values.minutes ?? MINUTES) };
  if (!(lengths.minutes >= 1)) throw new Error('--minutes is a number from 1 on');
  Stage.takeCores();
  const head = machine();
  const stopCluster = await startCluster(true);
  const stage = new Stage(1, values.quick);
  try {
    const lines = linesOf(await soak(stage, SHARE, lengths, (line) => process.stderr.write(`${line}\n`)));
    const what = `${lengths.minutes} minutes at ${SHARE * 100} % of what create, read and checkout page reach alone`;
    process.stdout.write(`${head}\n${what}\n\n${table([['', 'Rappen'], ...lines])}\n`);
  } finally {
    await stage.clear();
    await stopCluster();
  }
}
