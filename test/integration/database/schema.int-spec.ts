import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../../src/database/data-source.js';
import { INTENT_STATUSES, NEXT_STATUSES } from '../../../src/kernel/intent-status.js';
import { createTestDatabase } from '../../support/database/database.js';
import { Service } from '../../support/service/service.js';

/** Tables that are written and read by SQL alone. */
const WITHOUT_ENTITY = [
  'address',
  'alert_mail',
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
  'fact_change',
  'fact_rest',
  'guess_delay',
  'intent',
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
  'quote',
  'rate_window',
  'reconciliation',
  'saved_view',
  'settlement',
  'status_edge',
  'transfer',
  'transition',
  'unfinished_sign_in',
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

/**
 * Foreign keys between tables that both say of which payment, merchant or person a row is, and that leave open whether the two
 * are of the same one; by whose, and why that is enough. A new one belongs into its foreign key, as `quote_of_intent` does.
 */
const APART: Readonly<Record<string, string>> = {
  'event_log → event: merchant_id':
    'neither changes; placed from what a trigger queues of the event; `rappen check` compares',
  'quote → address: intent_id': 'neither changes; `rappen check` compares',
  'refund → intent: merchant_id': 'by the trigger refund_is_of_its_merchant',
  'review_entry → intent: merchant_id': 'by the trigger review_entry_is_of_its_merchant',
  'transfer → address: intent_id':
    'neither changes; written from the row of the address; `rappen check` compares',
  'transition → event: intent_id': 'neither changes, and nothing is read by it; `rappen check` compares',
  'unsettled_money → event: intent_id': 'neither changes, and nothing is read by it; `rappen check` compares',
  'unsettled_money → event: merchant_id': 'neither changes, and nothing is read by it',
  'unsettled_money → intent: merchant_id': 'by the trigger unsettled_money_is_of_its_merchant',
  'unsettled_money → transfer: intent_id': 'by the trigger unsettled_money_is_its_transfer',
  'wallet → destination: merchant_id': 'by the trigger wallet_is_of_its_merchant',
  'wallet → extended_key: merchant_id': 'by the trigger wallet_is_of_its_merchant',
};

it('has no foreign key to what may be another payment’s or another merchant’s', async () => {
  const rows = await dataSource.query<{ apart: string }[]>(
    `WITH whose AS (
       SELECT c.oid AS of, a.attnum AS at, c.relname AS name,
              CASE a.attname WHEN 'id' THEN c.relname || '_id' WHEN 'subject' THEN 'intent_id' ELSE a.attname END AS whose
         FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
          AND (a.attname IN ('intent_id', 'merchant_id', 'person_id')
               OR a.attname = 'id' AND c.relname IN ('intent', 'merchant', 'person')
               OR a.attname = 'subject' AND c.relname IN ('address', 'event', 'transfer')))
     SELECT format('%s → %s: %s', f.name, t.name, f.whose) AS apart
       FROM pg_constraint k JOIN whose f ON f.of = k.conrelid JOIN whose t ON t.of = k.confrelid AND t.whose = f.whose
      WHERE k.contype = 'f' AND NOT EXISTS (
        SELECT FROM unnest(k.conkey, k.confkey) AS pair (from_column, to_column) WHERE from_column = f.at AND to_column = t.at)
      ORDER BY 1`,
  );
  expect(rows.map(({ apart }) => apart).sort()).toEqual(Object.keys(APART).sort());
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
