import { ANYBODYS } from '../../../src/database/by.js';
import type { IntentStatus } from '../../../src/kernel/intent-status.js';
import { IntentsService } from '../../../src/modules/intents/lifecycle/intents.service.js';
import { Api } from '../../support/api/api.js';
import { createdAt, endWindowIn } from '../../support/api/api-windows.js';
import { expectProblem, placesOf } from '../../support/api/problems.js';
import { by } from '../../support/intents/by.js';
import { Service } from '../../support/service/service.js';

let service: Service;
let api: Api;
/** Newest first. */
let ids: string[];

beforeAll(async () => {
  service = await Service.start();
  api = new Api(service, (await service.shop()).key);
  const created: string[] = [];
  for (let i = 1; i <= 23; i++) created.push((await api.create({ amount: i, currency: 'CHF' })).body.id);
  ids = created.reverse();
  // Of the same instant, in the order of creation by nothing but the id; and a stranger's, which is never seen.
  await createdAt(service, ids.slice(0, 10), '2026-03-01T10:00:00Z');
  await createdAt(service, ids.slice(10, 20), '2026-02-01T10:00:00Z');
  await createdAt(service, ids.slice(20), '2026-01-01T10:00:00.123Z');
  const sortedTies = (from: number, to: number) => ids.slice(from, to).sort().reverse();
  ids = [...sortedTies(0, 10), ...sortedTies(10, 20), ...sortedTies(20, 23)];
  await new Api(service, (await service.shop()).key).create({ amount: 1, currency: 'CHF' });
});
afterAll(() => service.stop());

async function idsOf(query: string): Promise<string[]> {
  const { status, body } = await api.list(query);
  expect(status).toBe(200);
  return body.items.map(({ id }) => id);
}

it('lists 20 on page 1 unless asked otherwise, newest first, ties by id', async () => {
  const { body } = await api.list();
  expect(Object.keys(body)).toEqual(['items', 'total', 'page', 'pageSize']);
  expect(body).toMatchObject({ total: 23, page: 1, pageSize: 20 });
  expect(body.items.map(({ id }) => id)).toEqual(ids.slice(0, 20));
});

it('lists each intent as a read of it would show it', async () => {
  const { body } = await api.list('?pageSize=1');
  const { payment, ...intent } = (await api.get(ids[0] ?? '')).body;
  expect(body.items).toEqual([intent]);
  expect(payment).toBeNull();
});

it.each([
  ['?page=2', 20, 23],
  ['?page=2&pageSize=20', 20, 23],
  ['?page=1&pageSize=1', 0, 1],
  ['?page=23&pageSize=1', 22, 23],
  ['?page=3&pageSize=7', 14, 21],
  ['?pageSize=100', 0, 23],
  ['?page=01&pageSize=010', 0, 10],
])('gives %s the intents from %d to %d', async (query, from, to) => {
  expect(await idsOf(query)).toEqual(ids.slice(from, to));
});

it.each(['?page=3', '?page=24&pageSize=1', '?page=1000000&pageSize=100'])(
  'answers %s, past the end, with no items and the true total',
  async (query) => {
    const { status, body } = await api.list(query);
    expect(status).toBe(200);
    expect(body).toMatchObject({ items: [], total: 23 });
  },
);

it('visits every intent exactly once from page to page', async () => {
  const pages: string[][] = [];
  for (let page = 1; page <= 5; page++) pages.push(await idsOf(`?page=${page}&pageSize=5`));
  expect(pages.flat()).toEqual(ids);
});

it.each([
  ['?createdFrom=2026-02-01T10:00:00Z', 0, 20],
  ['?createdFrom=2026-02-01T10:00:00.001Z', 0, 10],
  ['?createdFrom=2026-02-01T11:00:00%2B01:00', 0, 20],
  ['?createdTo=2026-02-01T10:00:00Z', 20, 23],
  ['?createdTo=2026-02-01T10:00:00.001Z', 10, 23],
  ['?createdFrom=2026-01-01T00:00:00Z&createdTo=2026-02-15T00:00:00Z', 10, 23],
  ['?createdFrom=2026-01-01T10:00:00.123Z&createdTo=2026-01-01T10:00:00.124Z', 20, 23],
  ['?createdFrom=2026-03-01T00:00:00Z&createdTo=2026-02-01T00:00:00Z', 0, 0],
  ['?createdFrom=2020-02-29T23:59:59.123456789-12:00&createdTo=9999-12-31T23:59:59Z', 0, 23],
])('filters by time with %s', async (query, from, to) => {
  const { body } = await api.list(`${query}&pageSize=100`);
  expect(body.items.map(({ id }) => id)).toEqual(ids.slice(from, to));
  expect(body.total).toBe(to - from);
});

it.each([
  ['?page=0', 'page out_of_range'],
  ['?page=-1', 'page out_of_range'],
  ['?page=1.5', 'page out_of_range'],
  ['?page=1e1', 'page out_of_range'],
  ['?page=', 'page out_of_range'],
  ['?page=x', 'page out_of_range'],
  ['?page=%201', 'page out_of_range'],
  ['?page=99999999999999999999', 'page out_of_range'],
  ['?page=1&page=2', 'page out_of_range'],
  ['?page=1&page=1', 'page out_of_range'],
  ['?pageSize=0', 'pageSize out_of_range'],
  ['?pageSize=101', 'pageSize out_of_range'],
  ['?pageSize=-5', 'pageSize out_of_range'],
  ['?pageSize=20&pageSize=20', 'pageSize out_of_range'],
  ['?pageSize=NaN', 'pageSize out_of_range'],
  ['?status=', 'status not_allowed'],
  ['?status=paid', 'status not_allowed'],
  ['?status=Settled', 'status not_allowed'],
  ['?status=settled,expired', 'status not_allowed'],
  ['?status=settled&status=paid', 'status not_allowed'],
  ['?createdFrom=yesterday', 'createdFrom invalid_time'],
  ['?createdFrom=2026-01-01', 'createdFrom invalid_time'],
  ['?createdFrom=2026-01-01T00:00:00', 'createdFrom invalid_time'],
  ['?createdFrom=2026-01-01T00:00:00+01:00', 'createdFrom invalid_time'], // a plus in a query is a blank
  ['?createdFrom=2026-13-01T00:00:00Z', 'createdFrom invalid_time'],
  ['?createdFrom=2026-02-30T00:00:00Z', 'createdFrom invalid_time'],
  ['?createdTo=2026-01-01T25:00:00Z', 'createdTo invalid_time'],
  ['?createdTo=2026-01-01T00:00:00Z&createdTo=2026-01-02T00:00:00Z', 'createdTo invalid_time'],
  ['?idempotencyKey=', 'idempotencyKey wrong_length'],
  [`?idempotencyKey=${'x'.repeat(256)}`, 'idempotencyKey wrong_length'],
  ['?idempotencyKey=a&idempotencyKey=a', 'idempotencyKey wrong_type'],
  ['?idempotencyKey=a%00', 'idempotencyKey invalid_value'],
  ['?idempotency_key=a', 'idempotency_key unknown_parameter'],
  ['?limit=5', 'limit unknown_parameter'],
  ['?Page=1', 'Page unknown_parameter'],
  ['?status[]=settled', 'status[] unknown_parameter'],
  ['?page[gt]=1', 'page[gt] unknown_parameter'],
  ['?__proto__=1', '__proto__ unknown_parameter'],
  ['?constructor=1', 'constructor unknown_parameter'],
  ['?=1', ' unknown_parameter'],
  ['?status=settled%00', 'status not_allowed'],
])('refuses %s as %s', async (query, place) => {
  const answer = await api.list(query);
  expectProblem(answer, 'validation-error');
  expect(placesOf(answer)).toEqual([place]);
});

it('names every wrong parameter at once', async () => {
  const answer = await api.list('?page=0&pageSize=1000&status=x&createdFrom=x&createdTo=x&q=1&__proto__=1');
  expect(placesOf(answer)).toEqual([
    '__proto__ unknown_parameter',
    'createdFrom invalid_time',
    'createdTo invalid_time',
    'page out_of_range',
    'pageSize out_of_range',
    'q unknown_parameter',
    'status not_allowed',
  ]);
});

describe('the filter by idempotency key', () => {
  const KEYS = ['order-1001', 'Order-1001', 'order-1001 ', "Zürich 🧀 & 50% + '1'", 'x'.repeat(255)];

  it('finds the one intent with exactly this key, whatever is in it', async () => {
    const shop = new Api(service, (await service.shop()).key);
    for (const [index, idempotencyKey] of [...KEYS, undefined].entries())
      await shop.create({ amount: index + 1, currency: 'CHF', idempotencyKey });
    for (const [index, key] of KEYS.entries()) {
      const { body } = await shop.list(`?idempotencyKey=${encodeURIComponent(key)}`);
      expect(body).toMatchObject({ total: 1, items: [{ amount: index + 1, idempotencyKey: key }] });
      expect(body.items).toHaveLength(1);
    }
    expect((await shop.list('?idempotencyKey=order-1002')).body).toMatchObject({ total: 0, items: [] });
  });

  it('goes together with the other filters and with pages', async () => {
    const shop = new Api(service, (await service.shop()).key);
    await shop.create({ amount: 1, currency: 'CHF', idempotencyKey: 'a' });
    const totalsOf = async (query: string) => {
      const { total, items } = (await shop.list(`?idempotencyKey=a&${query}`)).body;
      return [total, items.length];
    };
    expect(await totalsOf('status=initiated')).toEqual([1, 1]);
    expect(await totalsOf('status=settled')).toEqual([0, 0]);
    expect(await totalsOf('createdFrom=2000-01-01T00:00:00Z')).toEqual([1, 1]);
    expect(await totalsOf('createdTo=2000-01-01T00:00:00Z')).toEqual([0, 0]);
    expect(await totalsOf('page=2')).toEqual([1, 0]);
  });

  it('never finds another merchant’s', async () => {
    const [mine, theirs] = [await service.shop(), await service.shop()];
    const key = 'order-of-two-shops';
    const { body } = await new Api(service, theirs.key).create({
      amount: 2,
      currency: 'CHF',
      idempotencyKey: key,
    });
    const shop = new Api(service, mine.key);
    expect((await shop.list(`?idempotencyKey=${key}`)).body).toMatchObject({ total: 0, items: [] });
    const own = await shop.create({ amount: 1, currency: 'CHF', idempotencyKey: key });
    const found = (await shop.list(`?idempotencyKey=${key}`)).body.items.map(({ id }) => id);
    expect(found).toEqual([own.body.id]);
    expect(found).not.toContain(body.id);
  });

  it('says expired of an intent whose window has lapsed, as a read of it does', async () => {
    const shop = new Api(service, (await service.shop()).key);
    const { id } = (await shop.create({ amount: 1, currency: 'CHF', idempotencyKey: 'late' })).body;
    await endWindowIn(service, id, -1);
    expect((await shop.list('?idempotencyKey=late')).body.items).toMatchObject([{ status: 'expired' }]);
    expect((await shop.list('?idempotencyKey=late&status=initiated')).body.total).toBe(0);
  });
});

describe('the status filter', () => {
  it('takes one status, or several as a repeated parameter, and counts what it lists', async () => {
    const shop = new Api(service, (await service.shop()).key);
    const [open, cancelled, lapsed] = await Promise.all(
      [1, 2, 3].map(async (amount) => (await shop.create({ amount, currency: 'EUR' })).body.id),
    );
    await service.app
      .get(IntentsService)
      .cancel({ whose: ANYBODYS, id: cancelled ?? '', by: by('ann') }, 'cancelled-by-operator');
    await endWindowIn(service, lapsed ?? '', -1);
    const expected: [IntentStatus[], (string | undefined)[]][] = [
      [['expired'], [lapsed]],
      [['initiated'], [open]],
      [['cancelled'], [cancelled]],
      [
        ['cancelled', 'expired'],
        [cancelled, lapsed],
      ],
      [['initiated', 'initiated'], [open]],
      [['pending', 'confirmed', 'settled', 'failed'], []],
    ];
    for (const [statuses, found] of expected) {
      const { body } = await shop.list(`?${statuses.map((status) => `status=${status}`).join('&')}`);
      expect(body.items.map(({ id }) => id).sort()).toEqual([...found].sort());
      expect([statuses, body.total]).toEqual([statuses, found.length]);
    }
  });

  it('tells the totals right after every transition', async () => {
    const shop = new Api(service, (await service.shop()).key);
    const totals = async () =>
      Promise.all(
        ['', '?status=initiated', '?status=cancelled'].map(
          async (query) => (await shop.list(query)).body.total,
        ),
      );
    expect(await totals()).toEqual([0, 0, 0]);
    const { id } = (await shop.create({ amount: 1, currency: 'CHF' })).body;
    expect(await totals()).toEqual([1, 1, 0]);
    await service.app
      .get(IntentsService)
      .cancel({ whose: ANYBODYS, id: id, by: by('ann') }, 'cancelled-by-operator');
    expect(await totals()).toEqual([1, 0, 1]);
  });
});
