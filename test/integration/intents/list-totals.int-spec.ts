import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { registeredStatements } from '../../../src/database/statement.js';
import { IntentsRepository, type ListFilter } from '../../../src/modules/intents/data/intents.repository.js';
import { askedBy } from '../../support/database/asked.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.js';
import { type Plan, rowsRead } from '../../support/database/plans.js';

// The total of a list between two times: of whole days it is kept (ADR 76), and it is that of the rows, whatever the two times are.

const MERCHANT = 'mer_of_days';
type List = readonly [prepared: string, called: string, condition: string, more: string];
/** Each with which rows it lists, and what it is told beside the times and the page. */
const LISTS: readonly List[] = [
  ['listed', 'intents-list-within', 'true', ''],
  ['settled', 'intents-list-settled-within', `status = 'settled'`, `, '{settled}'`],
];

let database: TestDatabase;
let client: Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
  // Across an hour that this zone has twice: days are those of UTC.
  await client.query(`SET TIME ZONE 'Europe/Zurich'`);
  await client.query(`INSERT INTO merchant (id, name, status) VALUES ($1, 'Shop', 'approved')`, [MERCHANT]);
  // Where each stands is of no matter here, and its figures of days are: the trigger that keeps them writes.
  await client.query('ALTER TABLE intent DROP CONSTRAINT intent_stands_where_it_went');
  await client.query(
    `INSERT INTO intent (id, merchant_id, status, amount_minor, currency, created_at, expires_at, confirmed_at, settled_at)
     SELECT concat_ws('_', 'pi', n, offset_ms, copy), $1, CASE WHEN copy % 3 = 0 THEN 'settled' ELSE 'initiated' END, 4990,
            CASE WHEN n % 2 = 0 THEN 'CHF' ELSE 'EUR' END, at, at + interval '15 minutes', settled_at, settled_at
     FROM generate_series(0, 4) AS n, unnest(ARRAY[-1, 0, 1, 43200000]) AS offset_ms,
          generate_series(1, 200) AS copy,
          LATERAL (SELECT timestamptz '2026-10-24 00:00Z' + n * interval '24 hours' + offset_ms * interval '1 millisecond' AS at) AS t,
          LATERAL (SELECT CASE WHEN copy % 3 = 0 THEN at + interval '30 hours' END AS settled_at) AS s`,
    [MERCHANT],
  );
  await client.query('ANALYZE');
  for (const [prepared, called] of LISTS) {
    const { text } = registeredStatements().find(({ name }) => name === called)!;
    await client.query(`PREPARE ${prepared} AS ${text}`);
  }
  await client.query('SET plan_cache_mode = force_generic_plan');
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const quoted = (time: string | null) => (time === null ? 'NULL' : `'${time}'`);
const between = (
  [prepared, , , more]: [string, string, string, string],
  from: string | null,
  to: string | null,
) => `EXECUTE ${prepared} ('${MERCHANT}', ${quoted(from)}, ${quoted(to)}, 1, 0${more})`;

describe.each(LISTS)('the total of what is %s', (...list) => {
  const [, , condition] = list;

  it('is that of the rows between any two times', async () => {
    const times = ['2026-10-23', '2026-10-24', '2026-10-25', '2026-10-28', '2026-10-29'].flatMap((day) =>
      ['00:00:00.000Z', '00:00:00.001Z', '12:00:00.000Z', '23:59:59.999Z'].map((time) => `${day}T${time}`),
    );
    const wrong: string[] = [];
    for (const from of [null, ...times])
      for (const to of [null, ...times]) {
        const listed = await client.query<{ total: string }>(between(list, from, to));
        const counted = await client.query<{ total: string }>(
          `SELECT count(*) AS total FROM intent
           WHERE created_at >= coalesce($1::timestamptz, '-infinity') AND created_at < coalesce($2::timestamptz, 'infinity')
             AND ${condition}`,
          [from, to],
        );
        const { total } = listed.rows[0]!;
        if (total !== counted.rows[0]!.total) wrong.push(`${from} to ${to}: ${total}`);
      }
    expect(wrong).toEqual([]);
  });

  it.each([
    ['whole days', '2026-10-23T00:00:00Z', '2026-10-28T00:00:00Z'],
    ['all days until one', null, '2026-10-28T00:00:00Z'],
    ['all days since one', '2026-10-23T00:00:00Z', null],
  ])('reads no more than the page for %s', async (_what, from, to) => {
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${between(list, from, to)}`,
    );
    const [{ Plan: plan }] = rows[0]!['QUERY PLAN'];
    // Of the page its id in an index and its row, and the first that has lapsed.
    expect(rowsRead(plan, ['intent'])).toBeLessThanOrEqual(3);
  });
});

it('is so for lists of the statuses of which figures are kept, and of no others', async () => {
  const dataSource = new DataSource({ type: 'postgres', url: database.url });
  await dataSource.initialize();
  try {
    const day = {
      merchantId: MERCHANT,
      createdFrom: new Date('2026-10-23'),
      createdTo: new Date('2026-10-28'),
    };
    const nameOf = async (statuses: ListFilter['statuses']) => {
      const asked = await askedBy(() =>
        new IntentsRepository(dataSource).list({ ...day, statuses, idempotencyKey: null }, 1, 0),
      );
      return asked.map(({ name }) => name);
    };
    expect(await nameOf(null)).toEqual(['intents-list-within']);
    expect(await nameOf(['settled'])).toEqual(['intents-list-settled-within']);
    expect(await nameOf(['settled', 'settled'])).toEqual(['intents-list-settled-within']);
    for (const others of [[], ['expired'], ['settled', 'expired']] as const)
      expect(await nameOf(others)).toEqual(['intents-list-of-statuses-within']);
  } finally {
    await dataSource.destroy();
  }
});
