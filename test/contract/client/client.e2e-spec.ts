import { type PaymentIntent, Rappen, RappenProblem, RappenUnreachable } from '@rappen/client';
import { endWindowIn } from '../../support/api/api-windows.js';
import { eventually } from '../../support/servers/receiver.js';
import { Service, type Shop } from '../../support/service/service.js';
import { LossyProxy } from './lossy-proxy.js';

let service: Service;
let shop: Shop;
let way: LossyProxy;
let rappen: Rappen;

const ORDER = { amount: 49.9, currency: 'CHF', title: 'Order 1001' } as const;
const NOW = { 'retry-after': '0' };

beforeAll(async () => {
  service = await Service.start();
  shop = await service.shop();
  way = await LossyProxy.to(service.url);
  rappen = new Rappen({ baseUrl: way.url, apiKey: shop.key });
});
beforeEach(() => {
  way.mishaps.length = way.bodies.length = 0;
});
afterAll(async () => {
  await way.stop();
  await service.stop();
});

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

const caught = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.catch((error: unknown) => error);

it('creates one intent however often the answer is lost, with the same key each time', async () => {
  way.mishaps.push('lost', { status: 503, headers: NOW }, { status: 429, headers: NOW });
  const { total } = await direct().listIntents();
  const { intent, replayed } = await rappen.createIntent(ORDER);
  expect(replayed).toBe(true);
  expect(intent).toMatchObject({ status: 'initiated', amount: 49.9, title: 'Order 1001' });
  expect(new Set(way.bodies).size).toBe(1);
  expect(way.bodies).toHaveLength(4);
  expect((await direct().listIntents()).total).toBe(total + 1);
});

it('returns the original to a used key, and names what is different now', async () => {
  const idempotencyKey = 'order-2';
  const first = await rappen.createIntent({ ...ORDER, idempotencyKey });
  expect(first).toMatchObject({ replayed: false, mismatches: [] });
  const again = await rappen.createIntent({ ...ORDER, idempotencyKey, amount: 50, title: 'Order 2' });
  expect(again).toEqual({ intent: first.intent, replayed: true, mismatches: ['amount', 'title'] });
  expect(await rappen.getIntent(first.intent.id)).toEqual({ ...first.intent, payment: null });
  expect((await rappen.listIntents({ idempotencyKey })).items).toEqual([first.intent]);
});

it('cancels once however often the answer is lost, and says when it is too late', async () => {
  const { intent } = await rappen.createIntent(ORDER);
  way.mishaps.push('lost');
  expect(await rappen.cancelIntent(intent.id)).toEqual({ ...intent, status: 'cancelled', payment: null });
  expect(way.bodies).toHaveLength(3);
  const late = (await rappen.createIntent(ORDER)).intent;
  await endWindowIn(service, late.id, -1);
  expect(await caught(rappen.cancelIntent(late.id))).toMatchObject({ code: 'conflict', status: 409 });
});

it('catches up with every event once, from where it stood, though answers are lost', async () => {
  const merchant = await service.shop();
  const theirs = new Rappen({ baseUrl: way.url, apiKey: merchant.key });
  const { intent } = await theirs.createIntent(ORDER);
  const [first] = await all(theirs.events(null));
  expect(first).toMatchObject({ type: 'payment.status', sequence: 1, data: { intent } });
  const ids: string[] = [];
  for (let i = 0; i < 102; i++) ids.push((await theirs.createIntent(ORDER)).intent.id);
  way.mishaps.push('lost', { status: 503, headers: NOW });
  const missed = await all(theirs.events(first?.id ?? ''));
  expect(missed.map(({ data }) => data.intent.id)).toEqual(ids);
  expect(await all(theirs.events(missed.at(-1)?.id ?? ''))).toEqual([]);
  expect(await caught(all(theirs.events('evt_x')))).toMatchObject({ code: 'validation-error' });
});

it('throws a problem with its code, its trace id and the fields, and does not ask again', async () => {
  const error = await caught(rappen.createIntent({ amount: -1, currency: 'JPY' as 'CHF' }));
  expect(error).toBeInstanceOf(RappenProblem);
  expect(error).toMatchObject({ code: 'validation-error', status: 400 });
  expect((error as RappenProblem).errors.map(({ pointer }) => pointer)).toEqual(['/amount', '/currency']);
  expect((error as RappenProblem).message).toContain((error as RappenProblem).traceId);
  expect(way.bodies).toHaveLength(1);
  expect(await caught(rappen.getIntent('pi_x'))).toMatchObject({ code: 'intent-not-found', status: 404 });
});

it('gives up after its retries, and says what it last saw', async () => {
  way.mishaps.push(...Array.from({ length: 4 }, () => ({ status: 502 })));
  expect(await caught(rappen.createIntent(ORDER))).toMatchObject({ name: 'RappenUnreachable', status: 502 });
  expect(way.bodies).toHaveLength(4);
  way.mishaps.push('lost');
  const once = new Rappen({ baseUrl: way.url, apiKey: shop.key, retries: 0 });
  const error = await caught(once.createIntent(ORDER));
  expect(error).toBeInstanceOf(RappenUnreachable);
  expect(error).toMatchObject({ status: null, cause: expect.anything() as unknown });
});

it('does not wait longer than it may, and stops when it is told to', async () => {
  way.mishaps.push({ status: 503, headers: { 'retry-after': '3600' } });
  expect(await caught(rappen.listIntents())).toMatchObject({ status: 503 });
  way.mishaps.push({ status: 503, headers: { 'retry-after': '50' } });
  const stop = new AbortController();
  const call = caught(rappen.listIntents({}, { signal: stop.signal }));
  await eventually(
    () => way.bodies.length,
    (came) => came === 2,
  );
  stop.abort();
  expect(await call).toMatchObject({ name: 'AbortError' });
});

it('takes no redirect, which would show the key to another', async () => {
  way.mishaps.push(...Array.from({ length: 4 }, () => ({ status: 307, headers: { location: service.url } })));
  expect(await caught(rappen.createIntent(ORDER))).toBeInstanceOf(RappenUnreachable);
});

it('iterates over every intent once, though more are created meanwhile', async () => {
  const merchant = await service.shop();
  const theirs = new Rappen({ baseUrl: service.url, apiKey: merchant.key });
  const ids: string[] = [];
  for (let i = 0; i < 105; i++) ids.unshift((await theirs.createIntent(ORDER)).intent.id);
  const seen: PaymentIntent[] = [];
  for await (const intent of theirs.intents({ status: ['initiated'] })) {
    if (seen.length % 40 === 0) await theirs.createIntent(ORDER);
    seen.push(intent);
  }
  expect(seen.map(({ id }) => id)).toEqual(ids);
});

function direct(): Rappen {
  return new Rappen({ baseUrl: service.url, apiKey: shop.key });
}
