import { DataSource } from 'typeorm';
import { ANYBODYS } from '../../../src/database/by.js';
import { IntentsService } from '../../../src/modules/intents/lifecycle/intents.service.js';
import { Api } from '../../support/api/api.js';
import { endWindowIn } from '../../support/api/api-windows.js';
import { by } from '../../support/intents/by.js';
import { Service, type Shop } from '../../support/service/service.js';

let service: Service;
let shop: Shop;
let api: Api;
let orders = 0;

beforeAll(async () => {
  service = await Service.start({ env: { RATE_LIMIT_WRITES_PER_MINUTE: '100000' } });
  shop = await service.shop();
  api = new Api(service, shop.key);
});
afterAll(() => service.stop());

function order() {
  orders += 1;
  return {
    amount: 49.9,
    currency: 'CHF',
    title: `Order ${orders}`,
    idempotencyKey: `order-${orders}`,
    returnUrl: 'https://shop.example/thanks',
  };
}

async function rowsWith(idempotencyKey: string): Promise<number> {
  const [row] = await service.app
    .get(DataSource)
    .query<[{ n: number }]>('SELECT count(*)::int AS n FROM intent WHERE idempotency_key = $1', [
      idempotencyKey,
    ]);
  return row.n;
}

it('answers a replay with 200, the original intent, its Location and Idempotent-Replayed', async () => {
  const request = order();
  const first = await api.create(request);
  const again = await api.create(request);
  expect([first.status, again.status]).toEqual([201, 200]);
  expect(again.body).toEqual(first.body);
  expect(again.headers.get('location')).toBe(first.headers.get('location'));
  expect([first, again].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true']);
  expect(again.headers.get('idempotency-mismatch')).toBeNull();
  expect(await rowsWith(request.idempotencyKey)).toBe(1);
});

it('creates one intent when 50 requests bring one key at once', async () => {
  const request = order();
  const answers = await Promise.all(Array.from({ length: 50 }, () => api.create(request)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(49);
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  expect(await rowsWith(request.idempotencyKey)).toBe(1);
});

it('creates one intent when 50 different requests bring one key at once, and names what differs', async () => {
  const request = order();
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, i) => api.create({ ...request, amount: i + 1 })),
  );
  const [original] = answers.filter(({ status }) => status === 201);
  const replays = answers.filter(({ status }) => status === 200);
  expect(replays).toHaveLength(49);
  for (const replay of replays) {
    expect(replay.body).toEqual(original?.body);
    expect(replay.headers.get('idempotency-mismatch')).toBe('amount');
  }
  expect(await rowsWith(request.idempotencyKey)).toBe(1);
});

it.each([
  [{ amount: 50 }, 'amount'],
  [{ currency: 'EUR' }, 'currency'],
  [{ title: 'Another' }, 'title'],
  [{ title: null }, 'title'],
  [{ returnUrl: undefined }, 'returnUrl'],
  [{ amount: 50, title: null }, 'amount, title'],
  [{ amount: 1, currency: 'USD', title: 'x', returnUrl: null }, 'amount, currency, title, returnUrl'],
])('gives the original back for a replay with %j and names %s as different', async (change, names) => {
  const request = order();
  const first = await api.create(request);
  const again = await api.create({ ...request, ...change });
  expect(again.status).toBe(200);
  expect(again.body).toEqual(first.body);
  expect(again.headers.get('idempotency-mismatch')).toBe(names);
  expect((await api.get(first.body.id)).body).toEqual({ ...first.body, payment: null });
});

it('sees no difference between 49.9 and 49.90, or between null and omitted', async () => {
  await api.create('{"amount":49.9,"currency":"CHF","idempotencyKey":"same"}');
  const again = await api.create('{"title":null,"idempotencyKey":"same","currency":"CHF","amount":4.990e1}');
  expect(again.status).toBe(200);
  expect(again.headers.get('idempotency-mismatch')).toBeNull();
});

it('replays with the live status, also after the intent has ended', async () => {
  const request = order();
  const first = await api.create(request);
  await service.app
    .get(IntentsService)
    .cancel({ whose: ANYBODYS, id: first.body.id, by: by('ann') }, 'cancelled-by-operator');
  const again = await api.create(request);
  expect(again.status).toBe(200);
  expect(again.body).toEqual({ ...first.body, status: 'cancelled' });
});

it('replays a lapsed intent as expired at once', async () => {
  const request = order();
  const { body } = await api.create(request);
  await endWindowIn(service, body.id, -1);
  expect((await api.create(request)).body).toMatchObject({ id: body.id, status: 'expired' });
});

it('lets two merchants use the same key', async () => {
  const request = order();
  const other = new Api(service, (await service.shop()).key);
  const [mine, theirs] = [await api.create(request), await other.create(request)];
  expect([mine.status, theirs.status]).toEqual([201, 201]);
  expect(theirs.body.id).not.toBe(mine.body.id);
});

it('shares the idempotency keys of a merchant among its API keys', async () => {
  const request = order();
  const second = new Api(service, await service.key(shop.merchantId, ['write']));
  const { body } = await api.create(request);
  expect(await second.create(request)).toMatchObject({ status: 200, body: { id: body.id } });
});

it.each(['order-A', 'order-a', ' order-a', 'order-a ', 'o\u0308rder', '\u00f6rder'])(
  'takes the key %j for none but itself',
  async (idempotencyKey) => {
    expect((await api.create({ amount: 1, currency: 'CHF', idempotencyKey })).status).toBe(201);
  },
);

it('creates a new intent for every request without a key', async () => {
  const request = { amount: 1, currency: 'CHF' };
  const [one, two] = [await api.create(request), await api.create(request)];
  expect([one.status, two.status]).toEqual([201, 201]);
  expect(one.body.id).not.toBe(two.body.id);
});

it('does not use up a key with a request that is refused', async () => {
  const request = order();
  expect((await api.create({ ...request, amount: 0 })).status).toBe(400);
  expect((await api.create(request)).status).toBe(201);
});
