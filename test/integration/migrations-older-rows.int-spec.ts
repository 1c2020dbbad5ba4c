import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/database/data-source.js';
import { migrate } from '../../src/database/migrate.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

let database: TestDatabase;
let dataSource: DataSource;

beforeAll(async () => {
  database = await createTestDatabase();
  dataSource = await new DataSource(dataSourceOptions(database.url, 2)).initialize();
});
afterAll(async () => {
  await dataSource?.destroy();
  await database?.drop();
});

/** A database as it was before a migration. */
async function before(name: string): Promise<void> {
  const isApplied = async () =>
    (await dataSource.query<unknown[]>('SELECT FROM migrations WHERE name LIKE $1', [`${name}%`])).length > 0;
  expect(await isApplied()).toBe(true);
  while (await isApplied()) await dataSource.undoLastMigration();
}

async function insertKey(id: string, networks: readonly string[], addresses: number): Promise<void> {
  await dataSource.query(
    `INSERT INTO extended_key (id, merchant_id, family, xpub, key_material, next_index)
     VALUES ($1, 'mer_old', 'evm', $1, $1, $2)`,
    [id, addresses],
  );
  for (const network of networks) {
    const wallet = ['mer_old', network, id];
    await dataSource.query(
      'INSERT INTO wallet (merchant_id, network, extended_key_id) VALUES ($1, $2, $3)',
      wallet,
    );
  }
  await dataSource.query(
    `INSERT INTO address (family, address, extended_key_id, derivation_index, subject)
     SELECT 'evm', $1 || n, $1, n, $1 || n FROM generate_series(0, $2::int - 1) n`,
    [id, addresses],
  );
}

it('0041: keys without addresses are searched like new ones, and those that have issued some are not', async () => {
  await before('0041');
  await dataSource.query(`INSERT INTO merchant (id, name, status) VALUES ('mer_old', 'Old', 'approved')`);
  await insertKey('xk_new', ['polygon', 'ethereum'], 0);
  await insertKey('xk_used', ['base'], 2);
  await insertKey('xk_replaced', [], 0);
  await insertKey('xk_waiting', ['arbitrum', 'optimism'], 0);
  await dataSource.query(`UPDATE extended_key SET unsearched = '{optimism}' WHERE id = 'xk_waiting'`);
  await migrate(database.url);
  const rows = await dataSource.query<{ id: string; unsearched: string[] }[]>(
    'SELECT id, unsearched FROM extended_key ORDER BY id',
  );
  expect(Object.fromEntries(rows.map(({ id, unsearched }) => [id, unsearched]))).toEqual({
    xk_new: ['ethereum', 'polygon'],
    xk_replaced: [],
    xk_used: [],
    xk_waiting: ['optimism'],
  });
});
