import type { EntityManager } from 'typeorm';
import { LEASE_S } from '../domain/limits.js';
import type { EndpointRef } from '../webhooks.types.js';
import type { Claim } from './claim.statement.js';

const LAST = `
  SELECT coalesce(max(e.sequence), 0) AS sequence, coalesce(bool_or(d.state = 'sending'), false) AS "isUnderWay",
         clock_timestamp() AS now
  FROM event e LEFT JOIN delivery d ON d.event_id = e.id WHERE e.subject = $1`;

const INSERT_CLAIMED = `
  WITH written AS (
    INSERT INTO event (id, merchant_id, type, subject, sequence, body)
    VALUES ($1, $2, 'webhook.test', $3, $4, $5) RETURNING id, body
  ),
  claimed AS (
    INSERT INTO delivery (event_id, endpoint_id, state, attempts, lease_token, lease_until)
    SELECT id, $3, 'sending', 1, gen_random_uuid(), clock_timestamp() + interval '${LEASE_S} seconds' FROM written
    RETURNING id, event_id, attempts, lease_token
  )
  SELECT c.id AS "deliveryId", c.lease_token AS "leaseToken", w.id AS "endpointId", c.event_id AS "eventId", c.attempts,
         e.body, w.url, w.secret,
         CASE WHEN w.previous_secret_until > now() THEN w.previous_secret END AS "previousSecret",
         clock_timestamp() AS "claimedAt"
  FROM claimed c CROSS JOIN written e JOIN webhook_endpoint w ON w.id = $3`;

interface LastTest {
  readonly sequence: number;
  readonly isUnderWay: boolean;
  readonly now: Date;
}

/** What was tested before, and the instant. */
export async function lastTest(tx: EntityManager, endpointId: string): Promise<LastTest> {
  const [last] = await tx.query<[LastTest]>(LAST, [endpointId]);
  return last;
}

/** Written as one that is claimed already: whoever asked sends it. */
export async function insertClaimedTest(
  tx: EntityManager,
  { endpointId, merchantId }: EndpointRef,
  { id, sequence, body }: { readonly id: string; readonly sequence: number; readonly body: string },
): Promise<Claim> {
  const [claim] = await tx.query<[Claim]>(INSERT_CLAIMED, [id, merchantId, endpointId, sequence, body]);
  return claim;
}
