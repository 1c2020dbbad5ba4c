// What the rivals that are libraries of jobs share: the delivery of a job, and claims that wait for the disk as little as ours.
import pg from 'pg';
import { Agent, request } from 'undici';
import { keysOf, sign } from './sign.mjs';

/** At once, as everybody here. */
export const IN_FLIGHT = 64;

/** Each pending delivery as a job. */
export const JOBS = `
  SELECT d.event_id AS event, d.endpoint_id AS endpoint, e.body
  FROM delivery d JOIN event e ON e.id = d.event_id WHERE d.state = 'pending'`;

/** @returns {(job: any) => Promise<void>} delivers a job; the library hears of it if that fails */
export function delivering(endpoints) {
  const targets = keysOf(endpoints);
  const agent = new Agent({ pipelining: 1 });
  return async ({ event, endpoint, body }) => {
    const { url, key } = targets.get(endpoint);
    const response = await request(url, {
      method: 'POST',
      headers: sign(key, event, body),
      body,
      dispatcher: agent,
    });
    await response.body.dump();
    if (response.statusCode >= 300) throw new Error(`answered with ${response.statusCode}`);
  };
}

/**
 * Ours wait for the disk with what they record and not with what they claim. A connection has one setting for both, so it is
 * made where the claim is.
 * @param column that claims write and nothing else on the way to success
 */
export async function claimUnflushed(client, table, column) {
  await client.query(`
    CREATE OR REPLACE FUNCTION unflushed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM set_config('synchronous_commit', 'off', true);
      RETURN NULL;
    END $$;
    CREATE TRIGGER unflushed BEFORE UPDATE OF ${column} ON ${table}
    FOR EACH STATEMENT EXECUTE FUNCTION unflushed()`);
}

/** @returns how many jobs the library has not recorded as done */
export async function countLeft(databaseUrl, left) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query(`SELECT count(*)::int AS n FROM ${left}`);
  await client.end();
  return rows[0].n;
}
