import type { Helper } from './helper.js';
import { apiHeaders, METRICS_TOKEN, portOf, type Load, type LoadShape, type Stage } from './stage.js';
import type { Row } from './table.js';

/** Of one merchant, which may have no more. */
const ENDPOINTS = 10;
const MERCHANTS = 4;
/** Of each merchant. */
const PER_SECOND = 5;

interface HostileReceiver {
  readonly name: string;
  readonly isHandshake: boolean;
  readonly port: number;
}

/**
 * Creating intents at a constant rate while forty receivers answer as they should, and again while each of them does
 * its worst. In one run, in turns.
 */
export async function hostile(stage: Stage): Promise<Row[]> {
  const { url: databaseUrl, pool } = await stage.database();
  const receivers = stage.helper('../support/hostile-receivers.mjs');
  const all = await receivers.call<HostileReceiver[]>('listen');
  const urlsOf = (merchant: number) =>
    Array.from({ length: ENDPOINTS }, (_, i) => {
      const { port, isHandshake } = all[(merchant * ENDPOINTS + i) % all.length]!;
      return `${isHandshake ? 'https' : 'http'}://127.0.0.1:${port}/${i}`;
    });
  const service = await stage.service(databaseUrl);
  const shops: { load: Helper; shape: LoadShape }[] = [];
  for (let merchant = 0; merchant < MERCHANTS; merchant++) {
    const { key } = await service.shop(`bench ${merchant}`, urlsOf(merchant));
    shops.push({ load: stage.helper('load-process.mjs'), shape: shapeOf(service.url, key, stage.quick) });
  }
  const round = async ({ loads, delays }: Taken): Promise<void> => {
    await pool.query("UPDATE delivery SET next_attempt_at = now() WHERE state = 'pending'");
    await loopDelay(service.url); // what was before is not this round's
    loads.push(...(await Promise.all(shops.map(({ load, shape }) => stage.load(load, shape)))));
    delays.push(await loopDelay(service.url));
  };
  const [calm, attacked]: [Taken, Taken] = [
    { loads: [], delays: [] },
    { loads: [], delays: [] },
  ];
  for (let i = 0; i < stage.repeats; i++) {
    await round(calm);
    await receivers.call('attack', true);
    await round(attacked);
    await receivers.call('attack', false);
  }
  const row = (what: string, read: (taken: Taken) => number[]): Row => ({
    name: `${what}, ${MERCHANTS * ENDPOINTS} hostile receivers`,
    unit: 'ms',
    values: read(attacked),
    ceiling: { what: 'the same while they behave', values: read(calm) },
  });
  return [
    row('create p50', ({ loads }) => loads.map(({ p50Ms }) => p50Ms)),
    row('create p99', ({ loads }) => loads.map(({ p99Ms }) => p99Ms)),
    row("event loop's delay p99", ({ delays }) => delays.map(({ p99Ms }) => p99Ms)),
    row("event loop's longest delay", ({ delays }) => delays.map(({ maxMs }) => maxMs)),
  ];
}

interface Taken {
  readonly loads: Load[];
  readonly delays: Delay[];
}

interface Delay {
  readonly p99Ms: number;
  readonly maxMs: number;
}

/** How long the service's event loop kept a timer waiting since it was asked last; a resting loop has 10 to 11 ms. */
async function loopDelay(url: string): Promise<Delay> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  const text = await answer.text();
  const value = (name: string) => {
    const found = new RegExp(`^nodejs_eventloop_lag_${name}_seconds (\\S+)$`, 'm').exec(text);
    if (!found) throw new Error(`/metrics answers ${answer.status} and says nothing of the event loop`);
    return Number(found[1]) * 1_000;
  };
  return { p99Ms: value('p99'), maxMs: value('max') };
}

function shapeOf(url: string, key: string, quick: boolean): LoadShape {
  return {
    port: portOf(url),
    connections: 2,
    requests: quick ? 20 : 150,
    perSecond: PER_SECOND,
    method: 'POST',
    paths: ['/api/v1/intents'],
    headers: apiHeaders(url, key),
    body: JSON.stringify({ amount: 49.9, currency: 'CHF', title: 'Order', idempotencyKey: 'order-{n}' }),
    expected: 201,
  };
}
