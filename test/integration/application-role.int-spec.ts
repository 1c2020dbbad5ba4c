import { randomBytes } from 'node:crypto';
import { DataSource } from 'typeorm';
import { migrate } from '../../src/database/migrate.js';
import { IntentsJobs } from '../../src/modules/intents/intents.jobs.js';
import { RescueService } from '../../src/modules/intents/rescue.service.js';
import { ReviewsService } from '../../src/modules/intents/reviews.service.js';
import { Metrics } from '../../src/platform/observability/metrics.js';
import { Retention } from '../../src/platform/retention.js';
import { administer } from '../support/administer.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { Money, standAtTip } from '../support/money.js';
import { Service } from '../support/service.js';

const role = `rappen_app_${randomBytes(6).toString('hex')}`;
const APPEND_ONLY = ['audit_entry', 'event', 'refund_request', 'review_decision', 'settlement', 'transition'];
const NEVER_DELETED = ['address', 'extended_key', 'intent', 'quote', 'transfer'];

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
  const token = (digit: string) => ({ address: `0x${digit.repeat(40)}` });
  service = await Service.start({
    databaseUrl: url.href,
    chain: { rpcUrl: 'http://127.0.0.1:9', tokens: { USDC: token('1'), USDT: token('2') } },
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
  await money.endWindowIn(id, -1);
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
  await reviews.accept(accepted, 'ann', 'close enough');
  expect(await money.status(accepted)).toBe('settled');
  const wish = { network: 'ethereum', address: `0x${'ab'.repeat(20)}`, note: '' };
  expect(await service.app.get(RescueService).ask(refunded, wish)).toBe('stored');
  await reviews.dismiss(refunded, 'ann', 'sent back', { amount: '8.75', txid: null });
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
  await expect(migrate(service.config.databaseUrl)).resolves.toBeUndefined();
  await expect(migrate(service.config.databaseUrl, role)).rejects.toThrow('migrate as that role');
});

it('is refused to a role from which nothing can be withheld, and to none', async () => {
  const [{ me }] = await owner.query<[{ me: string }]>('SELECT current_user AS me');
  await expect(migrate(database.url, me)).rejects.toThrow('nothing can be withheld');
  await expect(migrate(database.url, `${role}_nobody`)).rejects.toThrow('CREATE ROLE it first');
});
