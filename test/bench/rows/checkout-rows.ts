import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceProcess } from '../../support/service/service-process.js';
import { type LoadShape, portOf, SERVICE_CORE, type Stage } from '../stage.js';
import type { Row } from '../table.js';
import {
  alone,
  CONNECTIONS,
  costing,
  eachOf,
  perSecond,
  type Served,
  type Subject,
  subjects,
  type Taken,
  turns,
} from '../turns.js';
import { compressedPage, goingChain, mustWait } from '../waiting-pages.js';
import { READ, withIntents } from './api-rows.js';

/** Of as many buyers, each of whom has picked and has yet to pay. */
const BUYERS = 2_000;
/** Who look for the first time in each repeat: so few that the codes of the others are still kept. */
const NEW_BUYERS = 500;
/** A second apart: a network is closed until it has been looked at, on a busy machine for long. */
const MOST_CHOICES = 60;
/** Each choice is somebody else's, whose own limits are not used up. */
const OTHERS = 65_536;
/** What is answered many times as fast has as much time to answer, and to warm up. */
const CEILING_S = 4;

export interface Picked {
  readonly waiting: readonly string[];
}

/** Buyers who have picked, and have a quarter of an hour to pay. @param wave of them, where others came before */
export async function withPicked(
  { quick }: Stage,
  { pool, service, key }: Subject,
  wave = 0,
  count = BUYERS,
): Promise<Picked> {
  const waiting: string[] = [];
  while (waiting.length < (quick ? 5 : count))
    waiting.push(await pickedIntent(service, key, wave * BUYERS + waiting.length));
  await pool.query('ANALYZE');
  return { waiting };
}

/** One after the other of the pages. The first has the least time left. */
export const pageShape = ({ service, waiting }: Subject & Picked, requests: number): LoadShape => ({
  port: portOf(service.checkoutUrl),
  connections: CONNECTIONS,
  requests,
  method: 'GET',
  paths: waiting.map((id) => `/pay/${id}`),
  headers: { host: new URL(service.checkoutUrl).host },
  addresses: waiting.length,
  expected: 200,
  mustHold: () => mustWait(service, waiting[0]!),
});

type Page = Subject & Picked;

export type Filled = Subject & Picked & { readonly ids: readonly string[] };

/** A shop with 10,000 intents, and buyers who have picked. */
export async function filled(stage: Stage): Promise<[Filled, ...Filled[]]> {
  return subjects(stage, { chain: await goingChain(stage) }, async (each) => ({
    ...(await withIntents(stage, each)),
    // Afterwards, because it has the tables analysed.
    ...(await withPicked(stage, each)),
  }));
}

/** The page that a buyer looks at longest: the amount, the address and its QR code. */
export async function checkout(stage: Stage): Promise<Row[]> {
  const requests = stage.quick ? 100 : 2_000;
  const chain = await goingChain(stage);
  const all = await subjects(stage, { chain }, (each) => withPicked(stage, each));
  const [{ databaseUrl, service, waiting }] = all;
  const id = waiting[0]!;
  const page = `${service.checkoutUrl}/pay/${id}`;
  const body = await (await fetch(page)).text();
  const load = stage.helper('load-process.mjs');
  const rival = stage.helper('raw-queries.mjs', SERVICE_CORE);
  const bare = { databaseUrl, connections: CONNECTIONS, texts: [READ], values: [id], body };
  const port = await rival.call<number>('serve', bare);
  const zipped = { ...bare, body: (await compressedPage(page)).toString('base64'), encoding: 'gzip' };
  const zippedPort = await rival.call<number>('serve', zipped);
  const bareFor = (shape: LoadShape, at: number) =>
    stage.loadFor(load, { ...shape, port: at }, stage.quick ? 0.1 : CEILING_S);
  const served = (each: Page, shape: LoadShape) =>
    costing(each.pool, each.service, shape.requests, () => stage.load(load, shape));
  let wave = 0;
  const firstLooks = async (each: Page) => {
    const buyers = await withPicked(stage, each, (wave += 1), NEW_BUYERS);
    // A tenth of them is asked for before, to warm up.
    return served(each, pageShape({ ...each, ...buyers }, Math.floor(buyers.waiting.length / 1.1)));
  };
  const [shape] = all.map((each) => pageShape(each, requests)) as [LoadShape];
  const one = { connections: 1, requests: Math.ceil(requests / 5) };
  for (const each of all) await stage.warm(load, pageShape(each, requests));
  // All in the same turns, so that they can be set beside each other.
  const taken = await turns(
    stage,
    eachOf(all, async (each) => ({
      again: await served(each, pageShape(each, requests)),
      compressed: await served(each, asBrowsersAsk(pageShape(each, requests))),
      alone: await served(each, { ...pageShape(each, requests), ...one }),
      first: await firstLooks(each),
    })),
    async () => {
      const again = await bareFor(shape, port);
      const compressed = await bareFor(asBrowsersAsk(shape), zippedPort);
      return { again, compressed, first: again, alone: await bareFor({ ...shape, ...one }, port) };
    },
  );
  const of = (kind: 'again' | 'compressed' | 'first' | 'alone'): Taken<Served> => ({
    ours: taken.ours.map((each) => each[kind]),
    ceiling: taken.ceiling.map((each) => each[kind]),
    beside: taken.beside.map((each) => each[kind]),
  });
  const what = 'the same bytes by node:http after one query';
  return [
    ...perSecond('checkout page', what, of('again')),
    ...alone('checkout page', what, of('alone')),
    ...perSecond('checkout page, first look of each buyer', what, of('first')),
    ...perSecond(
      'checkout page, compressed',
      'the same compressed bytes by node:http after one query',
      of('compressed'),
    ),
  ];
}

const asBrowsersAsk = (shape: LoadShape): LoadShape => ({
  ...shape,
  headers: { ...shape.headers, 'accept-encoding': 'gzip' },
});

/** An intent whose buyer has yet to pick. */
export async function createdIntent({ service, key }: Pick<Subject, 'service' | 'key'>): Promise<string> {
  const created = await fetch(`${service.url}/api/v1/intents`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ amount: 49.9, currency: 'CHF', title: 'Order 1001' }),
  });
  return ((await created.json()) as { id: string }).id;
}

/**
 * An intent that waits for USDC on Ethereum. @param n of buyers: each has an address of its own, and so its own limits
 * @param mostChoices until one is not closed
 * @throws Error if the choice is refused
 */
export async function pickedIntent(
  service: ServiceProcess,
  key: string,
  n = 0,
  mostChoices = MOST_CHOICES,
): Promise<string> {
  const id = await createdIntent({ service, key });
  let notice = await pick(service, id, n);
  for (let choices = 1; notice === 'option-closed' && choices < mostChoices; choices += 1) {
    await pause(1_000);
    notice = await pick(service, id, n + choices * OTHERS);
  }
  if (notice !== null) throw new Error(`A choice was refused: ${notice}.`);
  return id;
}

/** USDC on Ethereum. @returns what the buyer is told where there is no address for them; `null` where there is one */
export async function pick(service: ServiceProcess, id: string, n: number): Promise<string | null> {
  const picked = await fetch(`${service.checkoutUrl}/pay/${id}/asset`, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-forwarded-for': `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`,
    },
    body: 'network=ethereum&asset=USDC',
  });
  if (picked.status !== 303) throw new Error(`A choice was answered ${picked.status}.`);
  return new URL(picked.headers.get('location')!, service.checkoutUrl).searchParams.get('notice');
}
