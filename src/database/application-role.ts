import { Logger } from '@nestjs/common';
import type { DataSource, EntityManager } from 'typeorm';

/** By migrations, or by a trigger that runs as their owner. */
const NOT_WRITTEN_BY_SERVICE = ['intent_day', 'migrations', 'status_edge'];
/** Money rests on these: their rows change as the world does, and none ever goes. */
const NEVER_DELETED = [
  'address',
  'destination',
  'extended_key',
  'intent',
  'known_asset',
  'named_address',
  'quote',
  'refund',
  'transfer',
];
/**
 * Of these tables only the columns that are named here may be changed, so that what was fixed when a row was made stays:
 * an intent's merchant, amount, currency and window, a quote's rate, amount and address, an extended key, a destination. A new column
 * is fixed until it is named.
 */
const CHANGEABLE: Readonly<Record<string, readonly string[]>> = {
  // A reorganisation gives up blocks that the watcher had passed; the watcher leaves balances to the comparison.
  address: ['passed', 'coin_left'],
  // From where something was done is forgotten after a while; the trigger allows no other change.
  audit_entry: ['address'],
  destination: [],
  extended_key: ['next_index', 'first_index', 'unsearched'],
  intent: ['status', 'sequence', 'quote_id', 'completed_at', 'confirmed_at', 'settled_at'],
  // What is recorded names assets by their symbols.
  known_asset: [],
  // What somebody knows once is known for ever.
  named_address: [],
  quote: [],
  // Who gets how much of what back, and who decided it, stays. A reorganisation gives up the block at which it was asked.
  refund: [
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
  ],
  // What it says, and when it was first seen, stays: another movement in the same place is another row.
  transfer: [
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
  ],
};
/** Written by the database alone, so that no entry is older or newer than it is. */
const GIVEN: Readonly<Record<string, readonly string[]>> = { audit_entry: ['id', 'at'] };

interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  /** By trigger. Without the privilege it takes more than to disable that. */
  readonly appendOnly: boolean;
}

const TABLES = `
  SELECT c.relname AS name,
         ARRAY(SELECT attname::text FROM pg_attribute
               WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped ORDER BY attnum) AS columns,
         EXISTS (SELECT FROM pg_trigger t
                 WHERE t.tgrelid = c.oid AND t.tgname = c.relname || '_is_append_only') AS "appendOnly"
  FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')`;

/** Whoever may do as the owner does can give itself back whatever was withheld. */
const IS_BOUND = `
  SELECT NOT r.rolsuper AND NOT pg_has_role(r.oid, c.relowner, 'MEMBER') AS bound,
         pg_has_role(c.relowner, 'MEMBER') AS "isOurs"
  FROM pg_roles r, pg_class c WHERE r.rolname = $1 AND c.oid = 'intent'::regclass`;

const GRANTED_BEFORE = `
  SELECT DISTINCT r.rolname AS role
  FROM pg_class c, aclexplode(c.relacl) a JOIN pg_roles r ON r.oid = a.grantee
  WHERE c.oid = 'intent'::regclass AND a.privilege_type = 'INSERT' AND a.grantee <> c.relowner
    AND pg_has_role(c.relowner, 'MEMBER')`;

/**
 * Gives a role what the service needs and takes from it everything else: no update and no delete of what is
 * append-only or was fixed when it was made, no delete of money, no truncation, no change of any table. As the owner of the tables, after every
 * migration.
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
  const [name, schema] = [quoted(role), await schemaOf(tx)];
  await tx.query(`GRANT USAGE ON SCHEMA ${schema} TO ${name}`);
  await tx.query(`REVOKE ALL ON ALL TABLES IN SCHEMA ${schema} FROM ${name}`);
  for (const table of await tx.query<Table[]>(TABLES)) {
    await tx.query(`GRANT ${privileges(table).join(', ')} ON ${quoted(table.name)} TO ${name}`);
  }
}

/** New tables are for the roles that had the old ones. */
export async function grantAgain(tx: EntityManager): Promise<void> {
  for (const { role } of await tx.query<{ role: string }[]>(GRANTED_BEFORE))
    await grantToApplication(tx, role);
}

/** Says so when the service could rewrite its own history. It works all the same. */
export async function warnOfPower(dataSource: DataSource): Promise<void> {
  const [found] = await dataSource.query<[{ may: boolean }]>(
    `SELECT has_table_privilege('event', 'UPDATE') AS may`,
  );
  if (!found.may) return;
  new Logger('ApplicationRole').warn(
    'the database role of this service owns its tables, so that it could change its own history: see ' +
      '"The database role" in docs/operations.md',
  );
}

function privileges({ name, columns, appendOnly }: Table): string[] {
  if (NOT_WRITTEN_BY_SERVICE.includes(name)) return ['SELECT'];
  const given = GIVEN[name];
  const insert = given
    ? onlyOn(
        columns.filter((column) => !given.includes(column)),
        'INSERT',
      )
    : ['INSERT'];
  const changeable = CHANGEABLE[name] ?? (appendOnly ? [] : undefined);
  const update = changeable ? onlyOn(changeable, 'UPDATE') : ['UPDATE'];
  return ['SELECT', ...insert, ...update, ...(appendOnly || NEVER_DELETED.includes(name) ? [] : ['DELETE'])];
}

function onlyOn(columns: readonly string[], privilege: string): string[] {
  return columns.length === 0 ? [] : [`${privilege} (${columns.map(quoted).join(', ')})`];
}

async function schemaOf(tx: EntityManager): Promise<string> {
  const [{ schema }] = await tx.query<[{ schema: string }]>('SELECT current_schema() AS schema');
  return quoted(schema);
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
