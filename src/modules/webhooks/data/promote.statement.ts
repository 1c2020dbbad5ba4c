import type { DataSource } from 'typeorm';
import { run, statement } from '../../../database/statement.js';

/** Rows of one statement: enough to be quick, few enough to hold their locks for an instant. */
export const PROMOTE_BATCH = 1_000;

/**
 * Retries wait beside what is due, or each claim would look at every endpoint that waits for one. Those whose time has come are
 * put among what is due, the longest due first; what is locked is found by the next. Its commit does not wait for the disk: what
 * a crash of the database forgets is promoted again, and nothing tells of it. An array, because PostgreSQL may make of a join a walk
 * through all deliveries.
 */
const PROMOTE = statement(
  'webhooks-promote',
  `WITH come AS (
     SELECT id FROM delivery WHERE delayed AND attempts > 0 AND next_attempt_at <= now()
     ORDER BY next_attempt_at LIMIT ${PROMOTE_BATCH} FOR UPDATE SKIP LOCKED
   ),
   unflushed AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
   UPDATE delivery d SET delayed = false
   FROM unflushed WHERE d.id = ANY (ARRAY(SELECT id FROM come))
   RETURNING d.id`,
);

/** One batch. @returns how many; there may be more after a whole one */
export async function promoteDue(dataSource: DataSource): Promise<number> {
  return (await run(dataSource, PROMOTE, [])).length;
}
