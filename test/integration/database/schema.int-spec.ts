import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../../src/database/data-source.js';
import { INTENT_STATUSES, NEXT_STATUSES } from '../../../src/kernel/intent-status.js';
import { Service } from '../../support/service.js';

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
  'job_run',
  'known_asset',
  'known_device',
  'merchant_logo',
  'migrations',
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
  const fresh = await new DataSource({ ...dataSourceOptions(service.config.databaseUrl, 2) }).initialize();
  const before = await fresh.query<ColumnRow[]>(COLUMNS);
  while ((await fresh.query<unknown[]>('SELECT 1 FROM migrations')).length > 0)
    await fresh.undoLastMigration();
  expect(await fresh.query<ColumnRow[]>(COLUMNS)).toEqual(
    before.filter(({ table }) => table === 'migrations'),
  );
  await fresh.runMigrations();
  expect(await fresh.query<ColumnRow[]>(COLUMNS)).toEqual(before);
  await fresh.destroy();
});

it('holds the edges between statuses that the code walks, the birth of an intent, and no other', async () => {
  const rows = await dataSource.query<Record<string, string>[]>('SELECT * FROM status_edge');
  const edges = rows.map((row) => Object.values(row).join(' → '));
  const walked = INTENT_STATUSES.flatMap((from) => NEXT_STATUSES[from].map((to) => `${from} → ${to}`));
  expect(edges.sort()).toEqual([' → initiated', ...walked].sort());
});
