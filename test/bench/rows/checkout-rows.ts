import { startTestAnvil } from '../../support/nodes/anvil.js';
import type { ServiceProcess } from '../../support/service/service-process.js';
import { type LoadShape, portOf, SERVICE_CORE, type Stage } from '../stage.js';
import type { Row } from '../table.js';
import { alone, CONNECTIONS, costing, loadsOf, perSecond, type Subject, subjects, turns } from '../turns.js';
import { READ, withIntents } from './api-rows.js';

/** Of as many buyers, each of whom has picked and has yet to pay. */
const BUYERS = 2_000;

export interface Picked {
  readonly waiting: readonly string[];
}

/** Buyers who have picked, and have yet to pay. */
export async function withPicked({ quick }: Stage, { pool, service, key }: Subject): Promise<Picked> {
  const waiting: string[] = [];
  while (waiting.length < (quick ? 5 : BUYERS))
    waiting.push(await pickedIntent(service, key, waiting.length));
  await pool.query('ANALYZE');
  return { waiting };
}

/** One after the other of the pages. */
export const pageShape = ({ service, waiting }: Subject & Picked, requests: number): LoadShape => ({
  port: portOf(service.checkoutUrl),
  connections: CONNECTIONS,
  requests,
  method: 'GET',
  paths: waiting.map((id) => `/pay/${id}`),
  headers: { host: new URL(service.checkoutUrl).host },
  expected: 200,
});

/** @throws Error if they did not wait all the while: then something else was measured */
export async function mustStillWait({ service, waiting }: Subject & Picked): Promise<void> {
  const answer = await fetch(`${service.checkoutUrl}/pay/${waiting[0]}/status`);
  const { status } = (await answer.json()) as { status: string };
  if (status !== 'initiated') throw new Error(`the pages of this row were ${status} before it was through`);
}

export type Filled = Subject & Picked & { readonly ids: readonly string[] };

/** A shop with 10,000 intents, and buyers who have picked. */
export async function filled(stage: Stage): Promise<[Filled, ...Filled[]]> {
  const anvil = await startTestAnvil();
  stage.onClear(() => anvil.stop());
  return subjects(stage, { chain: anvil }, async (each) => ({
    ...(await withIntents(stage, each)),
    // Afterwards, because it has the tables analysed.
    ...(await withPicked(stage, each)),
  }));
}

/**
 * The page that a buyer looks at longest: the amount, the address and its QR code. Of so many buyers that each code is drawn anew,
 * and of one who looks again.
 */
export async function checkout(stage: Stage): Promise<Row[]> {
  const requests = stage.quick ? 100 : 2_000;
  const anvil = await startTestAnvil();
  stage.onClear(() => anvil.stop());
  const all = await subjects(stage, { chain: anvil }, (each) => withPicked(stage, each));
  const [{ databaseUrl, pool, service, waiting }] = all;
  const id = waiting[0]!;
  const body = await (await fetch(`${service.checkoutUrl}/pay/${id}`)).text();
  const load = stage.helper('load-process.mjs');
  const rival = stage.helper('raw-queries.mjs', SERVICE_CORE);
  const bare = { databaseUrl, connections: CONNECTIONS, texts: [READ], values: [id], body };
  const port = await rival.call<number>('serve', bare);
  const measure = async (pages: number, connections: number, count: number) => {
    const shapeOf = (each: (typeof all)[0]) => ({
      ...pageShape({ ...each, waiting: each.waiting.slice(0, pages) }, count),
      connections,
    });
    return turns(stage, loadsOf(stage, load, all, shapeOf), () =>
      stage.load(load, { ...shapeOf(all[0]), port }),
    );
  };
  // Of a page much more is compiled than a tenth of the requests has seen.
  for (const each of all) await stage.load(load, pageShape(each, requests));
  const asBrowsersAsk = (each: (typeof all)[0]) => {
    const shape = pageShape(each, requests);
    return { ...shape, headers: { ...shape.headers, 'accept-encoding': 'gzip' } };
  };
  const uncompressed = () =>
    costing(pool, service, requests, () => stage.load(load, pageShape(all[0], requests)));
  const what = 'the same bytes by node:http after one query';
  const one = Math.ceil(requests / 5);
  const rows = [
    ...perSecond('checkout page', what, await measure(BUYERS, CONNECTIONS, requests)),
    ...alone('checkout page', what, await measure(BUYERS, 1, one)),
    ...perSecond('checkout page, looked at again', what, await measure(1, CONNECTIONS, requests)),
    ...alone('checkout page, looked at again', what, await measure(1, 1, one)),
    ...perSecond(
      'checkout page, compressed',
      'the same page, not compressed',
      await turns(stage, loadsOf(stage, load, all, asBrowsersAsk), uncompressed),
    ),
  ];
  await mustStillWait(all[0]);
  return rows;
}

/** An intent whose buyer has yet to pick. */
export async function createdIntent({ service, key }: Pick<Subject, 'service' | 'key'>): Promise<string> {
  const created = await fetch(`${service.url}/api/v1/intents`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ amount: 49.9, currency: 'CHF', title: 'Order 1001' }),
  });
  return ((await created.json()) as { id: string }).id;
}

/** An intent that waits for USDC on Ethereum. @param n of buyers: each has an address of its own, and so its own limits */
export async function pickedIntent(service: ServiceProcess, key: string, n = 0): Promise<string> {
  const id = await createdIntent({ service, key });
  const picked = await fetch(`${service.checkoutUrl}/pay/${id}/asset`, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-forwarded-for': `10.0.${n >> 8}.${n & 255}`,
    },
    body: 'network=ethereum&asset=USDC',
  });
  if (picked.status !== 303) throw new Error(`A choice was answered ${picked.status}.`);
  return id;
}
