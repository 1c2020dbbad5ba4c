import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../../src/database/data-source.js';
import { INTENT_STATUSES, NEXT_STATUSES } from '../../../src/kernel/intent-status.js';
import { createTestDatabase } from '../../support/database/database.js';
import { Service } from '../../support/service/service.js';

/** Tables that are written and read by SQL alone. */
const WITHOUT_ENTITY = [
  'address',
  'alert_notice',
  'api_request',
  'audit_entry',
  'chain_block',
  'chain_cursor',
  'chain_difference',
  'coin_baseline',
  'collection',
  'refund',
  'cursor_asset',
  'delivery',
  'delivery_attempt',
  'destination',
  'event',
  'event_log',
  'event_log_pending',
  'guess_delay',
  'intent_count',
  'intent_day',
  'job_run',
  'known_asset',
  'known_device',
  'merchant_logo',
  'migrations',
  'named_address',
  'outgoing_mail',
  'passkey_challenge',
  'password_request',
  'rate_window',
  'reconciliation',
  'saved_view',
  'settlement',
  'status_edge',
  'transfer',
  'transition',
  'unsettled_money',
  'watch_failure',
  'watch_lease',
];

interface ColumnRow {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  readonly nullable: boolean;
}

const COLUMNS = `
  SELECT c.relname AS "table", a.attname AS "column", format_type(a.atttypid, a.atttypmod) AS type,
         NOT a.attnotnull AS nullable
  FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped
  ORDER BY 1, 2`;

/** TypeORM's names of types as PostgreSQL writes them. */
function typeOf(type: unknown, isArray: boolean, precision?: number | null, scale?: number): string {
  const name = type === 'timestamptz' ? 'timestamp with time zone' : String(type);
  const sized = name === 'numeric' ? `numeric(${precision},${scale})` : name;
  return sized + (isArray ? '[]' : '');
}

let service: Service;
let dataSource: DataSource;

beforeAll(async () => {
  service = await Service.start();
  dataSource = service.app.get(DataSource);
});
afterAll(() => service.stop());

it('has an entity column for every column of the migrations, of the same type, and no other', async () => {
  const rows = await dataSource.query<ColumnRow[]>(COLUMNS);
  const stored = rows.filter(({ table }) => !WITHOUT_ENTITY.includes(table));
  const mapped = dataSource.entityMetadatas.flatMap(({ tableName, columns }) =>
    columns.map(({ databaseName, type, isArray, isNullable, precision, scale }) => ({
      table: tableName,
      column: databaseName,
      type: typeOf(type, isArray, precision, scale),
      nullable: isNullable,
    })),
  );
  const text = (row: ColumnRow) => `${row.table}.${row.column} ${row.type}${row.nullable ? ' null' : ''}`;
  expect(mapped.map(text).sort()).toEqual(stored.map(text).sort());
});

it('has no pending migration, and every migration can be taken back and applied again', async () => {
  expect(await dataSource.showMigrations()).toBe(false);
  // Not of the service, whose jobs would wait for what the migrations lock, and they for the jobs.
  const database = await createTestDatabase();
  const fresh = await new DataSource(dataSourceOptions(database.url, 2)).initialize();
  const before = await fresh.query<ColumnRow[]>(COLUMNS);
  while ((await fresh.query<unknown[]>('SELECT 1 FROM migrations')).length > 0)
    await fresh.undoLastMigration();
  expect(await fresh.query<ColumnRow[]>(COLUMNS)).toEqual(
    before.filter(({ table }) => table === 'migrations'),
  );
  await fresh.runMigrations();
  expect(await fresh.query<ColumnRow[]>(COLUMNS)).toEqual(before);
  await fresh.destroy();
  await database.drop();
});

it('holds the edges between statuses that the code walks, the birth of an intent, and no other', async () => {
  const rows = await dataSource.query<Record<string, string>[]>('SELECT * FROM status_edge');
  const edges = rows.map((row) => Object.values(row).join(' → '));
  const walked = INTENT_STATUSES.flatMap((from) => NEXT_STATUSES[from].map((to) => `${from} → ${to}`));
  expect(edges.sort()).toEqual([' → initiated', ...walked].sort());
});

/** Rows as the service would write them. */
const TERMS = [
  `INSERT INTO address (family, address, extended_key_id, derivation_index, subject, confirmation_depth)
   VALUES ('evm', '0xa', 'xk_1', 0, 'pi_1', 'safe')`,
  `INSERT INTO quote (id, intent_id, network, asset, decimals, amount_atoms, family, address, watched_address, price, rate_sources,
                      rate_at, spread_bps, tolerance_bps, confirmation_depth, settlement_depth, settlement_depths)
   VALUES ('quo_1', 'pi_1', 'ethereum', 'ETH', 18, 1, 'evm', '0xA', '0xa', '1', '[]', now(), 50, 100, '1', '12',
           '{12,32,finalized,finalized}')`,
  `INSERT INTO unsettled_money (intent_id, transfer_id, merchant_id, reason, network, asset, decimals, amount_atoms, txid, sequence,
                                event_id, depth)
   VALUES ('pi_1', 'tr_1', 'mer_1', 'late', 'ethereum', 'ETH', 18, 1, '0x1', 1, 'evt_1', 'finalized')`,
  `INSERT INTO settlement (intent_id, network, asset, received_atoms, excess_atoms, price, rate_sources, fiat_minor, transfers)
   VALUES ('pi_1', 'ethereum', 'ETH', 1, 0, '1', '[]', 1, '[]')`,
];

it.each([
  ['quote', 'tolerance_bps', '20000'],
  ['quote', 'spread_bps', '-1'],
  ['quote', 'decimals', '-6'],
  ['quote', 'confirmation_depth', `'0'`],
  ['quote', 'settlement_depth', `'nonsense'`],
  ['quote', 'settlement_depths', `'{1,2,3,soon}'`],
  ['quote', 'settlement_depth', `'101'`],
  ['quote', 'settlement_depths', `'{1,2,NULL,finalized}'`],
  ['quote', 'settlement_depths', `'[2:5]={1,2,3,nonsense}'`],
  ['quote', 'amount_atoms', `'NaN'`],
  ['settlement', 'received_atoms', `'Infinity'`],
  ['unsettled_money', 'depth', `'-3'`],
  ['address', 'confirmation_depth', `'1.5'`],
])('refuses what could decide about no money: %s.%s = %s', async (table, column, value) => {
  const change = dataSource.transaction(async (tx) => {
    // Of what these rows are of nothing is looked at here.
    await tx.query('SET LOCAL session_replication_role = replica');
    for (const row of TERMS) await tx.query(row);
    await tx.query(`UPDATE ${table} SET ${column} = ${value}`);
  });
  await expect(change).rejects.toMatchObject({ code: '23514', table });
});

it('takes nothing but finite numbers for numbers', async () => {
  const rows = await dataSource.query<{ table: string; column: string; never: string[] }[]>(
    `SELECT c.relname AS "table", a.attname AS "column",
            ARRAY(SELECT n FROM unnest('{NaN,Infinity}'::text[]) n
                   WHERE n = 'Infinity' AND a.atttypmod <> -1
                      OR EXISTS (SELECT FROM pg_constraint k WHERE k.conrelid = c.oid AND a.attnum = ANY (k.conkey)
                                    AND pg_get_constraintdef(k.oid) LIKE format('%%''%s''%%', n))) AS never
       FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.atttypid = 'numeric'::regtype AND a.attnum > 0
        AND NOT a.attisdropped`,
  );
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.filter(({ never }) => never.length < 2)).toEqual([]);
});
