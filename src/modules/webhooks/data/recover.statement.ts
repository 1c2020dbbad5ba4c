import type { DataSource } from 'typeorm';
import { run, statement } from '../../../database/statement.js';

/** Rows of one turn; more are found by the next. */
const RECOVER_BATCH = 500;

/**
 * A lease that ran out belonged to a process that died or stalled. The try that it had begun is made again under
 * the same number, because a crash of ours must not use up the receiver's schedule.
 */
const EXPIRED_LEASES = statement(
  'webhooks-recover-leases',
  `UPDATE delivery d
   SET state = 'pending', attempts = greatest(d.attempts - 1, 0), lease_token = NULL, lease_until = NULL
   FROM (
     SELECT id FROM delivery WHERE state = 'sending' AND lease_until < clock_timestamp()
     ORDER BY lease_until LIMIT ${RECOVER_BATCH} FOR UPDATE SKIP LOCKED
   ) stale
   WHERE d.id = stale.id
   RETURNING d.id`,
);

/** Every endpoint that has rows in a state, by one probe of that state's partial index each. */
function endpointsWith(state: 'pending' | 'held'): string {
  return `
    (SELECT endpoint_id FROM delivery WHERE state = '${state}' ORDER BY endpoint_id LIMIT 1)
    UNION ALL
    SELECT (SELECT d.endpoint_id FROM delivery d
            WHERE d.state = '${state}' AND d.endpoint_id > w.endpoint_id ORDER BY d.endpoint_id LIMIT 1)
    FROM with_${state} w WHERE w.endpoint_id IS NOT NULL`;
}

/** Rows in a state that their endpoint is not in (any more), and the state in which they belong. */
function misplaced(state: 'pending' | 'held', belongs: 'pending' | 'held', where: string): string {
  return `
    SELECT stray.id, CASE WHEN e.deleted_at IS NULL THEN '${belongs}' ELSE 'failed' END AS belongs
    FROM with_${state} w
    JOIN webhook_endpoint e ON e.id = w.endpoint_id AND (e.deleted_at IS NOT NULL OR ${where})
    CROSS JOIN LATERAL (
      SELECT id FROM delivery WHERE endpoint_id = e.id AND state = '${state}'
      LIMIT ${RECOVER_BATCH} FOR UPDATE SKIP LOCKED
    ) stray`;
}

/**
 * An event that was committed while its endpoint was being disabled, enabled or deleted was written with the state
 * that the endpoint had before. Locking the endpoint in every payment's transaction would prevent it; moving the
 * few strays here costs payments nothing.
 */
const STRAYS = statement(
  'webhooks-recover-strays',
  `WITH RECURSIVE with_pending AS (${endpointsWith('pending')}), with_held AS (${endpointsWith('held')}),
   found AS (
     ${misplaced('pending', 'held', 'e.disabled_at IS NOT NULL')}
     UNION ALL
     ${misplaced('held', 'pending', 'e.disabled_at IS NULL')}
   )
   UPDATE delivery d SET state = found.belongs FROM found WHERE d.id = found.id
   RETURNING d.id`,
);

/** @returns how many rows were moved; 0 when nothing was left behind. */
export async function recover(dataSource: DataSource): Promise<number> {
  const released = await run(dataSource, EXPIRED_LEASES, []);
  const strays = await run(dataSource, STRAYS, []);
  return released.length + strays.length;
}
