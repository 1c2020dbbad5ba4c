import { Logger } from '@nestjs/common';
import type { DataSource, EntityManager } from 'typeorm';

/** What the service may do with the rows of a table beside reading them. */
interface Rights {
  /** Whether it adds rows. */
  readonly adds: boolean;
  /** Columns that it may not fill when it adds one. */
  readonly given?: readonly string[];
  /** Columns that it may change; all others stay what they were when the row was made. */
  readonly changes: readonly string[];
  /** Why rows may go; without it none ever does. */
  readonly removes?: string;
}

/** Written by migrations, or by a trigger that runs as their owner. */
const READ_ONLY: Rights = { adds: false, changes: [] };
/** What happened, or was fixed for good. */
const ADDED_ONLY: Rights = { adds: true, changes: [] };
const kept = (...changes: readonly string[]): Rights => ({ adds: true, changes });
const removed = (removes: string, ...changes: readonly string[]): Rights => ({
  adds: true,
  changes,
  removes,
});

/**
 * Every table of the schema, with what the service does there and no more, so that whatever else was written stays: an
 * intent's merchant, amount, currency and window, a quote's rate, amount and address, whose an API key is and what it may
 * do. A table that is not named here is only read, and a column that is not named is fixed. To lock a row takes the right to
 * change one column of it; four tables name one for that which no statement changes.
 */
export const RIGHTS: Readonly<Record<string, Rights>> = {
  // A reorganisation gives up blocks that the watcher had passed; the watcher leaves balances to the comparison.
  address: kept('passed', 'coin_left'),
  alert: removed(
    'retention',
    'summary',
    'detail',
    'data',
    'last_raised_at',
    'resolved_at',
    'acknowledged_at',
    'acknowledged_by',
    'acknowledged_note',
    'mailed_at',
    'posted_at',
  ),
  alert_mail: removed(
    'retention, and whoever is set for alerts no more',
    'stands_for',
    'counted_at',
    'attempts',
    'next_attempt_at',
    'lease_token',
  ),
  alert_notice: removed('a queue', 'attempts', 'next_attempt_at', 'lease_token', 'collected'),
  api_key: kept('last_used_at', 'revoked_at'),
  api_request: removed('retention'),
  // Dated by the database alone, so that no entry is older or newer than it is. From where something was done is forgotten
  // after a while; the trigger allows no other change.
  audit_entry: { adds: true, given: ['id', 'at'], changes: ['address'] },
  chain_block: removed('reorganisations, and all but the newest', 'hash', 'recorded_at', 'spenders'),
  chain_cursor: kept(
    'height',
    'hash',
    'block_time',
    'safe_height',
    'finalized_height',
    'node_height',
    'synced_at',
    'cross_check',
    'chain_id',
    'genesis_hash',
    'coin_unwatched',
    'known_tags',
    'coin_blind_from',
    'given_up_at',
    'given_up_height',
  ),
  chain_difference: removed(
    'what is no difference any more',
    'chain_atoms',
    'recorded_atoms',
    'txids',
    'seen_at',
  ),
  coin_baseline: removed('reorganisations', 'hash', 'unexplained_atoms'),
  // Another block holds another movement, which is another row.
  collection: removed('reorganisations'),
  cursor_asset: kept('from_height', 'covered_height'),
  delivery: removed(
    'retention',
    'state',
    'delayed',
    'attempts',
    'next_attempt_at',
    'lease_until',
    'lease_token',
    'delivered_at',
  ),
  delivery_attempt: removed('retention'),
  destination: ADDED_ONLY,
  event: ADDED_ONLY,
  event_log: ADDED_ONLY,
  event_log_pending: removed('a queue'),
  extended_key: kept('next_index', 'first_index', 'unsearched'),
  fact_change: removed('a queue', 'version', 'changed_at'),
  // Named to be locked, as in three more tables below.
  fact_rest: removed('retention, and whatever is decided anew', 'transfer_id'),
  guess_delay: removed('retention', 'counted_from', 'failures', 'next_at'),
  intent: kept('status', 'sequence', 'quote_id', 'completed_at', 'confirmed_at', 'settled_at'),
  intent_count: kept('intents'),
  intent_day: READ_ONLY,
  job_run: kept('started_at'),
  // What is recorded names assets by their symbols.
  known_asset: ADDED_ONLY,
  known_device: removed('retention, and whoever is thrown out', 'last_seen_at', 'awaits_second_step'),
  membership: removed('whoever leaves', 'role'),
  merchant: kept(
    'name',
    'status',
    'support_contact',
    'color',
    'logo',
    'tolerance_bps',
    'tolerance_chosen',
    'spread_bps',
    'accept_seen_late',
    'accept_short_bps',
    'accept_short_minor',
    'accept_late_minutes',
    'accept_late_move_bps',
    'alert_emails',
    'network_terms',
  ),
  merchant_logo: removed('whoever takes it away', 'hash', 'png'),
  migrations: READ_ONLY,
  // What somebody knows once is known for ever.
  named_address: ADDED_ONLY,
  one_time_link: removed('retention', 'expires_at', 'used_at', 'spent_at', 'ended_as', 'mail_id'),
  outgoing_mail: removed(
    'retention',
    'subject',
    'sealed_text',
    'language',
    'stands_for',
    'attempts',
    'next_attempt_at',
    'lease_token',
    'sent_at',
  ),
  // Named to be locked, as in two more tables below.
  own_address: removed('whoever takes it back', 'created_at'),
  passkey: removed('whoever takes it away', 'counter', 'last_used_at'),
  passkey_challenge: removed('answered, or too old', 'expires_at'),
  password_request: removed('a queue', 'asked_at'),
  person: kept(
    'password_hash',
    'is_operator',
    'totp_secret',
    'totp_enabled_at',
    'totp_last_step',
    'registered_at',
    'email_proven_at',
    'email_proven_by',
    'last_merchant_id',
    'factor_declined_at',
    'language',
  ),
  quote: ADDED_ONLY,
  rate_window: removed('past minutes', 'hits'),
  reconciliation: kept(
    'term',
    'leased_until',
    'position',
    'round_started_at',
    'compared',
    'incomparable',
    'requests',
    'finished_at',
    'last_duration_s',
    'last_compared',
    'last_incomparable',
    'recent_at',
    'compared_height',
    'whole_at',
    'comparing_height',
  ),
  recovery_code: removed('new ones, or no second factor', 'used_at'),
  // Who gets how much of what back, and who decided it, stays. A reorganisation gives up the block at which it was asked.
  refund: kept(
    'asked_height',
    'state',
    'txid',
    'output',
    'block_height',
    'block_hash',
    'decision_id',
    'changed_at',
    'searched_height',
    'searched_hash',
    'looked_at',
    'named_sender',
    'named_nonce',
    'opened_by',
    'opened_at',
    'search_until',
    'search_ended_at',
    'refused_since',
    'gone_since',
    'undone_at',
    'given_up_at',
    'elsewhere_txid',
    'again_txid',
    'again_output',
  ),
  refund_request: ADDED_ONLY,
  review_decision: ADDED_ONLY,
  // The queue's state: decisions about it are kept apart. TypeORM's upsert assigns the key too.
  review_entry: removed('a queue', 'intent_id', 'merchant_id', 'reason', 'transfers'),
  saved_view: removed('whoever takes it away', 'name'),
  session: removed(
    'signed out, and retention',
    'token_hash',
    'merchant_id',
    'pending_totp_secret',
    'last_seen_at',
    'proven_at',
  ),
  settlement: ADDED_ONLY,
  status_edge: READ_ONLY,
  // What it says, and when it was first seen, stays: another movement in the same place is another row.
  transfer: kept(
    'own',
    'before_issue',
    'state',
    'block_height',
    'block_hash',
    'block_time',
    'sender',
    'nonce',
    'spends',
    'conflict_block',
    'final',
    'missing_since',
    'handed_on',
    'in_place_of',
    'replaced_by',
    'superseded',
  ),
  transition: ADDED_ONLY,
  unfinished_sign_in: removed('a queue', 'since'),
  unsettled_money: ADDED_ONLY,
  wallet: kept('extended_key_id', 'destination_id', 'changes'),
  watch_failure: removed('works again', 'reason', 'halted'),
  watch_lease: kept('holder', 'term', 'expires_at'),
  webhook_endpoint: kept(
    'url',
    'secret',
    'previous_secret',
    'previous_secret_until',
    'disabled_at',
    'disabled_reason',
    'failures_since',
    'consecutive_failures',
    'deleted_at',
    'notice_due',
    'events',
    'events_changed_at',
    'settling_since',
    'given_up_to',
  ),
};

interface Table {
  readonly name: string;
  readonly columns: readonly string[];
}

const TABLES = `
  SELECT c.relname AS name,
         ARRAY(SELECT attname::text FROM pg_attribute
               WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped ORDER BY attnum) AS columns
  FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')`;

/** What runs as its owner. A trigger fires it for whoever may write the table; nobody needs to execute it. */
const DEFINERS = `
  SELECT p.oid::regprocedure::text AS name FROM pg_proc p
  WHERE p.pronamespace = current_schema()::regnamespace AND p.prosecdef AND pg_has_role(p.proowner, 'MEMBER')`;

/** Whoever may do as the owner does can give itself back whatever was withheld. */
const IS_BOUND = `
  SELECT NOT r.rolsuper AND NOT pg_has_role(r.oid, c.relowner, 'MEMBER') AS bound,
         pg_has_role(c.relowner, 'MEMBER') AS "isOurs"
  FROM pg_roles r, pg_class c WHERE r.rolname = $1 AND c.oid = 'intent'::regclass`;

/**
 * What a role may do that the service never does: by what it is or may become, and by what everybody may. $2 is `RIGHTS`: a grant of
 * columns is no right to their table, so each column is asked for. `pg_parameter_acl` holds the parameters that were granted to
 * somebody; one of them turns triggers off.
 */
const POWERS = `
  SELECT DISTINCT may FROM pg_roles r JOIN pg_roles g ON pg_has_role(r.oid, g.oid, 'MEMBER'), current_schema() AS s (schema),
  LATERAL (
    SELECT 'create objects in the schema' WHERE has_schema_privilege(g.oid, schema, 'CREATE')
    UNION ALL SELECT 'create schemas' WHERE has_database_privilege(g.oid, current_database(), 'CREATE')
    UNION ALL SELECT 'make temporary tables' WHERE has_database_privilege(g.oid, current_database(), 'TEMPORARY')
    UNION ALL SELECT 'create roles' WHERE g.rolcreaterole
    UNION ALL SELECT 'write files and run programs on the server'
     WHERE g.rolname IN ('pg_write_server_files', 'pg_execute_server_program')
    UNION ALL SELECT 'set ' || string_agg(parname, ' ' ORDER BY parname) FROM pg_parameter_acl
     WHERE has_parameter_privilege(g.oid, parname, 'SET, ALTER SYSTEM') HAVING count(*) > 0
    UNION ALL SELECT 'alter what it owns'
     WHERE EXISTS (SELECT FROM pg_database WHERE datname = current_database() AND datdba = g.oid)
        OR EXISTS (SELECT FROM pg_namespace WHERE nspname = schema AND nspowner = g.oid)
        OR EXISTS (SELECT FROM pg_class WHERE relnamespace = schema::regnamespace AND relowner = g.oid)
        OR EXISTS (SELECT FROM pg_proc WHERE pronamespace = schema::regnamespace AND proowner = g.oid)
    UNION ALL SELECT 'execute ' || string_agg(proname::text, ' ' ORDER BY proname) FROM pg_proc p
     WHERE pronamespace = schema::regnamespace AND prosecdef AND has_function_privilege(g.oid, p.oid, 'EXECUTE')
    HAVING count(*) > 0
    UNION ALL SELECT 'rewrite ' || string_agg(relname::text, ' ' ORDER BY relname)
     FROM pg_class c, coalesce($2::jsonb -> relname, '{"adds": false, "changes": []}') AS rights
     WHERE relnamespace = schema::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
       AND (has_table_privilege(g.oid, c.oid, 'TRUNCATE, TRIGGER')
            OR has_any_column_privilege(g.oid, c.oid, 'REFERENCES')
            OR has_table_privilege(g.oid, c.oid, 'DELETE') AND NOT rights ? 'removes'
            OR EXISTS (
              SELECT FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped
                 AND (has_column_privilege(g.oid, c.oid, attnum, 'UPDATE') AND NOT rights -> 'changes' ? attname
                      OR has_column_privilege(g.oid, c.oid, attnum, 'INSERT')
                     AND (rights -> 'adds' = 'false' OR coalesce(rights -> 'given' ? attname, false)))))
    HAVING count(*) > 0
  ) AS power (may) WHERE r.rolname = $1 ORDER BY may`;

const GRANTED_BEFORE = `
  SELECT DISTINCT r.rolname AS role
  FROM pg_class c, aclexplode(c.relacl) a JOIN pg_roles r ON r.oid = a.grantee
  WHERE c.oid = 'intent'::regclass AND a.privilege_type = 'INSERT' AND a.grantee <> c.relowner
    AND pg_has_role(c.relowner, 'MEMBER')`;

/**
 * Gives a role what the service needs (`RIGHTS`) and takes from it everything else that is the owner's to take. As the owner of the
 * tables, after every migration. What the role may by other ways the service says when it starts (`warnOfPower`).
 * @param role an existing one that can neither act as their owner nor as a superuser
 * @throws Error for any other
 */
export async function grantToApplication(tx: EntityManager, role: string): Promise<void> {
  const [found] = await tx.query<{ bound: boolean; isOurs: boolean }[]>(IS_BOUND, [role]);
  if (!found) throw new Error(`there is no role ${role}: CREATE ROLE it first`);
  // PostgreSQL itself would only warn, and grant nothing.
  if (!found.isOurs) throw new Error('only the owner of the tables can grant them: migrate as that role');
  if (!found.bound) {
    throw new Error(`the role ${role} is a superuser or the tables' owner: nothing can be withheld from it`);
  }
  const { schema, database } = await placeOf(tx);
  const name = quoted(role);
  // Everybody's in a database from before PostgreSQL 15.
  await tx.query(`REVOKE CREATE ON SCHEMA ${schema} FROM PUBLIC, ${name}`);
  await tx.query(`REVOKE CREATE, TEMPORARY ON DATABASE ${database} FROM ${name}`);
  await tx.query(`GRANT USAGE ON SCHEMA ${schema} TO ${name}`);
  await tx.query(`REVOKE ALL ON ALL TABLES IN SCHEMA ${schema} FROM ${name}`);
  for (const table of await tx.query<Table[]>(TABLES)) {
    await tx.query(`GRANT ${privileges(table).join(', ')} ON ${quoted(table.name)} TO ${name}`);
  }
  // Everybody's as soon as they are made, or restored from a dump without privileges.
  for (const definer of await tx.query<{ name: string }[]>(DEFINERS)) {
    await tx.query(`REVOKE EXECUTE ON ROUTINE ${definer.name} FROM PUBLIC, ${name}`);
  }
}

/** New tables are for the roles that had the old ones. */
export async function grantAgain(tx: EntityManager): Promise<void> {
  for (const { role } of await tx.query<{ role: string }[]>(GRANTED_BEFORE))
    await grantToApplication(tx, role);
}

/** Says so when the service could rewrite its own history, or do what it never does. It works all the same. */
export async function warnOfPower(dataSource: DataSource): Promise<void> {
  const [{ role }] = await dataSource.query<[{ role: string }]>('SELECT current_user AS role');
  const power = await powerOf(dataSource, role);
  if (power === null) return;
  new Logger('ApplicationRole').warn(
    `the database role of this service ${power}: see "The database role" in docs/operations.md`,
  );
}

async function powerOf(dataSource: DataSource, role: string): Promise<string | null> {
  const [found] = await dataSource.query<{ bound: boolean }[]>(IS_BOUND, [role]);
  if (!found?.bound) return 'owns its tables, so that it could change its own history';
  const rows = await dataSource.query<{ may: string }[]>(POWERS, [role, RIGHTS]);
  return rows.length === 0 ? null : `may do what it never needs: ${rows.map(({ may }) => may).join(', ')}`;
}

function privileges({ name, columns }: Table): string[] {
  const { adds, given = [], changes, removes } = RIGHTS[name] ?? READ_ONLY;
  const added = columns.filter((column) => !given.includes(column));
  // Of the whole table where it can be: by that `grantAgain` knows the role.
  const insert = given.length === 0 ? ['INSERT'] : onlyOn(added, 'INSERT');
  return [
    'SELECT',
    ...(adds ? insert : []),
    ...onlyOn(changes, 'UPDATE'),
    ...(removes === undefined ? [] : ['DELETE']),
  ];
}

function onlyOn(columns: readonly string[], privilege: string): string[] {
  return columns.length === 0 ? [] : [`${privilege} (${columns.map(quoted).join(', ')})`];
}

async function placeOf(tx: EntityManager): Promise<{ schema: string; database: string }> {
  const [{ schema, database }] = await tx.query<[{ schema: string; database: string }]>(
    'SELECT current_schema() AS schema, current_database() AS database',
  );
  return { schema: quoted(schema), database: quoted(database) };
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
