import { Api } from '../../support/api/api.js';
import { Service } from '../../support/service/service.js';

let service: Service;
let api: Api;

beforeAll(async () => {
  service = await Service.start();
  api = new Api(service, (await service.shop()).key);
});
afterAll(() => service.stop());

/** ISO 8601 with an offset. */
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

const FIELDS = [
  'id',
  'status',
  'amount',
  'currency',
  'title',
  'assetSymbol',
  'cryptoAmount',
  'depositAddress',
  'checkoutUrl',
  'returnUrl',
  'createdAt',
  'expiresAt',
  'confirmedAt',
  'settledAt',
  'idempotencyKey',
];

it('answers 201 with exactly the fields of the resource', async () => {
  const { status, headers, body } = await api.create({ amount: 49.9, currency: 'CHF' });
  expect(status).toBe(201);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(Object.keys(body)).toEqual(FIELDS);
});

it('starts an intent as initiated with everything about the payment null', async () => {
  const { body } = await api.create({ amount: 49.9, currency: 'CHF' });
  expect(body).toMatchObject({
    status: 'initiated',
    amount: 49.9,
    currency: 'CHF',
    title: null,
    assetSymbol: null,
    cryptoAmount: null,
    depositAddress: null,
    returnUrl: null,
    confirmedAt: null,
    settledAt: null,
  });
});

it('prefixes ids with pi_ and makes them sort by their time', async () => {
  const ids: string[] = [];
  for (let i = 0; i < 3; i++) ids.push((await api.create({ amount: 1, currency: 'EUR' })).body.id);
  for (const id of ids) expect(id).toMatch(/^pi_[0-9a-z]{30}$/);
  expect(new Set(ids).size).toBe(3);
  // The same millisecond is possible; an earlier one is not.
  const times = ids.map((id) => id.slice(3, 13));
  expect(times).toEqual([...times].sort());
});

it('gives the buyer 15 minutes to the millisecond, in timestamps with an offset', async () => {
  const before = Date.now();
  const { createdAt, expiresAt } = (await api.create({ amount: 1, currency: 'USD' })).body;
  expect(createdAt).toMatch(INSTANT);
  expect(expiresAt).toMatch(INSTANT);
  expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(15 * 60_000);
  expect(Date.parse(createdAt)).toBeGreaterThanOrEqual(before);
  expect(Date.parse(createdAt)).toBeLessThanOrEqual(Date.now());
});

it('sends the buyer to the separate address of the checkout', async () => {
  const { id, checkoutUrl } = (await api.create({ amount: 1, currency: 'USD' })).body;
  expect(checkoutUrl).toBe(`${service.config.checkoutUrl}/pay/${id}`);
  expect(new URL(checkoutUrl).origin).not.toBe(new URL(service.url).origin);
  expect((await fetch(checkoutUrl)).status).toBe(200);
});

it.each(['CHF', 'EUR', 'USD'])('charges %s', async (currency) => {
  const { status, body } = await api.create({ amount: 12.5, currency });
  expect({ status, currency: body.currency, amount: body.amount }).toEqual({
    status: 201,
    currency,
    amount: 12.5,
  });
});

it('gives title and returnUrl back as they were sent', async () => {
  const sent = { title: 'Bestellung 1001 · Zürich 🧀', returnUrl: 'https://shop.example/thanks?order=1#top' };
  const { body } = await api.create({ amount: 1, currency: 'CHF', ...sent });
  expect(body).toMatchObject(sent);
});

it.each(['order-1001', null])(
  'gives the idempotency key %j back, in every answer',
  async (idempotencyKey) => {
    const { body } = await api.create({ amount: 1, currency: 'CHF', idempotencyKey });
    const [read, listed] = [await api.get(body.id), await api.list('?pageSize=1')];
    expect([body, read.body, listed.body.items[0]].map((intent) => intent?.idempotencyKey)).toEqual(
      Array(3).fill(idempotencyKey),
    );
  },
);

it('reads the same intent that the creation returned, at its Location', async () => {
  const created = await api.create({ amount: 19.05, currency: 'EUR', title: 'Order 7' });
  const location = created.headers.get('location');
  expect(location).toBe(`/api/v1/intents/${created.body.id}`);
  const read = await api.get(location ?? '');
  expect(read.status).toBe(200);
  expect(read.body).toEqual({ ...created.body, payment: null });
  expect(Object.keys(read.body)).toEqual([...FIELDS, 'payment']);
});

it('shows the title at the checkout, and the merchant’s name where there is none', async () => {
  const titled = await api.create({ amount: 1, currency: 'CHF', title: 'Order <1001>' });
  const untitled = await api.create({ amount: 1, currency: 'CHF' });
  expect(await (await fetch(titled.body.checkoutUrl)).text()).toContain('Order &lt;1001&gt;');
  expect(untitled.body.title).toBeNull();
  expect(await (await fetch(untitled.body.checkoutUrl)).text()).toContain('Test Shop');
});

it('keeps answers of the API out of every cache', async () => {
  const created = await api.create({ amount: 1, currency: 'CHF' });
  const answers = [created, await api.get(created.body.id), await api.list()];
  expect(answers.map(({ headers }) => headers.get('cache-control'))).toEqual(Array(3).fill('no-store'));
});
