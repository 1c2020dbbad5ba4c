import type { Helper } from '../helper.js';
import { type Runtime, runtime } from '../runtime.js';
import { apiHeaders, type Load, type LoadShape, portOf, type Stage } from '../stage.js';
import type { Row } from '../table.js';

/** Of one merchant, which may have no more. */
const ENDPOINTS = 10;
const MERCHANTS = 4;
/** Of each merchant. */
const PER_SECOND = 5;

interface HostileReceiver {
  readonly name: string;
  readonly isSecure: boolean;
  readonly port: number;
}

/**
 * Creating intents at a constant rate while forty receivers answer as they should, and again while each of them does
 * its worst. In one run, in turns.
 */
export async function hostile(stage: Stage): Promise<Row[]> {
  const { url: databaseUrl, pool } = await stage.database();
  const receivers = stage.helper('../../support/servers/hostile-receivers.mjs');
  const all = await receivers.call<HostileReceiver[]>('listen');
  const urlsOf = (merchant: number) =>
    Array.from({ length: ENDPOINTS }, (_, i) => {
      const { port, isSecure } = all[(merchant * ENDPOINTS + i) % all.length]!;
      return `${isSecure ? 'https' : 'http'}://127.0.0.1:${port}/${i}`;
    });
  const service = await stage.service(databaseUrl);
  const shops: { load: Helper; shape: LoadShape }[] = [];
  for (let merchant = 0; merchant < MERCHANTS; merchant++) {
    const { key } = await service.shop(`bench ${merchant}`, urlsOf(merchant));
    shops.push({ load: stage.helper('load-process.mjs'), shape: shapeOf(service.url, key, stage.quick) });
  }
  // Before calm nothing is left to send, before an attack all that the earlier ones have kept from arriving is due.
  const round = async ({ loads, runtimes }: Taken, due: 'now' | 'tomorrow'): Promise<void> => {
    await pool.query(`UPDATE delivery SET next_attempt_at = $1::timestamptz WHERE state = 'pending'`, [due]);
    const before = await runtime(service.url); // whose delays are not this round's
    loads.push(...(await Promise.all(shops.map(({ load, shape }) => stage.load(load, shape)))));
    const { cpuMs, ...delay } = await runtime(service.url);
    runtimes.push({ ...delay, cpuMs: (cpuMs - before.cpuMs) / (1.1 * MERCHANTS * shops[0]!.shape.requests) });
  };
  const [calm, attacked]: [Taken, Taken] = [
    { loads: [], runtimes: [] },
    { loads: [], runtimes: [] },
  ];
  for (let i = 0; i < stage.repeats; i++) {
    await round(calm, 'tomorrow');
    await receivers.call('attack', true);
    await round(attacked, 'now');
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
    row("event loop's delay p99", ({ runtimes }) => runtimes.map(({ p99Ms }) => p99Ms)),
    row("event loop's longest delay", ({ runtimes }) => runtimes.map(({ maxMs }) => maxMs)),
    row('processor for a creation and its deliveries', ({ runtimes }) => runtimes.map(({ cpuMs }) => cpuMs)),
  ];
}

interface Taken {
  readonly loads: Load[];
  /** `cpuMs` for each creation, those included that warm up. */
  readonly runtimes: Runtime[];
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
