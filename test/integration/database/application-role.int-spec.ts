import { randomBytes } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ANYBODYS } from '../../../src/database/by.js';
import { migrate } from '../../../src/database/migrate.js';
import { warnOfPlainConnection } from '../../../src/database/plain-connection.js';
import { RefundRequestsService } from '../../../src/modules/intents/checkout/refund-requests.service.js';
import { IntentsJobs } from '../../../src/modules/intents/lifecycle/intents.jobs.js';
import { ReviewsService } from '../../../src/modules/intents/review/reviews.service.js';
import { Metrics } from '../../../src/platform/observability/metrics.js';
import { Retention } from '../../../src/platform/retention/retention.js';
import { administer } from '../../support/database/administer.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.js';
import { by } from '../../support/intents/by.js';
import { Money, standAtTip } from '../../support/intents/money.js';
import { SILENT_CHAIN } from '../../support/nodes/wallet.js';
import { Service } from '../../support/service/service.js';

const role = `rappen_app_${randomBytes(6).toString('hex')}`;
const APPEND_ONLY = [
  'audit_entry',
  'event',
  'event_log',
  'refund_request',
  'review_decision',
  'settlement',
  'transition',
  'unsettled_money',
];
const NEVER_DELETED = [
  'address',
  'destination',
  'extended_key',
  'intent',
  'known_asset',
  'named_address',
  'quote',
  'transfer',
];

let database: TestDatabase;
let owner: DataSource;
let service: Service;
let asRole: DataSource;
let money: Money;
let merchantId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  await administer(database.url, [`CREATE ROLE ${role} LOGIN PASSWORD 'of-a-test'`]);
  await migrate(database.url, role);
  await standAtTip(database.url, 1_000);
  owner = await new DataSource({ type: 'postgres', url: database.url }).initialize();
  const url = new URL(database.url);
  [url.username, url.password] = [role, 'of-a-test'];
  service = await Service.start({
    databaseUrl: url.href,
    chain: SILENT_CHAIN,
  });
  asRole = service.app.get(DataSource);
  money = new Money(service);
  ({ merchantId } = await service.shop());
});
afterAll(async () => {
  await service?.stop();
  await owner?.query(`DROP OWNED BY ${role}`);
  await owner?.destroy();
  await database?.drop();
  await administer(process.env['RAPPEN_TEST_ADMIN_URL']!, [`DROP ROLE IF EXISTS ${role}`]);
});

const decided = () => service.app.get(IntentsJobs).applyChanges();

async function expired(percent: number): Promise<string> {
  const id = await money.picked(merchantId);
  await money.endWindowIn(id, -1, owner);
  expect(await money.status(id)).toBe('expired');
  await money.record(id, { percent });
  await decided();
  return id;
}

it('is all that the service needs: it settles, expires, accepts, dismisses and refunds', async () => {
  const paid = await money.picked(merchantId);
  await money.record(paid);
  await decided();
  expect(await money.walkOf(paid)).toEqual(['initiated', 'pending', 'confirmed', 'settled']);
  const [accepted, refunded] = [await expired(60), await expired(70)];
  const reviews = service.app.get(ReviewsService);
  await reviews.accept({ whose: ANYBODYS, id: accepted, by: by('ann') }, { reason: 'close enough' });
  expect(await money.status(accepted)).toBe('settled');
  const wish = { network: 'ethereum', address: `0x${'ab'.repeat(20)}`, note: '' };
  expect(await service.app.get(RefundRequestsService).ask(refunded, wish)).toBe('stored');
  await reviews.dismiss(
    { whose: ANYBODYS, id: refunded, by: by('ann') },
    { note: 'sent back', refund: { amount: '8.75', txid: null } },
  );
  await service.app.get(IntentsJobs).sweep();
});

it('is all that retention needs, whatever it removes', async () => {
  const removed = await service.app.get(Retention).run();
  const text = (await service.app.get(Metrics).text()) ?? '';
  const rules = [...text.matchAll(/^rappen_retention_removed_total\{what="(.+?)"\}/gm)].map(
    ([, what]) => what,
  );
  expect(Object.keys(removed).sort()).toEqual(rules.sort());
  expect(rules).toContain('session');
});

const REFUSED = { driverError: { code: '42501' } };

it.each(APPEND_ONLY)('neither changes nor deletes what is in %s', async (table) => {
  const [{ column }] = await owner.query<[{ column: string }]>(
    `SELECT attname AS column FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND attidentity = '' LIMIT 1`,
    [table],
  );
  await expect(asRole.query(`UPDATE ${table} SET ${column} = ${column}`)).rejects.toMatchObject(REFUSED);
  await expect(asRole.query(`DELETE FROM ${table}`)).rejects.toMatchObject(REFUSED);
});

it('forgets from where something was done, and nothing else of the audit log', async () => {
  await asRole.query('UPDATE audit_entry SET address = NULL WHERE false');
  await asRole.query('SELECT FROM audit_entry FOR UPDATE SKIP LOCKED');
  await expect(asRole.query('UPDATE audit_entry SET actor = actor')).rejects.toMatchObject(REFUSED);
});

it.each(NEVER_DELETED)('deletes no row of %s', async (table) => {
  await expect(asRole.query(`DELETE FROM ${table}`)).rejects.toMatchObject(REFUSED);
});

/** What was fixed when its row was made, and a value that it might be given. */
const FIXED = [
  ['intent', 'merchant_id', `'mer_another'`],
  ['intent', 'amount_minor', '1'],
  ['intent', 'currency', `'USD'`],
  ['intent', 'title', `'Another'`],
  ['intent', 'idempotency_key', `'another'`],
  ['intent', 'return_url', `'https://another.example'`],
  ['intent', 'created_at', `created_at - interval '1 day'`],
  ['intent', 'expires_at', `expires_at + interval '1 day'`],
  ['known_asset', 'symbol', `'ANOTHER'`],
  ['quote', 'intent_id', `'pi_another'`],
  ['quote', 'network', `'another'`],
  ['quote', 'asset', `'ANOTHER'`],
  ['quote', 'amount_atoms', '1'],
  ['quote', 'address', `'0xanother'`],
  ['quote', 'watched_address', `'0xanother'`],
  ['quote', 'price', `'1'`],
  ['quote', 'rate_sources', `'[]'`],
  ['quote', 'rate_at', 'clock_timestamp()'],
  ['quote', 'spread_bps', '0'],
  ['quote', 'tolerance_bps', '1000'],
  ['quote', 'settlement_depth', `'1'`],
  ['extended_key', 'xpub', `'xpub'`],
  ['extended_key', 'key_material', `'another'`],
  ['extended_key', 'merchant_id', `'mer_another'`],
  ['destination', 'address', `'0x' || repeat('1', 40)`],
  ['named_address', 'address', `'0xanother'`],
  ['address', 'subject', `'pi_another'`],
  ['address', 'destination_id', `'dst_another'`],
  ['address', 'address', `'0xanother'`],
  ['transfer', 'network', `'another'`],
  ['transfer', 'txid', `'another'`],
  ['transfer', 'amount_atoms', '1'],
  ['transfer', 'address', `'another'`],
  ['transfer', 'asset', `'another'`],
  ['transfer', 'subject', `'another'`],
  ['transfer', 'first_seen_at', 'clock_timestamp()'],
  ['transfer', 'observed_at', 'clock_timestamp()'],
  ['audit_entry', 'at', `at - interval '1 day'`],
] as const;

it.each(FIXED)('never changes %s.%s', async (table, column, value) => {
  await expect(asRole.query(`UPDATE ${table} SET ${column} = ${value}`)).rejects.toMatchObject(REFUSED);
  await expect(owner.query(`UPDATE ${table} SET ${column} = ${value} WHERE false`)).resolves.toBeDefined();
});

/** All that may change in these tables. A column that joins them by mistake is found here. */
const CHANGEABLE = {
  address: ['coin_left', 'passed'],
  audit_entry: ['address'],
  destination: [],
  extended_key: ['first_index', 'next_index', 'unsearched'],
  intent: ['completed_at', 'confirmed_at', 'quote_id', 'sequence', 'settled_at', 'status'],
  known_asset: [],
  named_address: [],
  quote: [],
  transfer: [
    'before_issue',
    'block_hash',
    'block_height',
    'block_time',
    'conflict_block',
    'final',
    'handed_on',
    'in_place_of',
    'missing_since',
    'nonce',
    'own',
    'replaced_by',
    'sender',
    'spends',
    'state',
    'superseded',
  ],
};

it('changes these columns of what is fixed, and no other', async () => {
  const rows = await asRole.query<{ table: string; column: string }[]>(
    `SELECT table_name AS "table", column_name AS "column" FROM information_schema.column_privileges
     WHERE grantee = current_user AND privilege_type = 'UPDATE' AND table_name = ANY ($1)
     ORDER BY column_name COLLATE "C"`,
    [Object.keys(CHANGEABLE)],
  );
  const granted = (name: string) => rows.filter(({ table }) => table === name).map(({ column }) => column);
  expect(Object.fromEntries(Object.keys(CHANGEABLE).map((name) => [name, granted(name)]))).toEqual(
    CHANGEABLE,
  );
  expect([...new Set(FIXED.map(([table]) => table))].sort()).toEqual(Object.keys(CHANGEABLE));
});

it('does not date an entry of the audit log', async () => {
  const entry = (column: string, value: string) =>
    asRole.query(
      `INSERT INTO audit_entry (actor, action, subject, ${column}) VALUES ('cli', 'key.revoked', 'key_1', ${value})`,
    );
  await expect(entry('at', `'2020-01-01'`)).rejects.toMatchObject(REFUSED);
  await entry('detail', `'{}'`);
});

it.each([
  ['adds to', `INSERT INTO intent_day (merchant_id, day, currency, shard) VALUES ('mer_1', now(), 'CHF', 0)`],
  ['changes', 'UPDATE intent_day SET settled_minor = 0'],
  ['deletes', 'DELETE FROM intent_day'],
])('never %s the figures of days, which its payments are in', async (_what, statement) => {
  expect(await asRole.query('SELECT FROM intent_day')).not.toEqual([]);
  await expect(asRole.query(statement)).rejects.toMatchObject(REFUSED);
});

it('counts a payment in the figures of days, whatever temporary table has their name', async () => {
  const runner = asRole.createQueryRunner();
  const createdIn = async (table: string) => {
    const [row] = (await runner.query(`SELECT coalesce(sum(created), 0)::int AS created FROM ${table}`)) as [
      { created: number },
    ];
    return row.created;
  };
  await runner.startTransaction();
  try {
    const before = await createdIn('public.intent_day');
    await runner.query('CREATE TEMP TABLE intent_day (LIKE public.intent_day INCLUDING ALL) ON COMMIT DROP');
    await runner.query(
      `INSERT INTO intent (id, merchant_id, status, amount_minor, currency, sequence, created_at, expires_at)
       SELECT 'pi_shadow', $1, 'initiated', 100, 'CHF', 1, at, at + interval '15 minutes' FROM (SELECT now() AS at) AS t`,
      [merchantId],
    );
    expect([await createdIn('public.intent_day'), await createdIn('pg_temp.intent_day')]).toEqual([
      before + 1,
      0,
    ]);
  } finally {
    await runner.rollbackTransaction();
    await runner.release();
  }
});

it('knows every append-only table of the schema', async () => {
  const rows = await owner.query<{ table: string }[]>(
    `SELECT DISTINCT tgrelid::regclass::text AS "table" FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
     WHERE p.proname LIKE 'refuse\\_change%' ORDER BY 1`,
  );
  expect(rows.map(({ table }) => table)).toEqual(APPEND_ONLY);
});

it.each([
  ['empties', 'TRUNCATE event CASCADE'],
  ['disables the trigger of', 'ALTER TABLE event DISABLE TRIGGER ALL'],
  ['drops', 'DROP TABLE event CASCADE'],
  [
    'replaces the trigger’s function of',
    `CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE sql AS ''`,
  ],
  ['adds an edge to the state machine of', `INSERT INTO status_edge VALUES ('settled', 'expired')`],
  ['turns triggers off beside', `SET session_replication_role = replica`],
])('never %s the events', async (_what, statement) => {
  await expect(asRole.query(statement)).rejects.toMatchObject(REFUSED);
});

it('has new tables too once a migration has made them, without being named again', async () => {
  await owner.query('CREATE TABLE made_later (id integer)');
  await expect(asRole.query('SELECT FROM made_later')).rejects.toMatchObject(REFUSED);
  await migrate(database.url);
  expect(await asRole.query('SELECT FROM made_later')).toEqual([]);
  await owner.query('DROP TABLE made_later');
});

it('changes nothing by the command that migrates', async () => {
  await expect(migrate(service.config.databaseUrl)).resolves.toEqual([]);
  await expect(migrate(service.config.databaseUrl, role)).rejects.toThrow('migrate as that role');
});

it('is refused to a role from which nothing can be withheld, and to none', async () => {
  const [{ me }] = await owner.query<[{ me: string }]>('SELECT current_user AS me');
  await expect(migrate(database.url, me)).rejects.toThrow('nothing can be withheld');
  await expect(migrate(database.url, `${role}_nobody`)).rejects.toThrow('CREATE ROLE it first');
});

it('may know whether its connection is readable on the way; one that stays on this machine is not', async () => {
  const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  await warnOfPlainConnection(asRole);
  expect(warn).not.toHaveBeenCalled();
  // The same question about an address that is not this machine's: the test has no second machine.
  const elsewhere = (sql: string) => asRole.query(sql.replaceAll('client_addr', `'192.0.2.7'::inet`));
  await warnOfPlainConnection({ query: elsewhere } as DataSource);
  expect(warn).toHaveBeenCalledWith(expect.stringContaining('is not encrypted'));
  warn.mockRestore();
});
