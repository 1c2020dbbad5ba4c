import { Logger } from '@nestjs/common';
import type { DataSource, EntityManager } from 'typeorm';

const WRITTEN_BY_MIGRATIONS_ALONE = ['migrations', 'status_edge'];
/** Money rests on these: their rows change as the world does, and none ever goes. */
const NEVER_DELETED = ['address', 'extended_key', 'intent', 'quote', 'transfer'];
/** From where something was done is forgotten after a while; the trigger allows no other change. */
const FORGOTTEN: Readonly<Record<string, string>> = { audit_entry: 'address' };

interface Table {
  readonly name: string;
  /** By trigger. Without the privilege it takes more than to disable that. */
  readonly appendOnly: boolean;
}

const TABLES = `
  SELECT c.relname AS name,
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
 * append-only, no delete of money, no truncation, no change of any table. As the owner of the tables, after every
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

function privileges({ name, appendOnly }: Table): string[] {
  if (WRITTEN_BY_MIGRATIONS_ALONE.includes(name)) return ['SELECT'];
  if (appendOnly) return ['SELECT', 'INSERT', ...(FORGOTTEN[name] ? [`UPDATE (${FORGOTTEN[name]})`] : [])];
  if (NEVER_DELETED.includes(name)) return ['SELECT', 'INSERT', 'UPDATE'];
  return ['SELECT', 'INSERT', 'UPDATE', 'DELETE'];
}

async function schemaOf(tx: EntityManager): Promise<string> {
  const [{ schema }] = await tx.query<[{ schema: string }]>('SELECT current_schema() AS schema');
  return quoted(schema);
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
