import type { DataSource, EntityManager } from 'typeorm';
import { run, statement } from '../../../database/statement.js';
import { belongs, IS_IN, mayLeave, type Place, PLACES, stateIn } from './waiting-delivery.sql.js';

/** Rows of one statement: enough to be quick, few enough to hold their locks for an instant. */
export const FOLLOW_BATCH = 1_000;

/** Of an endpoint `e`, where a delivery `d` is not (any more) in the state in which it belongs … */
const leaving = (place: Place) =>
  `d.endpoint_id = e.id AND ${IS_IN[place]} AND ${mayLeave(stateIn(place), 'e')} AND ${belongs('d', 'e')} <> '${stateIn(place)}'`;

/** … or waits by a schedule that began before the endpoint was enabled. By an index of its own: what has not been tried is many. */
const RETRIED = `d.endpoint_id = e.id AND d.state = 'pending' AND d.attempts > 0 AND e.settling_since IS NOT NULL
  AND ${belongs('d', 'e')} = 'pending'`;

const STRAYS = [...PLACES.map(leaving), RETRIED];

const astray = (where: string) => `
  SELECT stray.id, ${belongs('stray', 'e')} AS belongs, e.settling_since IS NOT NULL AS afresh
  FROM webhook_endpoint e
  CROSS JOIN LATERAL (SELECT d.id FROM delivery d WHERE ${where} LIMIT ${FOLLOW_BATCH} FOR UPDATE SKIP LOCKED) stray
  WHERE e.id = $1`;

/**
 * An endpoint was disabled, enabled or deleted, and its deliveries follow it, a batch at a time: how many wait is not ours
 * to say, and one statement over all of them would outlast its time and take with it whatever it is part of. What is sent
 * after an endpoint was enabled begins its schedule afresh, in its old order.
 */
const FOLLOW = statement(
  'webhooks-follow',
  `WITH found AS (
     SELECT * FROM (${STRAYS.map(astray).join(' UNION ALL ')}) strays LIMIT ${FOLLOW_BATCH}
   )
   UPDATE delivery d
   SET state = f.belongs, delayed = false,
       attempts = CASE WHEN f.afresh AND f.belongs = 'pending' THEN 0 ELSE d.attempts END,
       next_attempt_at = CASE WHEN f.afresh AND f.belongs = 'pending' THEN least(d.next_attempt_at, d.created_at)
                              ELSE d.next_attempt_at END
   FROM found f WHERE d.id = f.id
   RETURNING d.id`,
);

/**
 * Nothing is sent to an enabled endpoint before this, so that the old order counts. Of a later change it says nothing. Not by
 * NOT EXISTS, which PostgreSQL makes a join of: that looks at all that waits, also where the endpoint says that none has to follow.
 */
const SETTLE = statement(
  'webhooks-settle',
  `UPDATE webhook_endpoint w SET settling_since = NULL, given_up_to = NULL
   FROM webhook_endpoint e
   WHERE e.id = $1 AND w.id = e.id AND w.settling_since = e.settling_since
     AND ${STRAYS.map((where) => `(SELECT d.id FROM delivery d WHERE ${where} LIMIT 1) IS NULL`).join(' AND ')}
   RETURNING w.id`,
);

/** One batch. @returns how much was done: deliveries, and the endpoint once all have followed */
export async function follow(on: DataSource | EntityManager, endpointId: string): Promise<number> {
  const moved = (await run(on, FOLLOW, [endpointId])).length;
  if (moved === FOLLOW_BATCH) return moved;
  return moved + (await run(on, SETTLE, [endpointId])).length;
}
