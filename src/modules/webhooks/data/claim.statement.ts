import type { DataSource } from 'typeorm';
import { anyValue, run, statement } from '../../../database/statement.js';
import { LEASE_S, MAX_FAILING_IN_FLIGHT, MAX_PER_ENDPOINT, MAX_RESTING } from '../domain/limits.js';
import { endpointsWith, IS_IN } from './waiting-delivery.sql.js';

/** A delivery that this process, and no other, sends now. */
export interface Claim {
  readonly deliveryId: string;
  readonly leaseToken: string;
  readonly endpointId: string;
  readonly eventId: string;
  /** The number of this try, from 1. */
  readonly attempts: number;
  readonly body: string;
  readonly url: string;
  readonly secret: string;
  /** Only while it still signs. */
  readonly previousSecret: string | null;
  /** The database's clock at the claim. */
  readonly claimedAt: Date;
}

/** What an endpoint's slots are taken by. */
export interface Taken {
  readonly sending: number;
  /** Ended in a failure, and not to be taken again yet. */
  readonly resting: number;
}

/**
 * One short statement, so that nothing is locked while anything is sent. Endpoints are found by skipping through
 * the index of what may be due (one probe each, however long their backlogs), in which there are no retries whose time has not
 * come (`promote.statement.ts`): those who merely wait are not looked at. The limit of `few` is NULL, so none; PostgreSQL does
 * not know that when it plans, expects few rows, and probes the index for each instead of reading all endpoints.
 *
 * Endpoints with the fewest deliveries under way come first, then those whose oldest is due longest; each gets what its cap leaves. Those that
 * fail are chosen apart, within what is left of their quota: otherwise enough of them that hang would be all that is chosen.
 * URL and secrets are those of this moment.
 *
 * Its commit (`unflushed`) does not wait for the disk: a claim that a crash of the database forgets is an event sent twice, as
 * after a crash of this process. It does wait for a synchronous standby, so that no event tells of a transition that only
 * the primary has, as after a restart of the primary while nobody waited for the standby.
 *
 * $1, $2, $3: endpoints whose slots are taken in this process, how many by deliveries under way, how many by rests after
 * failures; $4: room in all.
 */
const CLAIM = statement(
  'webhooks-claim',
  `WITH RECURSIVE with_due AS (${endpointsWith('due')}),
   busy AS (
     SELECT b.endpoint_id, b.sending, b.resting, w.consecutive_failures > 0 OR b.resting > 0 AS failing
     FROM unnest($1::text[], $2::integer[], $3::integer[]) AS b (endpoint_id, sending, resting)
     JOIN webhook_endpoint w ON w.id = b.endpoint_id
   ),
   quota AS (
     SELECT greatest(0, least($4::integer, ${MAX_FAILING_IN_FLIGHT} - coalesce(sum(sending), 0),
                              ${MAX_RESTING} - coalesce(sum(sending + resting), 0))) AS failing
     FROM busy WHERE failing
   ),
   due AS MATERIALIZED (
     SELECT w.id AS endpoint_id, s.failing, s.taken, oldest.next_attempt_at
     FROM (SELECT endpoint_id FROM with_due LIMIT ${anyValue('NULL', 'bigint')}) few
     JOIN webhook_endpoint w ON w.id = few.endpoint_id
      AND w.disabled_at IS NULL AND w.deleted_at IS NULL AND w.settling_since IS NULL
     LEFT JOIN busy b ON b.endpoint_id = w.id
     CROSS JOIN LATERAL (
       SELECT coalesce(b.failing, w.consecutive_failures > 0) AS failing, coalesce(b.sending + b.resting, 0) AS taken
     ) s
     CROSS JOIN LATERAL (
       SELECT next_attempt_at FROM delivery d
       WHERE ${IS_IN.due} AND endpoint_id = w.id AND next_attempt_at <= now()
       ORDER BY next_attempt_at LIMIT 1
     ) oldest
     WHERE s.taken < ${MAX_PER_ENDPOINT} AND (NOT s.failing OR (SELECT failing FROM quota) > 0)
   ),
   candidate AS (
     (SELECT endpoint_id, failing, taken FROM due WHERE NOT failing
      ORDER BY taken, next_attempt_at LIMIT 2 * $4::integer)
     UNION ALL
     (SELECT endpoint_id, failing, taken FROM due WHERE failing
      ORDER BY taken, next_attempt_at LIMIT 2 * (SELECT failing FROM quota))
   ),
   locked AS (
     SELECT d.id, d.next_attempt_at, c.failing, c.taken + d.place AS place
     FROM candidate c
     CROSS JOIN LATERAL (
       SELECT mine.id, mine.next_attempt_at, row_number() OVER (ORDER BY mine.next_attempt_at, mine.id) AS place
       FROM (
         SELECT id, next_attempt_at FROM delivery d
         WHERE ${IS_IN.due} AND endpoint_id = c.endpoint_id AND next_attempt_at <= now()
         ORDER BY next_attempt_at LIMIT ${MAX_PER_ENDPOINT} - c.taken
         FOR UPDATE SKIP LOCKED
       ) mine
     ) d
   ),
   ranked AS (
     SELECT id, place, next_attempt_at, failing,
            row_number() OVER (PARTITION BY failing ORDER BY place, next_attempt_at, id) AS turn
     FROM locked
   ),
   chosen AS (
     SELECT id FROM ranked
     WHERE NOT failing OR turn <= (SELECT failing FROM quota)
     ORDER BY place, next_attempt_at, id LIMIT $4::integer
   ),
   unflushed AS MATERIALIZED (
     SELECT set_config('synchronous_commit', 'off', true) WHERE current_setting('synchronous_standby_names') = ''
   ),
   claimed AS (
     UPDATE delivery d
     SET state = 'sending', attempts = d.attempts + 1, lease_token = gen_random_uuid(),
         lease_until = clock_timestamp() + interval '${LEASE_S} seconds'
     FROM chosen LEFT JOIN unflushed ON true WHERE d.id = chosen.id
     RETURNING d.id, d.endpoint_id, d.event_id, d.attempts, d.lease_token, d.next_attempt_at
   )
   SELECT c.id AS "deliveryId", c.lease_token AS "leaseToken", c.endpoint_id AS "endpointId", c.event_id AS "eventId",
          c.attempts, e.body, w.url, w.secret,
          CASE WHEN w.previous_secret_until > now() THEN w.previous_secret END AS "previousSecret",
          clock_timestamp() AS "claimedAt"
   FROM claimed c
   JOIN event e ON e.id = c.event_id
   JOIN webhook_endpoint w ON w.id = c.endpoint_id
   ORDER BY c.next_attempt_at, c.id`,
);

/** @param taken by this process, by endpoint */
export async function claimDue(
  dataSource: DataSource,
  taken: ReadonlyMap<string, Taken>,
  room: number,
): Promise<Claim[]> {
  const slots = [...taken.values()];
  const [sending, resting] = [slots.map((slot) => slot.sending), slots.map((slot) => slot.resting)];
  return run<Claim>(dataSource, CLAIM, [[...taken.keys()], sending, resting, room]);
}

const RELEASE = statement(
  'webhooks-release',
  `UPDATE delivery d
   SET state = 'pending', attempts = d.attempts - 1, lease_token = NULL, lease_until = NULL
   FROM unnest($1::bigint[], $2::uuid[]) AS mine (id, token)
   WHERE d.id = mine.id AND d.lease_token = mine.token`,
);

/** Gives back what was claimed and not sent, as if it had never been claimed. */
export async function release(dataSource: DataSource, claims: readonly Claim[]): Promise<void> {
  await run(dataSource, RELEASE, [claims.map((c) => c.deliveryId), claims.map((c) => c.leaseToken)]);
}
