import type { DataSource } from 'typeorm';
import { run, statement } from '../../../database/statement.js';
import { follow } from './follow.statement.js';
import { endpointsWith, mayLeave } from './waiting-delivery.sql.js';

/** Rows of one turn; more are found by the next. */
const RECOVER_BATCH = 500;

/** Endpoints of one turn, each with one batch. */
const RECOVER_ENDPOINTS = 50;

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

/**
 * Endpoints whose deliveries have not followed a change of their state: more than the change itself could take along
 * waited, or an event was committed meanwhile with the state that the endpoint had before. Locking the endpoint in every
 * payment's transaction would prevent the second; moving the few here costs payments nothing. In no order, so that none
 * waits for the end of another's.
 */
const UNSETTLED = statement(
  'webhooks-recover-unsettled',
  `WITH RECURSIVE with_pending AS (${endpointsWith('pending')}), with_held AS (${endpointsWith('held')})
   SELECT e.id FROM webhook_endpoint e
   WHERE e.settling_since IS NOT NULL
      OR (${mayLeave('pending', 'e')}) AND e.id IN (SELECT endpoint_id FROM with_pending)
      OR (${mayLeave('held', 'e')}) AND e.id IN (SELECT endpoint_id FROM with_held)
   ORDER BY random() LIMIT ${RECOVER_ENDPOINTS}`,
);

/**
 * @param onFailure told of an endpoint whose deliveries could not follow now: the others' do
 * @returns how much was put right; 0 when nothing was left behind
 */
export async function recover(
  dataSource: DataSource,
  onFailure: (endpointId: string, error: unknown) => void,
): Promise<number> {
  let recovered = (await run(dataSource, EXPIRED_LEASES, [])).length;
  for (const { id } of await run<{ id: string }>(dataSource, UNSETTLED, [])) {
    try {
      recovered += await follow(dataSource, id);
    } catch (error) {
      onFailure(id, error);
    }
  }
  return recovered;
}
