import type { Load, LoadShape, Stage } from '../stage.js';
import type { Row } from '../table.js';
import { createShape, readShape } from './api-rows.js';
import { filled, mustStillWait, pageShape } from './checkout-rows.js';

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
/** Of what the closed loop reaches: where it is sought from, for more connections may reach more. */
const FROM = 1.2;
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
  // First, because its buyers have a quarter of an hour.
  const pages = await loadOf(stage, 'checkout page', (requests) => pageShape(subject, requests));
  await mustStillWait(subject);
  return [
    ...pages,
    ...(await loadOf(stage, 'read', (requests) => readShape(subject, requests))),
    ...(await loadOf(stage, 'create', (requests) => createShape(subject, requests))),
  ];
}

async function loadOf(stage: Stage, name: string, shapeOf: (requests: number) => LoadShape): Promise<Row[]> {
  const process = stage.helper('load-process.mjs');
  const open = (perSecond: number) => {
    const shape = shapeOf(stage.quick ? 50 : Math.max(LEAST, Math.ceil(perSecond * OPEN_S)));
    return stage.load(process, { ...shape, connections: OPEN_CONNECTIONS, perSecond });
  };
  const closedLoop = shapeOf(stage.quick ? 100 : 5_000);
  const closed: Load[] = [];
  const highest: number[] = [];
  const taken = SHARES.map((share) => ({ share, loads: [] as Load[] }));
  for (let i = 0; i < stage.repeats; i++) {
    closed.push(await stage.load(process, closedLoop));
    // The next repeat goes one step above what held in this one.
    let rate = i === 0 ? closed[0]!.perSecond * FROM : highest[i - 1]! / STEP;
    while ((await open(rate)).perSecond < rate * (1 - BEHIND) && !stage.quick) rate *= STEP;
    highest.push(rate);
    for (const { share, loads } of taken) loads.push(await open(rate * share));
  }
  const what = `the closed loop of ${closedLoop.connections} connections`;
  const rate: Row = {
    name: `${name}, highest rate that holds`,
    unit: '/s',
    values: highest,
    ceiling: { what, values: closed.map(({ perSecond }) => perSecond) },
  };
  const rows = taken.flatMap(({ share, loads }) =>
    PERCENTILES.map(([percentile, of]): Row => ({
      name: `${name} at ${share * 100} %, ${percentile}`,
      unit: 'ms',
      values: loads.map(of),
      ceiling: { what, values: closed.map(of) },
    })),
  );
  return [rate, ...rows];
}
