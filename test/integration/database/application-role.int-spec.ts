import { randomBytes } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { Pool } from 'pg';
import { DataSource, type QueryRunner } from 'typeorm';
import { RIGHTS, warnOfPower } from '../../../src/database/application-role.js';
import { ANYBODYS } from '../../../src/database/by.js';
import { migrate } from '../../../src/database/migrate.js';
import { warnOfPlainConnection } from '../../../src/database/plain-connection.js';
import { RefundRequestsService } from '../../../src/modules/intents/checkout/refund-requests.service.js';
import { ReviewsService } from '../../../src/modules/intents/review/reviews.service.js';
import { Metrics } from '../../../src/platform/observability/metrics.js';
import { Retention } from '../../../src/platform/retention/retention.js';
import { plansOn } from '../../queries/plans.js';
import { namedStatements } from '../../queries/statements.js';
import { administer, urlOf } from '../../support/database/administer.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.js';
import { by } from '../../support/intents/by.js';
import { applyAllChanges, sweepAll } from '../../support/intents/decided.js';
import { Money, standAtTip } from '../../support/intents/money.js';
import { SILENT_CHAIN } from '../../support/nodes/wallet.js';
import { itWith } from '../../support/run/tools.js';
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
/**
 * What the role may do with each table of the schema beside reading it, and after the bar which columns it may change. A table
 * or a column that joins them by mistake, or is forgotten, is found here.
 */
const GRANTED = {
  address: 'INSERT | coin_left passed',
  alert:
    'INSERT DELETE | acknowledged_at acknowledged_by acknowledged_note data detail last_raised_at ' +
    'mailed_at posted_at resolved_at summary',
  alert_mail: 'INSERT DELETE | attempts counted_at lease_token next_attempt_at stands_for',
  alert_notice: 'INSERT DELETE | attempts collected lease_token next_attempt_at',
  api_key: 'INSERT | last_used_at revoked_at',
  api_request: 'INSERT DELETE',
  audit_entry: ' | address',
  chain_block: 'INSERT DELETE | hash recorded_at spenders',
  chain_cursor:
    'INSERT | block_time chain_id coin_blind_from coin_unwatched cross_check finalized_height ' +
    'genesis_hash given_up_at given_up_height hash height known_tags node_height safe_height ' +
    'synced_at',
  chain_difference: 'INSERT DELETE | chain_atoms recorded_atoms seen_at txids',
  coin_baseline: 'INSERT DELETE | hash unexplained_atoms',
  collection: 'INSERT DELETE',
  cursor_asset: 'INSERT | covered_height from_height',
  delivery: 'INSERT DELETE | attempts delayed delivered_at lease_token lease_until next_attempt_at state',
  delivery_attempt: 'INSERT DELETE',
  destination: 'INSERT',
  event: 'INSERT',
  event_log: 'INSERT',
  event_log_pending: 'INSERT DELETE',
  extended_key: 'INSERT | first_index next_index unsearched',
  fact_change: 'INSERT DELETE | changed_at version',
  fact_rest: 'INSERT DELETE | transfer_id',
  guess_delay: 'INSERT DELETE | counted_from failures next_at',
  intent: 'INSERT | completed_at confirmed_at quote_id sequence settled_at status',
  intent_count: 'INSERT | intents',
  intent_day: '',
  job_run: 'INSERT | started_at',
  known_asset: 'INSERT',
  known_device: 'INSERT DELETE | awaits_second_step last_seen_at',
  membership: 'INSERT DELETE | role',
  merchant:
    'INSERT | accept_late_minutes accept_late_move_bps accept_seen_late accept_short_bps ' +
    'accept_short_minor alert_emails color logo name network_terms spread_bps status support_contact ' +
    'tolerance_bps tolerance_chosen',
  merchant_logo: 'INSERT DELETE | hash png',
  migrations: '',
  named_address: 'INSERT',
  one_time_link: 'INSERT DELETE | ended_as expires_at mail_id spent_at used_at',
  outgoing_mail:
    'INSERT DELETE | attempts language lease_token next_attempt_at sealed_text sent_at stands_for ' +
    'subject',
  own_address: 'INSERT DELETE | created_at',
  passkey: 'INSERT DELETE | counter last_used_at',
  passkey_challenge: 'INSERT DELETE | expires_at',
  password_request: 'INSERT DELETE | asked_at',
  person:
    'INSERT | email_proven_at email_proven_by factor_declined_at is_operator language ' +
    'last_merchant_id password_hash registered_at totp_enabled_at totp_last_step totp_secret',
  quote: 'INSERT',
  rate_window: 'INSERT DELETE | hits',
  reconciliation:
    'INSERT | compared compared_height comparing_height finished_at incomparable last_compared ' +
    'last_duration_s last_incomparable leased_until position recent_at requests round_started_at ' +
    'term whole_at',
  recovery_code: 'INSERT DELETE | used_at',
  refund:
    'INSERT | again_output again_txid asked_height block_hash block_height changed_at decision_id ' +
    'elsewhere_txid given_up_at gone_since looked_at named_nonce named_sender opened_at opened_by ' +
    'output refused_since search_ended_at search_until searched_hash searched_height state txid ' +
    'undone_at',
  refund_request: 'INSERT',
  review_decision: 'INSERT',
  review_entry: 'INSERT DELETE | intent_id merchant_id reason transfers',
  saved_view: 'INSERT DELETE | name',
  session: 'INSERT DELETE | last_seen_at merchant_id pending_totp_secret proven_at token_hash',
  settlement: 'INSERT',
  status_edge: '',
  transfer:
    'INSERT | before_issue block_hash block_height block_time conflict_block final handed_on ' +
    'in_place_of missing_since nonce own replaced_by sender spends state superseded',
  transition: 'INSERT',
  unfinished_sign_in: 'INSERT DELETE | since',
  unsettled_money: 'INSERT',
  wallet: 'INSERT | changes destination_id extended_key_id',
  watch_failure: 'INSERT DELETE | halted reason',
  watch_lease: 'INSERT | expires_at holder term',
  webhook_endpoint:
    'INSERT | consecutive_failures deleted_at disabled_at disabled_reason events events_changed_at ' +
    'failures_since given_up_to notice_due previous_secret previous_secret_until secret settling_since url',
};

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

const decided = () => applyAllChanges(service);

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
  await sweepAll(service);
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

const kept = Object.entries(GRANTED).flatMap(([table, may]) => (may.includes('DELETE') ? [] : [table]));

it.each(kept)('deletes no row of %s', async (table) => {
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
  ['api_key', 'hash', `'another'`],
  ['api_key', 'merchant_id', `'mer_another'`],
  ['api_key', 'scopes', `'{write}'`],
  ['collection', 'amount_atoms', '1'],
  ['delivery', 'event_id', `'evt_another'`],
  ['delivery', 'endpoint_id', `'we_another'`],
  ['delivery_attempt', 'http_status', '200'],
  ['event_log_pending', 'event_id', `'evt_another'`],
  ['person', 'email', `'another@shop.example'`],
  ['refund', 'atoms', '1'],
  ['refund', 'address', `'0xanother'`],
  ['webhook_endpoint', 'merchant_id', `'mer_another'`],
] as const;

it.each(FIXED)('never changes %s.%s', async (table, column, value) => {
  await expect(asRole.query(`UPDATE ${table} SET ${column} = ${value}`)).rejects.toMatchObject(REFUSED);
  await expect(owner.query(`UPDATE ${table} SET ${column} = ${value} WHERE false`)).resolves.toBeDefined();
});

/**
 * What a trigger writes of a column that the role may not change, and what moves it: nothing else may come of what the role may change.
 * `transfer.observed_at` goes to an earlier moment with an earlier block's time (ADR 28, ADR 32).
 */
const WRITTEN_BY_TRIGGERS = ['transfer.observed_at'];

it('changes no fixed column by way of a trigger, but for what is said here', async () => {
  const rows = await owner.query<{ column: string }[]>(
    `SELECT DISTINCT c.relname || '.' || a.attname AS "column"
       FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid
            JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
      WHERE c.relnamespace = 'public'::regnamespace AND NOT t.tgisinternal
        AND t.tgtype & 2 = 2 AND t.tgtype & 16 = 16 -- before an update
        AND p.prosrc ~* ('new\\.' || a.attname || '\\s*:=|(;|\\mbegin|\\mthen|\\melse)\\s*new\\.' || a.attname || '\\s*='
                         || '|\\minto\\s+(strict\\s+)?new\\M|\\mnew\\s*:=')
        AND NOT has_column_privilege($1, c.oid, a.attnum, 'UPDATE')`,
    [role],
  );
  expect(rows.map(({ column }) => column)).toEqual(WRITTEN_BY_TRIGGERS);
});

/** What refuses a row that names what is another payment's, or another merchant's, and the attempt. */
const OF_ANOTHER = [
  [
    'intent_shows_its_quote',
    `UPDATE intent i SET quote_id = (SELECT q.id FROM quote q JOIN intent o ON o.id = q.intent_id
                                      WHERE o.merchant_id <> i.merchant_id LIMIT 1)
      WHERE quote_id IS NOT NULL`,
  ],
  [
    'settlement_takes_its_quote',
    `INSERT INTO settlement (intent_id, quote_id, network, asset, received_atoms, excess_atoms, price, rate_sources, fiat_minor,
                             transfers)
     SELECT i.id, q.id, q.network, q.asset, 1, 0, '1', '[]', 1, '[]' FROM intent i JOIN quote q ON q.intent_id <> i.id
      WHERE NOT EXISTS (SELECT FROM settlement s WHERE s.intent_id = i.id) LIMIT 1`,
  ],
  [
    'refund_is_its_decision',
    `INSERT INTO refund (id, intent_id, merchant_id, network, asset, decimals, atoms, amount, address, depth, transfers, actor, note,
                         asked_height, searched_height, state, txid, output, block_height, block_hash, decision_id)
     SELECT 'rf_1', i.id, i.merchant_id, 'ethereum', 'USDC', 6, 1, '1', '0x', '12', '{}', 'ann', 'n', 0, 0, 'final', '0xaa',
            'log:0', 7, '0x7', d.id FROM intent i JOIN review_decision d ON d.intent_id <> i.id LIMIT 1`,
  ],
  [
    'refund_is_of_its_merchant',
    `INSERT INTO refund (id, intent_id, merchant_id, network, asset, decimals, atoms, amount, address, depth, transfers, actor, note,
                         asked_height, searched_height)
     SELECT 'rf_1', i.id, m.id, 'ethereum', 'USDC', 6, 1, '1', '0x', '12', '{}', 'ann', 'n', 0, 0
       FROM intent i JOIN merchant m ON m.id <> i.merchant_id LIMIT 1`,
  ],
  [
    'review_entry_is_of_its_merchant',
    `UPDATE review_entry r SET merchant_id = (SELECT id FROM merchant m WHERE m.id <> r.merchant_id LIMIT 1)`,
  ],
  [
    'unsettled_money_is_of_its_merchant',
    `INSERT INTO unsettled_money (intent_id, transfer_id, merchant_id, reason, network, asset, decimals, amount_atoms, txid, sequence,
                                  event_id, depth)
     SELECT i.id, t.id, m.id, 'late', t.network, t.asset, 6, 1, t.txid, 9, 'evt_1', 'safe'
       FROM transfer t JOIN intent i ON i.id = t.subject JOIN merchant m ON m.id <> i.merchant_id
      WHERE NOT EXISTS (SELECT FROM unsettled_money u WHERE u.transfer_id = t.id) LIMIT 1`,
  ],
  [
    'unsettled_money_is_its_transfer',
    `INSERT INTO unsettled_money (intent_id, transfer_id, merchant_id, reason, network, asset, decimals, amount_atoms, txid, sequence,
                                  event_id, depth)
     SELECT i.id, t.id, i.merchant_id, 'late', t.network, t.asset, 6, 1, t.txid, 9, 'evt_1', 'safe'
       FROM transfer t JOIN intent i ON i.id <> t.subject LIMIT 1`,
  ],
  [
    'wallet_is_of_its_merchant',
    `UPDATE wallet w SET extended_key_id = (SELECT id FROM extended_key k WHERE k.merchant_id <> w.merchant_id LIMIT 1)`,
  ],
  [
    'wallet_is_of_its_merchant',
    `UPDATE wallet w SET extended_key_id = NULL, destination_id = d.id FROM destination d WHERE d.merchant_id <> w.merchant_id`,
  ],
] as const;

describe('beside what is of another', () => {
  beforeAll(async () => {
    const { merchantId: another } = await service.shop();
    await money.picked(another);
    await owner.query(
      `INSERT INTO destination (id, merchant_id, address, factory)
       VALUES ('dst_another', $1, '0x' || repeat('d', 40), '0x' || repeat('f', 40))`,
      [another],
    );
    const paid = await money.picked(merchantId);
    await money.record(paid);
    await decided();
    const waiting = await expired(60);
    const dismissed = await expired(60);
    await service.app
      .get(ReviewsService)
      .dismiss({ whose: ANYBODYS, id: dismissed, by: by('ann') }, { note: 'none of ours' });
    expect(await owner.query('SELECT FROM review_entry WHERE intent_id = $1', [waiting])).toHaveLength(1);
  });

  it.each(OF_ANOTHER)('sets nothing: %s', async (constraint, statement) => {
    await expect(asRole.query(statement)).rejects.toMatchObject({
      driverError: { code: '23503', constraint },
    });
  });
});

/** What refuses to undo what has happened, and the attempt. Each is of a row that there is. */
const UNDOING = [
  [
    'intent_goes_on',
    `UPDATE intent SET status = 'pending', sequence = 2, settled_at = NULL WHERE status = 'settled'`,
  ],
  ['intent_goes_on', `UPDATE intent SET status = 'initiated', sequence = 1 WHERE status = 'expired'`],
  ['intent_goes_on', `UPDATE intent SET sequence = sequence - 1 WHERE status = 'settled'`],
  ['intent_goes_on', `UPDATE intent SET sequence = sequence + 1 WHERE status = 'expired'`],
  ['intent_goes_on', `UPDATE intent SET status = 'cancelled' WHERE status = 'expired'`],
  [
    'intent_goes_on',
    `UPDATE intent SET settled_at = settled_at - interval '1 year' WHERE status = 'settled'`,
  ],
  [
    'intent_goes_on',
    `UPDATE intent SET confirmed_at = confirmed_at - interval '1 day' WHERE status = 'settled'`,
  ],
  ['intent_goes_on', `UPDATE intent SET confirmed_at = created_at WHERE status = 'initiated'`],
  ['intent_goes_on', `UPDATE intent SET quote_id = NULL WHERE status = 'settled'`],
  ['intent_goes_on', `UPDATE intent SET completed_at = created_at WHERE status = 'expired'`],
  [
    'refund_stays_final',
    `UPDATE refund SET state = 'sent', output = NULL, block_height = NULL, block_hash = NULL, decision_id = NULL WHERE id = 'rf_final'`,
  ],
  ['api_key_stays_revoked', 'UPDATE api_key SET revoked_at = NULL WHERE revoked_at IS NOT NULL'],
  [
    'api_key_stays_revoked',
    `UPDATE api_key SET revoked_at = now() + interval '1 day' WHERE revoked_at IS NOT NULL`,
  ],
  [
    'webhook_endpoint_stays_deleted',
    'UPDATE webhook_endpoint SET deleted_at = NULL WHERE deleted_at IS NOT NULL',
  ],
  ['merchant_stays_closed', `UPDATE merchant SET status = 'approved' WHERE status = 'closed'`],
  ['merchant_stays_closed', `UPDATE merchant SET status = 'suspended' WHERE status = 'closed'`],
  ['one_time_link_stays_over', `UPDATE one_time_link SET used_at = NULL WHERE used_at IS NOT NULL`],
  ['one_time_link_stays_over', `UPDATE one_time_link SET spent_at = NULL WHERE spent_at IS NOT NULL`],
  ['one_time_link_stays_over', `UPDATE one_time_link SET ended_as = NULL WHERE ended_as IS NOT NULL`],
  [
    'one_time_link_stays_over',
    `UPDATE one_time_link SET expires_at = now() + interval '1 hour' WHERE ended_as = 'withdrawn'`,
  ],
  ['recovery_code_stays_used', 'UPDATE recovery_code SET used_at = NULL WHERE used_at IS NOT NULL'],
  ['person_stays_known', 'UPDATE person SET registered_at = NULL WHERE registered_at IS NOT NULL'],
  [
    'person_stays_known',
    'UPDATE person SET email_proven_at = NULL, email_proven_by = NULL WHERE email_proven_at IS NOT NULL',
  ],
  [
    'person_stays_known',
    `UPDATE person SET email_proven_by = 'another-way' WHERE email_proven_at IS NOT NULL`,
  ],
  ['refund_stays_withdrawn', `UPDATE refund SET state = 'asked' WHERE state = 'withdrawn'`],
  ['alert_stays_over', 'UPDATE alert SET resolved_at = NULL WHERE resolved_at IS NOT NULL'],
  [
    'transfer_keeps_time_of_block',
    `UPDATE transfer SET block_time = block_time - interval '1 day' WHERE state = 'included'`,
  ],
  ['alert_stays_over', `UPDATE alert SET acknowledged_by = 'another' WHERE acknowledged_at IS NOT NULL`],
] as const;

/** What may come of a row after what stays of it. */
const GOING_ON = [
  [`UPDATE merchant SET name = 'Former', status = 'closed' WHERE status = 'closed'`],
  [`UPDATE one_time_link SET expires_at = clock_timestamp(), ended_as = 'replaced' WHERE id = 'lnk_open'`],
  [`UPDATE one_time_link SET mail_id = 'mail' WHERE ended_as = 'withdrawn'`],
  [`UPDATE person SET password_hash = 'another' WHERE registered_at IS NOT NULL`],
  [`UPDATE refund SET again_txid = '0xbb', again_output = 'log:1' WHERE state = 'withdrawn'`],
  [`UPDATE alert SET mailed_at = now() WHERE resolved_at IS NOT NULL`],
] as const;

describe('of what has happened', () => {
  beforeAll(async () => {
    const paid = await money.picked(merchantId);
    await money.record(paid);
    await money.picked(merchantId);
    await decided();
    expect(await money.status(paid)).toBe('settled');
    const refunded = await expired(60);
    await service.app
      .get(ReviewsService)
      .dismiss(
        { whose: ANYBODYS, id: refunded, by: by('ann') },
        { note: 'sent back', refund: { amount: '1', txid: null } },
      );
    await owner.query(
      `INSERT INTO refund (id, intent_id, merchant_id, network, asset, decimals, atoms, amount, address, depth, transfers, actor, note,
                           asked_height, searched_height, state, txid, output, block_height, block_hash, decision_id)
       SELECT 'rf_final', intent_id, $2, refund_network, refund_asset, 6, refund_atoms, '1', '0x', '12', '{}', 'ann', 'n', 0, 0,
              'final', '0xaa', 'log:0', 7, '0x7', id FROM review_decision WHERE intent_id = $1 AND kind = 'refund'`,
      [refunded, merchantId],
    );
    const { merchantId: former } = await service.shop();
    await owner.query('UPDATE api_key SET revoked_at = now() WHERE merchant_id = $1', [former]);
    await owner.query(
      `INSERT INTO webhook_endpoint (id, merchant_id, url, secret, deleted_at)
       VALUES ('we_gone', $1, 'https://shop.example/hook', 'sealed', now())`,
      [merchantId],
    );
    for (const [sql, values] of over(refunded)) await owner.query(sql, values);
  });

  /** @param intentId of which a refund was withdrawn */
  const over = (intentId: string): (readonly [string, unknown[]])[] => [
    [`INSERT INTO merchant (id, name, status) VALUES ('mer_closed', 'Former', 'closed')`, []],
    [
      `INSERT INTO one_time_link (id, hash, kind, email, created_by, expires_at, used_at, spent_at, ended_as)
       SELECT 'lnk_' || n, sha256(convert_to(n, 'UTF8')), 'reset', 'ann@shop.example', 'cli', ends, used, spent, ended
       FROM (VALUES ('open', now() + interval '1 hour', NULL::timestamptz, NULL::timestamptz, NULL), ('used', now(), now(), NULL, 'accepted'),
                    ('spent', now(), NULL, now(), NULL), ('ended', now(), NULL, NULL, 'withdrawn'))
         AS link (n, ends, used, spent, ended)`,
      [],
    ],
    [
      `INSERT INTO person (id, email, password_hash, registered_at, email_proven_at, email_proven_by)
       VALUES ('per_ann', 'ann@shop.example', 'hash', now(), now(), 'mailbox')`,
      [],
    ],
    [`INSERT INTO recovery_code (person_id, hash, used_at) VALUES ('per_ann', sha256('a code'), now())`, []],
    [
      `INSERT INTO refund (id, intent_id, merchant_id, network, asset, decimals, atoms, amount, address, depth, transfers, actor, note,
                           asked_height, searched_height, state)
       VALUES ('rf_withdrawn', $1, $2, 'ethereum', 'USDC', 6, 1, '1', '0x', '12', '{}', 'ann', 'n', 0, 0, 'withdrawn')`,
      [intentId, merchantId],
    ],
    [
      `INSERT INTO alert (id, kind, subject, summary, detail, data, resolved_at, acknowledged_at, acknowledged_by, acknowledged_note)
       VALUES ('al_over', 'network-unavailable', 'bitcoin', 's', 'd', '{}', now(), now(), 'ann', 'seen')`,
      [],
    ],
  ];

  it.each(UNDOING)('undoes nothing: %s: %s', async (constraint, statement) => {
    await expect(asRole.query(statement)).rejects.toMatchObject({
      driverError: { code: '23514', constraint },
    });
  });

  it.each([
    ['an earlier', '-', -3_600],
    ['a later', '+', 0],
  ])(
    'leaves it to who may write a reorganisation to invent one: by %s block',
    async (_which, sign, movedS) => {
      const runner = asRole.createQueryRunner();
      await runner.startTransaction();
      try {
        const [row] = (await runner.query(
          `WITH before AS MATERIALIZED (SELECT id, observed_at FROM transfer WHERE state = 'included' LIMIT 1), moved AS (
           UPDATE transfer t SET block_hash = '0xother', block_time = block_time ${sign} interval '1 hour'
             FROM before b WHERE t.id = b.id RETURNING t.observed_at)
         SELECT extract(epoch FROM m.observed_at - b.observed_at)::int AS "movedS" FROM moved m, before b`,
        )) as [{ movedS: number }];
        expect(row.movedS).toBe(movedS);
      } finally {
        await runner.rollbackTransaction();
        await runner.release();
      }
    },
  );

  it.each(GOING_ON)('lets go on what is not undone: %s', async (statement) => {
    const [, rows] = await asRole.query<[unknown, number]>(statement);
    expect(rows).toBeGreaterThan(0);
  });
});

it('may do this with each table of the schema, and nothing else', async () => {
  const rows = await asRole.query<{ table: string; may: string }[]>(
    `SELECT c.relname AS "table", concat_ws(' | ',
            array_to_string(ARRAY(SELECT p FROM unnest('{INSERT,UPDATE,DELETE,TRUNCATE,REFERENCES,TRIGGER}'::text[]) p
                                  WHERE has_table_privilege(c.oid, p)), ' '),
            (SELECT string_agg(a.attname, ' ' ORDER BY a.attname COLLATE "C") FROM pg_attribute a
              WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
                AND has_column_privilege(c.oid, a.attnum, 'UPDATE'))) AS may
       FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f')`,
  );
  expect(Object.fromEntries(rows.map(({ table, may }) => [table, may]))).toEqual(GRANTED);
  expect(Object.keys(RIGHTS).sort()).toEqual(Object.keys(GRANTED).sort());
});

// The installed PostgreSQL of somebody may be one that plans nothing without values.
const planning = {
  isFound: process.env.TEST_DATABASE_URL === undefined,
  missing: 'The tests run on a server of somebody else: the right to each statement is NOT tested.',
  mayLackInCi: true,
};

itWith(planning)('may execute every named statement', async () => {
  const pool = new Pool({ connectionString: service.config.databaseUrl, max: 1 });
  const statements = await namedStatements();
  expect((await plansOn(pool, statements)).size).toBe(statements.length);
  await pool.end();
});

it('does not date an entry of the audit log, nor number it', async () => {
  const entry = (column: string, value: string) =>
    asRole.query(
      `INSERT INTO audit_entry (actor, action, subject, ${column}) OVERRIDING SYSTEM VALUE
       VALUES ('cli', 'key.revoked', 'key_1', ${value})`,
    );
  await expect(entry('at', `'2020-01-01'`)).rejects.toMatchObject(REFUSED);
  await expect(entry('id', '1000000')).rejects.toMatchObject(REFUSED);
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

/** As a dump that was made without privileges leaves them. */
const byEverybody = () => owner.query('GRANT EXECUTE ON FUNCTION count_on_days() TO PUBLIC');

/** How many payments the figures of days gain by a row in a table of one's own, on which the trigger's function is put. */
async function countedByHand(): Promise<number> {
  const runner = asRole.createQueryRunner();
  const counted = async () => {
    const [{ created }] = (await runner.query(
      'SELECT sum(created)::int AS created FROM public.intent_day',
    )) as [{ created: number }];
    return created;
  };
  await runner.startTransaction();
  try {
    const before = await counted();
    await runner.query('CREATE TEMP TABLE forged (LIKE public.intent) ON COMMIT DROP');
    await runner.query(
      'CREATE TRIGGER counts AFTER INSERT ON pg_temp.forged FOR EACH ROW EXECUTE FUNCTION public.count_on_days()',
    );
    await runner.query(
      'INSERT INTO pg_temp.forged SELECT * FROM public.intent WHERE settled_at IS NULL LIMIT 1',
    );
    return (await counted()) - before;
  } finally {
    await runner.rollbackTransaction();
    await runner.release();
  }
}

it('never has the figures of days written by a trigger on a table of its own', async () => {
  await expect(countedByHand()).rejects.toMatchObject(REFUSED);
  await byEverybody();
  expect(await countedByHand()).toBe(1);
  await migrate(database.url);
  await expect(countedByHand()).rejects.toMatchObject(REFUSED);
});

/** By name: why the service, or anybody, may call what runs as the tables' owner. */
const CALLED_AS_OWNER: Readonly<Record<string, string>> = {};

it('may execute nothing that runs as the tables’ owner, and neither may others', async () => {
  const rows = await owner.query<{ name: string; may: boolean }[]>(
    `SELECT p.oid::regprocedure::text AS name, has_function_privilege($1, p.oid, 'EXECUTE')
            OR has_function_privilege('public', p.oid, 'EXECUTE') AS may
       FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace AND p.prosecdef`,
    [role],
  );
  expect(rows.map(({ name }) => name)).toContain('count_on_days()');
  expect(rows.filter(({ may }) => may).map(({ name }) => name)).toEqual(Object.keys(CALLED_AS_OWNER));
});

/** Does something on a connection on which somebody has made a temporary table of this name, and takes it back. */
async function beside<T>(table: string, work: (runner: QueryRunner) => Promise<T>): Promise<T> {
  const runner = asRole.createQueryRunner();
  await runner.startTransaction();
  try {
    await runner.query(`CREATE TEMP TABLE ${table} (LIKE public.${table} INCLUDING ALL) ON COMMIT DROP`);
    return await work(runner);
  } finally {
    await runner.rollbackTransaction();
    await runner.release();
  }
}

it('counts a payment in the figures of days, whatever temporary table has their name', async () => {
  const created = await beside('intent_day', async (runner) => {
    const inTables = async () =>
      (await runner.query(
        `SELECT (SELECT coalesce(sum(created), 0)::int FROM public.intent_day) AS kept,
                (SELECT count(*)::int FROM pg_temp.intent_day) AS hidden`,
      )) as [{ kept: number; hidden: number }];
    const [before] = await inTables();
    await runner.query(
      `INSERT INTO intent (id, merchant_id, status, amount_minor, currency, sequence, created_at, expires_at)
       SELECT 'pi_shadow', $1, 'initiated', 100, 'CHF', 1, at, at + interval '15 minutes' FROM (SELECT now() AS at) AS t`,
      [merchantId],
    );
    const [after] = await inTables();
    return { kept: after.kept - before.kept, hidden: after.hidden };
  });
  expect(created).toEqual({ kept: 1, hidden: 0 });
});

it('queues an event for the log, whatever temporary table has the queue’s name', async () => {
  const found = await beside('event_log_pending', async (runner) => {
    await runner.query(
      `INSERT INTO event (id, merchant_id, type, subject, sequence, body)
       VALUES ('evt_shadow', $1, 'payment.status', 'pi_shadow', 1, '{}')`,
      [merchantId],
    );
    return runner.query(`SELECT FROM public.event_log_pending WHERE event_id = 'evt_shadow'`) as Promise<
      unknown[]
    >;
  });
  expect(found).toHaveLength(1);
});

it('issues no address that was named, whatever temporary table names none', async () => {
  const address = `0x${'5a'.repeat(20)}`;
  await owner.query(`INSERT INTO named_address (family, address) VALUES ('evm', $1)`, [address]);
  const issued = beside('named_address', (runner) =>
    runner.query(
      `INSERT INTO address (family, address, extended_key_id, derivation_index, subject)
       SELECT 'evm', $1, id, 999, 'pi_shadow' FROM extended_key WHERE merchant_id = $2 LIMIT 1`,
      [address, merchantId],
    ),
  );
  await expect(issued).rejects.toMatchObject({ constraint: 'address_is_not_named' });
});

it('has no function that looks at temporary tables before the others', async () => {
  const rows = await owner.query<{ name: string; looks: boolean }[]>(
    `SELECT p.proname AS name, p.prosqlbody IS NULL AND p.proconfig @> '{"search_path=public, pg_temp"}' IS NOT TRUE AS looks
       FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace
        AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')`,
  );
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.filter(({ looks }) => looks)).toEqual([]);
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

it('makes nothing in the schema once a migration has looked, also where everybody may: before PostgreSQL 15 that was so', async () => {
  const make = () => asRole.query(`CREATE FUNCTION made() RETURNS integer LANGUAGE sql AS 'SELECT 1'`);
  for (const grantee of ['PUBLIC', role]) {
    await owner.query(`GRANT CREATE ON SCHEMA public TO ${grantee}`);
    await make();
    await owner.query('DROP FUNCTION made()');
    await migrate(database.url);
    await expect(make()).rejects.toMatchObject(REFUSED);
  }
});

/** Of the role: what gives it power that migrating does not take, how that is taken, and how it is said. */
const POWERS = [
  [
    'GRANT pg_write_all_data TO role',
    'REVOKE pg_write_all_data FROM role',
    /rewrite address .*event .*transition /,
  ],
  ['GRANT TRUNCATE ON event TO PUBLIC', 'REVOKE TRUNCATE ON event FROM PUBLIC', /: rewrite event:/],
  [
    'GRANT INSERT ON status_edge TO PUBLIC',
    'REVOKE INSERT ON status_edge FROM PUBLIC',
    /: rewrite status_edge:/,
  ],
  [
    'GRANT UPDATE (amount_minor) ON intent TO PUBLIC',
    'REVOKE UPDATE (amount_minor) ON intent FROM PUBLIC',
    /: rewrite intent:/,
  ],
  [
    'CREATE ROLE group; GRANT UPDATE (price) ON quote TO group; GRANT group TO role',
    'DROP OWNED BY group; DROP ROLE group',
    /: rewrite quote:/,
  ],
  [
    'GRANT INSERT (at) ON audit_entry TO PUBLIC',
    'REVOKE INSERT (at) ON audit_entry FROM PUBLIC',
    /: rewrite audit_entry:/,
  ],
  [
    'GRANT INSERT (created) ON intent_day TO PUBLIC',
    'REVOKE INSERT (created) ON intent_day FROM PUBLIC',
    /: rewrite intent_day:/,
  ],
  [
    'GRANT REFERENCES (id) ON intent TO PUBLIC',
    'REVOKE REFERENCES (id) ON intent FROM PUBLIC',
    /: rewrite intent:/,
  ],
  ['GRANT TRIGGER ON refund TO PUBLIC', 'REVOKE TRIGGER ON refund FROM PUBLIC', /: rewrite refund:/],
  ['GRANT DELETE ON quote TO PUBLIC', 'REVOKE DELETE ON quote FROM PUBLIC', /: rewrite quote:/],
  [
    'CREATE VIEW amounts AS SELECT * FROM intent; GRANT UPDATE ON amounts TO PUBLIC',
    'DROP VIEW amounts',
    /: rewrite amounts:/,
  ],
  [
    'GRANT UPDATE ON SEQUENCE audit_entry_id_seq TO PUBLIC',
    'REVOKE UPDATE ON SEQUENCE audit_entry_id_seq FROM PUBLIC',
    /: rewrite audit_entry_id_seq:/,
  ],
  [
    'GRANT EXECUTE ON FUNCTION count_on_days() TO PUBLIC',
    'REVOKE EXECUTE ON FUNCTION count_on_days() FROM PUBLIC',
    /: execute count_on_days:/,
  ],
  [
    'GRANT SET ON PARAMETER session_replication_role TO role',
    'REVOKE SET ON PARAMETER session_replication_role FROM role',
    /: set session_replication_role:/,
  ],
  [
    'GRANT CREATE ON SCHEMA public TO role',
    'REVOKE CREATE ON SCHEMA public FROM role',
    /create objects in the schema/,
  ],
  ['GRANT CREATE ON DATABASE this TO role', 'REVOKE CREATE ON DATABASE this FROM role', /create schemas/],
  [
    'GRANT TEMPORARY ON DATABASE this TO PUBLIC',
    'REVOKE TEMPORARY ON DATABASE this FROM PUBLIC',
    /temporary tables/,
  ],
  ['ALTER ROLE role CREATEROLE', 'ALTER ROLE role NOCREATEROLE', /create roles/],
  ['GRANT pg_execute_server_program TO role', 'REVOKE pg_execute_server_program FROM role', /run programs/],
  [
    'ALTER FUNCTION refuse_change() OWNER TO role',
    'ALTER FUNCTION refuse_change() OWNER TO me',
    /alter what it owns/,
  ],
] as const;

describe('at the start', () => {
  let warn: jest.SpyInstance;
  const as = async (statement: string) => {
    const [{ me }] = await owner.query<[{ me: string }]>('SELECT current_user AS me');
    const names: Readonly<Record<string, string>> = {
      role,
      group: `${role}_group`,
      me,
      this: `"${new URL(database.url).pathname.slice(1)}"`,
    };
    return owner.query(statement.replaceAll(/\b(?:role|group|me|this)\b/g, (name) => names[name]!));
  };
  const TEMPORARY = 'TEMPORARY ON DATABASE this';

  beforeAll(() => as(`REVOKE ${TEMPORARY} FROM PUBLIC`));
  afterAll(() => as(`GRANT ${TEMPORARY} TO PUBLIC`));
  beforeEach(() => (warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined)));
  afterEach(() => warn.mockRestore());

  it('says nothing of the role as a migration left it', async () => {
    await warnOfPower(asRole);
    expect(warn).not.toHaveBeenCalled();
  });

  it.each(POWERS)('says what it may do besides: %s', async (give, take, said) => {
    await as(give);
    try {
      await warnOfPower(asRole);
      expect(warn).toHaveBeenCalledWith(expect.stringMatching(said));
    } finally {
      await as(take);
    }
  });

  it('says what a migration could not take, because the schema is another owner’s', async () => {
    const [name, tablesOwner] = [`${role}_old`, `${role}_owner`];
    const admin = process.env['RAPPEN_TEST_ADMIN_URL']!;
    const url = (user: string) =>
      Object.assign(new URL(urlOf(admin, name)), { username: user, password: 'of-a-test' }).href;
    await administer(admin, [
      `CREATE ROLE ${tablesOwner} LOGIN PASSWORD 'of-a-test'`,
      `CREATE DATABASE ${name} TEMPLATE template0`,
      `GRANT CREATE ON DATABASE ${name} TO ${tablesOwner}`,
    ]);
    try {
      await administer(urlOf(admin, name), ['GRANT CREATE ON SCHEMA public TO PUBLIC']);
      await migrate(url(tablesOwner), role);
      const old = await new DataSource({ type: 'postgres', url: url(role) }).initialize();
      await warnOfPower(old).finally(() => old.destroy());
      expect(warn).toHaveBeenCalledWith(
        expect.stringContaining('needs: create objects in the schema, make temporary tables:'),
      );
    } finally {
      await administer(admin, [`DROP DATABASE ${name} WITH (FORCE)`, `DROP ROLE ${tablesOwner}`]);
    }
  });

  it('says that it owns the tables', async () => {
    await warnOfPower(owner);
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('owns its tables'));
  });
});

it('reads new tables once a migration has made them, without being named again, and no more', async () => {
  await owner.query('CREATE TABLE made_later (id integer)');
  await expect(asRole.query('SELECT FROM made_later')).rejects.toMatchObject(REFUSED);
  await migrate(database.url);
  expect(await asRole.query('SELECT FROM made_later')).toEqual([]);
  for (const change of [
    'INSERT INTO made_later VALUES (1)',
    'UPDATE made_later SET id = 1',
    'DELETE FROM made_later',
  ])
    await expect(asRole.query(change)).rejects.toMatchObject(REFUSED);
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
