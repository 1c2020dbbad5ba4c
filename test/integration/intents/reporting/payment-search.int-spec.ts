import { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../../../src/database/data-source.js';
import type { PaymentFilter } from '../../../../src/modules/intents/payments.types.js';
import {
  type PaymentsPart,
  PaymentsRepository,
} from '../../../../src/modules/intents/reporting/data/payments.repository.js';
import { fillIntents } from '../../../bench/fill.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database/database.js';
import { type Plan, rowsRead } from '../../../support/database/plans.js';
import { EVERY_PAYMENT } from '../../../support/intents/every-payment.js';

const COUNT = 6_000;
/** The oldest of them, of another currency and amount. */
const OLD = 60;
/** Of one of ours, and of all of another merchant's. */
const TRACE = 'ab'.repeat(16);
let database: TestDatabase;
let dataSource: DataSource;
let rows: PaymentsRepository;

beforeAll(async () => {
  database = await createTestDatabase();
  const pool = new Pool({ connectionString: database.url, max: 1 });
  for (const merchant of ['mer_shop', 'mer_other']) await fillIntents(pool, merchant, COUNT);
  await pool.query('SET session_replication_role = replica'); // there is no such merchant
  await pool.query(
    `UPDATE intent SET currency = 'EUR', amount_minor = 77700 WHERE merchant_id = 'mer_shop' AND idempotency_key = ANY ($1)`,
    [Array.from({ length: OLD }, (_, i) => `order-${i + 1}`)],
  );
  await pool.query(
    `UPDATE transition t SET trace_id = $1 FROM intent i
     WHERE i.id = t.intent_id AND (i.merchant_id = 'mer_other' OR i.idempotency_key = 'order-7')`,
    [TRACE],
  );
  await pool.query('VACUUM ANALYZE');
  await pool.end();
  dataSource = await new DataSource(dataSourceOptions(database.url, 2)).initialize();
  rows = new PaymentsRepository(dataSource);
});
afterAll(async () => {
  await dataSource?.destroy();
  await database?.drop();
});

/** Keys are `order-1`, the oldest, to `order-6000`, and every fifth payment is settled. */
const queryOf = (filter: Partial<PaymentFilter>, more: Partial<PaymentsPart> = {}): PaymentsPart => ({
  merchantId: 'mer_shop',
  filter: { ...EVERY_PAYMENT, ...filter },
  found: [],
  cursor: null,
  limit: 50,
  ...more,
});
const keysOf = async (query: PaymentsPart) =>
  (await rows.page(query)).map(({ intent }) => intent.idempotencyKey);

/** Newest first. */
const keys = (isWanted: (n: number) => boolean) =>
  Array.from({ length: COUNT }, (_, i) => COUNT - i)
    .filter(isWanted)
    .map((n) => `order-${n}`);
const has = (part: string) => (n: number) => `order-${n}`.includes(part);

it('finds by a trace what is the merchant’s own, however much of others has the same', async () => {
  const found = await rows.find('mer_shop', TRACE.toUpperCase());
  expect(await keysOf(queryOf({ search: TRACE }, { found }))).toEqual(['order-7']);
  expect(found).toHaveLength(1);
  const [id] = found;
  expect(await rows.find('mer_shop', id!)).toEqual([id]);
  expect(await rows.find('mer_shop', 'order-7')).toEqual([id]);
  expect(await rows.find('mer_other', id!)).toEqual([]);
});

it.each<[string, Partial<PaymentFilter>, (n: number) => boolean]>([
  ['what all have', { search: 'ORDER' }, has('order')],
  ['what many have', { search: 'order-1' }, has('order-1')],
  ['what few have', { search: '123' }, has('123')],
  ['what only the oldest have', { search: 'order-17 rder' }, has('order-17')],
  ['what none has', { search: 'order nothing' }, () => false],
  [
    'what some have, of a status',
    { search: 'der-1', statuses: ['settled'] },
    (n) => n % 5 === 0 && has('r-1')(n),
  ],
])('finds %s, newest first, page by page and back', async (_, filter, isWanted) => {
  const wanted = keys(isWanted);
  const pages: { id: string; idempotencyKey: string | null }[][] = [];
  do {
    const last = pages.at(-1)?.at(-1);
    const cursor = last ? ({ direction: 'older', id: last.id } as const) : null;
    pages.push((await rows.page(queryOf(filter, { cursor }))).map(({ intent }) => intent));
  } while (pages.at(-1)!.length === 50);
  expect(pages.flat().map(({ idempotencyKey }) => idempotencyKey)).toEqual(wanted);
  const [first, second] = pages;
  if (!second?.[0]) return;
  const back = await rows.page(queryOf(filter, { cursor: { direction: 'newer', id: second[0].id } }));
  expect(back.map(({ intent }) => intent.id).reverse()).toEqual(first!.map(({ id }) => id));
});

it('finds what is known exactly beside it, and nobody else’s', async () => {
  const [record] = await rows.page(queryOf({ search: 'order-77' }, { merchantId: 'mer_other', limit: 1 }));
  const [own] = await rows.page(queryOf({ search: 'order-5000' }));
  const found = [record!.intent.id, own!.intent.id];
  expect(await keysOf(queryOf({ search: 'ab' }, { found }))).toEqual(['order-5000']);
  expect(await keysOf(queryOf({ search: 'order-600' }, { found }))).toEqual(
    keys((n) => has('order-600')(n) || n === 5_000),
  );
});

it.each<[string, Partial<PaymentFilter>, number]>([
  ['everything', {}, 50],
  ['a currency that all have', { currency: 'CHF' }, 50],
  ['a currency that none has', { currency: 'USD' }, 0],
  ['amounts that none has', { amountFromMinor: 50_000n, amountToMinor: 60_000n }, 0],
  ['a currency that only the oldest have', { currency: 'EUR' }, 50],
  ['amounts that only the oldest have', { amountFromMinor: 70_000n, amountToMinor: 80_000n }, 50],
  ['amounts from one that none reaches', { amountFromMinor: 90_000n }, 0],
  ['amounts that all have', { amountToMinor: 50_000n }, 50],
  ['a status that none has', { statuses: ['failed'] }, 0],
  ['an asset that none was paid in', { network: 'bitcoin', asset: 'BTC' }, 0],
  ['days without payments', { createdTo: new Date('2020-01-01') }, 0],
  ['the queue', { inReview: true }, 0],
])('reads for a page of %s little more than what is on it', async (_what, filter, count) => {
  const query = jest.spyOn(dataSource, 'query');
  expect(await rows.page(queryOf(filter, { found: null }))).toHaveLength(count);
  const [text, values] = query.mock.lastCall!;
  query.mockRestore();
  type Explained = { 'QUERY PLAN': [{ Plan: Plan }] };
  const [row] = await dataSource.query<[Explained]>(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values);
  expect(rowsRead(row['QUERY PLAN'][0].Plan, ['intent', 'quote'])).toBeLessThanOrEqual(3 * 50);
});
