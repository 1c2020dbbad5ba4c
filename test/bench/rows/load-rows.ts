import { type Load, type LoadShape, SERVICE_CORE, type Stage } from '../stage.js';
import type { Row } from '../table.js';
import { bareShape, createShape, readShape, serveBare } from './api-rows.js';
import { filled, pageShape, withPicked } from './checkout-rows.js';

/** Of the highest rate that holds. */
const SHARES = [0.25, 0.5, 0.75];
/** An open loop needs a connection for each request that is under way, and not more than a shop's server would open. */
const OPEN_CONNECTIONS = 64;
const OPEN_S = 10;
/** Or longer, so that the slowest of a thousand is not the slowest of all. */
const LEAST = 5_000;
/** A rate holds if all of it has been answered this soon after the last was due … */
const BEHIND = 0.02;
/** … or it is lowered by this much and tried again. */
const STEP = 0.95;
/** Of what the closed loop reaches: where it is sought from, because more connections reach more. */
const FROM = 1.1;
/** Of the shares the one at which `node:http` is asked too: what the loop, the load and the machine take of the time. */
const ALONE_AT = 0.5;
const PERCENTILES = [
  ['p50', ({ p50Ms }: Load) => p50Ms],
  ['p99', ({ p99Ms }: Load) => p99Ms],
  ['p99.9', ({ p999Ms }: Load) => p999Ms],
] as const;

/**
 * What somebody waits whose requests come at a constant rate, whether or not the ones before have been answered: the
 * time counts from when a request was due. Beside it what the closed loop says, whose clients wait with each other.
 */
export async function load(stage: Stage): Promise<Row[]> {
  const [subject] = await filled(stage);
  const port = await serveBare(stage.helper('raw-queries.mjs', SERVICE_CORE), subject);
  const alone = (requests: number) => bareShape(subject, port, requests);
  let buyers = subject;
  const page = (requests: number) => pageShape(buyers, requests);
  /** A quarter of an hour is enough for one repeat. */
  const others = async (repeat: number) => {
    if (repeat > 0) buyers = { ...subject, ...(await withPicked(stage, subject, repeat)) };
  };
  return [
    // First, because its first buyers are there already.
    ...(await loadOf(stage, 'checkout page', page, alone, others)),
    ...(await loadOf(stage, 'read', (requests) => readShape(subject, requests), alone)),
    ...(await loadOf(stage, 'create', (requests) => createShape(subject, requests), alone)),
  ];
}

type ShapeOf = (requests: number) => LoadShape;

/** @param prepare comes before each repeat */
async function loadOf(
  stage: Stage,
  name: string,
  shapeOf: ShapeOf,
  alone: ShapeOf,
  prepare: (repeat: number) => Promise<void> = () => Promise.resolve(),
): Promise<Row[]> {
  const process = stage.helper('load-process.mjs');
  const open = (perSecond: number, of = shapeOf) => {
    const shape = of(stage.quick ? 50 : Math.max(LEAST, Math.ceil(perSecond * OPEN_S)));
    return stage.load(process, { ...shape, connections: OPEN_CONNECTIONS, perSecond });
  };
  const closedLoop = () => shapeOf(stage.quick ? 100 : 5_000);
  const holds = async (rate: number) => (await open(rate)).perSecond >= rate * (1 - BEHIND);
  const closed: Load[] = [];
  const highest: number[] = [];
  const taken = SHARES.map((share) => ({ share, loads: [] as Load[] }));
  const bare: Load[] = [];
  await stage.warm(process, closedLoop());
  for (let i = 0; i < stage.repeats; i++) {
    await prepare(i);
    const loop = await stage.load(process, closedLoop());
    const rate = stage.quick ? loop.perSecond : await highestThatHolds(loop.perSecond * FROM, holds);
    closed.push(loop);
    highest.push(rate);
    for (const { share, loads } of taken) loads.push(await open(rate * share));
    bare.push(await open(rate * ALONE_AT, alone));
  }
  const what = `the closed loop of ${closedLoop().connections} connections`;
  const rate: Row = {
    name: `${name}, highest rate that holds`,
    unit: '/s',
    values: highest,
    ceiling: { what, values: closed.map(({ perSecond }) => perSecond) },
  };
  const rows = taken.flatMap(({ share, loads }) =>
    PERCENTILES.flatMap(([percentile, of]): Row[] => {
      const row = {
        name: `${name} at ${share * 100} %, ${percentile}`,
        unit: 'ms',
        values: loads.map(of),
      } as const;
      // Its clients ask for all that there is: how long that takes is another question than how long a share of it does.
      const besideClosed = { ...row, ceiling: { what, values: closed.map(of), hasRatio: false } as const };
      const besideBare = {
        ...row,
        ceiling: { what: 'node:http alone at the same rate', values: bare.map(of) },
      };
      return share === ALONE_AT ? [besideClosed, besideBare] : [besideClosed];
    }),
  );
  return [rate, ...rows];
}

/** In steps of `STEP`, up or down from where it is sought: it has held once, and one step above it did not. */
export async function highestThatHolds(
  from: number,
  holds: (rate: number) => Promise<boolean>,
): Promise<number> {
  let rate = from;
  if (await holds(rate)) {
    while (await holds(rate / STEP)) rate /= STEP;
    return rate;
  }
  do rate *= STEP;
  while (!(await holds(rate)));
  return rate;
}
