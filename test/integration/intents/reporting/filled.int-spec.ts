import { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../../../src/database/data-source.js';
import { violationsOfInvariants } from '../../../../src/modules/intents/reporting/data/invariants.statement.js';
import {
  fillDelivered,
  fillEventLog,
  fillFreshIntents,
  fillIntents,
  fillQueue,
} from '../../../bench/fill.js';
import { withWallet } from '../../../bench/rows/api-rows.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database/database.js';
import { standAtTip } from '../../../support/intents/money.js';

let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = new Pool({ connectionString: database.url, max: 1 });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

it('holds all invariants in what benchmarks fill, so that they measure what a shop could have', async () => {
  await pool.query(`INSERT INTO merchant (id, name, status) VALUES ('mer_1', 'Shop', 'approved')`);
  await pool.query(
    `INSERT INTO webhook_endpoint (id, merchant_id, url, secret, created_at)
     VALUES ('we_1', 'mer_1', 'https://shop.example/hook', 'sealed', now() - interval '1 year')`,
  );
  await standAtTip(database.url, 10_000);
  await withWallet(pool, 'mer_1');
  // So many that the payment of today has its figures in a row that the others are added to.
  await fillFreshIntents(pool, 'mer_1', 1, '{}');
  await fillIntents(pool, 'mer_1', 6_400);
  await fillQueue(pool, 'mer_1', 5);
  await fillDelivered(pool, 'we_1');
  await fillEventLog(pool);
  const dataSource = await new DataSource(dataSourceOptions(database.url, 1)).initialize();
  try {
    const wrong: string[] = [];
    for await (const [name, count] of violationsOfInvariants(dataSource.manager))
      if (count > 0) wrong.push(`${name}: ${count}`);
    expect(wrong).toEqual([]);
  } finally {
    await dataSource.destroy();
  }
});
