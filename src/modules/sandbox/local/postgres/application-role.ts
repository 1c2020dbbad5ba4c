import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

const ROLE = 'rappen_app';

/** A temporary table hides another of its name from the statements of its connection. The database is ours alone. */
const WITHOUT_TEMPORARY = `
  DO $$ BEGIN EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database()); END $$`;

/**
 * The role that the service runs as, as production should have one: it does not own its tables.
 * @param ownerUrl of a server of our own
 * @returns with its URL; its password is another one after each call
 */
export async function applicationRole(ownerUrl: string): Promise<{ role: string; url: string }> {
  const password = randomBytes(24).toString('base64url');
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [ROLE]);
    const verb = rowCount === 0 ? 'CREATE' : 'ALTER';
    await client.query(`${verb} ROLE ${ROLE} LOGIN PASSWORD '${password}'`);
    await client.query(WITHOUT_TEMPORARY);
  } finally {
    await client.end();
  }
  const url = new URL(ownerUrl);
  [url.username, url.password] = [ROLE, password];
  return { role: ROLE, url: url.href };
}
