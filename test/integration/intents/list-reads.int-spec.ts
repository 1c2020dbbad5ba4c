import '../../../src/modules/intents/data/intents.repository.js';
import { Client } from 'pg';
import { registeredStatements } from '../../../src/database/statement.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.js';
import { type Plan, rowsRead } from '../../support/database/plans.js';

// A page of a list is found in an index, whatever else the merchant has: of a rare status, of long ago, or of none.

const MERCHANT = 'mer_of_many';
/** The rare ones are the oldest. */
const [MANY, RARE] = [8_000, 5];
const PAGE = 20;

let database: TestDatabase;
let client: Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
  // Whose they are is of no matter here.
  await client.query(`SET session_replication_role = replica`);
  const fill = (status: string, count: number, since: string) =>
    client.query(
      `INSERT INTO intent (id, merchant_id, status, amount_minor, currency, title, idempotency_key, created_at, expires_at)
       SELECT 'pi_' || $2 || n, $1, $2, 4990, 'CHF', 'Order', 'key-' || $2 || n, $4::timestamptz + n * interval '1 second',
              $4::timestamptz + n * interval '1 second' + interval '15 minutes'
       FROM generate_series(1, $3::integer) AS n`,
      [MERCHANT, status, count, since],
    );
  await fill('cancelled', RARE, '2026-01-01');
  await fill('expired', MANY, '2026-06-01');
  // Open, and not due for a quarter of an hour.
  for (const status of ['initiated', 'pending']) await fill(status, MANY, new Date().toISOString());
  await client.query('ANALYZE');
  // The plan that a service's connection keeps: for all values alike.
  await client.query('SET plan_cache_mode = force_generic_plan');
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

async function readBy(name: string, values: string): Promise<{ read: number; found: number }> {
  const { text } = registeredStatements().find((statement) => statement.name === name)!;
  await client.query(`PREPARE listed AS ${text}`);
  try {
    const { rows } = await client.query<{ id: string | null }>(`EXECUTE listed (${values})`);
    const explained = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE listed (${values})`,
    );
    const [{ Plan: plan }] = explained.rows[0]!['QUERY PLAN'];
    return { read: rowsRead(plan, ['intent']), found: rows.filter(({ id }) => id !== null).length };
  } finally {
    await client.query('DEALLOCATE listed');
  }
}

it.each([
  ['the newest', 'intents-list-first', `${PAGE}, 0`, PAGE],
  ['the newest of a rare status', 'intents-list-first-of-status', `${PAGE}, 0, 'cancelled'`, RARE],
  ['the newest of no such status', 'intents-list-first-of-status', `${PAGE}, 0, 'settled'`, 0],
  ['what is further down', 'intents-list', `NULL, NULL, ${PAGE}, ${5 * PAGE}`, PAGE],
  ['a rare status', 'intents-list-of-statuses', `NULL, NULL, ${PAGE}, 0, '{cancelled}'`, RARE],
  ['no such status', 'intents-list-of-statuses', `NULL, NULL, ${PAGE}, 0, '{settled}'`, 0],
  ['a status twice', 'intents-list-of-statuses', `NULL, NULL, ${PAGE}, 0, '{cancelled,cancelled}'`, RARE],
  ['several', 'intents-list-of-statuses', `NULL, NULL, ${PAGE}, 0, '{cancelled,expired,settled}'`, PAGE],
  ['long ago', 'intents-list-within', `NULL, '2026-02-01', ${PAGE}, 0`, RARE],
  ['a minute', 'intents-list-within', `'2026-01-01', '2026-01-01 00:01', ${PAGE}, 0`, RARE],
  [
    'a status long ago',
    'intents-list-of-statuses-within',
    `NULL, '2026-02-01', ${PAGE}, 0, '{cancelled}'`,
    RARE,
  ],
  [
    'what is settled of long ago',
    'intents-list-settled-within',
    `NULL, '2026-02-01', ${PAGE}, 0, '{settled}'`,
    0,
  ],
  ['a key', 'intents-list-of-key', `NULL, NULL, ${PAGE}, 0, 'key-cancelled1', NULL`, 1],
  [
    'a key of another status',
    'intents-list-of-key',
    `NULL, NULL, ${PAGE}, 0, 'key-cancelled1', '{settled}'`,
    0,
  ],
])('reads for a page of %s little more than what is on it', async (_what, name, filter, expected) => {
  const { read, found } = await readBy(name, `'${MERCHANT}', ${filter}`);
  expect(found).toBe(expected);
  // Of what is further down those above it too.
  expect(read).toBeLessThanOrEqual(10 * PAGE);
});

it.each([
  ['of the merchant', 'intents-lapsed-of-merchant', `${PAGE}, NULL, NULL, '${MERCHANT}'`],
  ['of all', 'intents-lapsed-of-all', `${PAGE}, NULL, NULL`],
  ['that are paid', 'intents-overdue-of-all', `${PAGE}, NULL, NULL`],
])('looks for what has lapsed %s without reading what is open and not due', async (_what, name, values) => {
  const { read, found } = await readBy(name, values);
  expect([found, read]).toEqual([0, 0]);
});
