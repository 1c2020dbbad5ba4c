import type { Helper } from './helper.js';
import { apiHeaders, portOf, type Load, type LoadShape, type Stage } from './stage.js';
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
  const round = async (): Promise<Load[]> => {
    await pool.query("UPDATE delivery SET next_attempt_at = now() WHERE state = 'pending'");
    return Promise.all(shops.map(({ load, shape }) => stage.load(load, shape)));
  };
  const [calm, attacked]: [Load[], Load[]] = [[], []];
  for (let i = 0; i < stage.repeats; i++) {
    calm.push(...(await round()));
    await receivers.call('attack', true);
    attacked.push(...(await round()));
    await receivers.call('attack', false);
  }
  const row = (name: string, read: (taken: Load) => number): Row => ({
    name: `create beside ${MERCHANTS * ENDPOINTS} hostile receivers, ${name}`,
    unit: 'ms',
    values: attacked.map(read),
    ceiling: { what: 'the same while they behave', values: calm.map(read) },
  });
  return [row('p50', ({ p50Ms }) => p50Ms), row('p99', ({ p99Ms }) => p99Ms)];
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
