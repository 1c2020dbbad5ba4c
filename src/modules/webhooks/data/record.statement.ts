import type { DataSource } from 'typeorm';
import { run, statement } from '../../../database/statement.js';
import { DISABLE_AFTER_DAYS, DISABLE_AFTER_FAILURES } from '../domain/limits.js';
import type { Outcome } from '../domain/outcome.js';
import type { DisabledReason } from '../webhooks.types.js';

/** One finished attempt, on its way to the database. */
export interface AttemptRecord {
  readonly deliveryId: string;
  readonly leaseToken: string;
  readonly outcome: Outcome;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly httpStatus: number | null;
  readonly error: string | null;
  readonly response: string | null;
}

const GONE: DisabledReason = 'answered-410';
const FAILING: DisabledReason = 'failing';

/**
 * A batch of results in one statement: fence, attempts, deliveries, endpoints.
 * `fenced`: only results whose lease is still theirs count; the others change nothing and log nothing.
 * `endpoint`: locked in the order of their ids, or two instances with the same endpoints would deadlock; left alone
 * by a success that has nothing to reset, or every delivery would write the same row. What else waits for an endpoint that
 * is disabled here follows by itself (`follow.statement.ts`): it may be any number, and others' results are in this batch.
 */
const RECORD = statement(
  'webhooks-record',
  `WITH fenced AS (
     SELECT d.id, d.endpoint_id, d.attempts, r.outcome, r.started_at, r.duration_ms, r.http_status, r.error,
            r.response, r.started_at + make_interval(secs => (r.duration_ms + r.wait_ms) / 1000.0) AS next_attempt_at
     FROM unnest($1::bigint[], $2::uuid[], $3::text[], $4::double precision[], $5::timestamptz[], $6::integer[],
                 $7::integer[], $8::text[], $9::text[])
       AS r (id, token, outcome, wait_ms, started_at, duration_ms, http_status, error, response)
     JOIN delivery d ON d.id = r.id AND d.lease_token = r.token
     ORDER BY d.id FOR UPDATE OF d
   ),
   tally AS (
     SELECT endpoint_id, bool_or(outcome = 'delivered') AS succeeded, bool_or(outcome = 'gone') AS gone,
            (count(*) FILTER (WHERE outcome <> 'delivered'))::integer AS failures
     FROM fenced GROUP BY endpoint_id
   ),
   endpoint AS (
     SELECT w.id, t.succeeded, t.gone, t.failures, w.disabled_at IS NULL AS was_enabled,
            CASE WHEN t.succeeded THEN 0 ELSE w.consecutive_failures + t.failures END AS failures_now,
            CASE WHEN t.succeeded THEN NULL ELSE coalesce(w.failures_since, clock_timestamp()) END AS since_now
     FROM webhook_endpoint w JOIN tally t ON t.endpoint_id = w.id
     WHERE t.failures > 0 OR w.consecutive_failures > 0
     ORDER BY w.id FOR NO KEY UPDATE OF w
   ),
   verdict AS (
     SELECT *, CASE
       WHEN NOT was_enabled THEN NULL
       WHEN gone THEN '${GONE}'
       WHEN failures_now >= ${DISABLE_AFTER_FAILURES}
        AND since_now <= clock_timestamp() - interval '${DISABLE_AFTER_DAYS} days' THEN '${FAILING}'
     END AS disable_for
     FROM endpoint
   ),
   kept AS (
     UPDATE webhook_endpoint w
     SET consecutive_failures = v.failures_now, failures_since = v.since_now,
         disabled_at = CASE WHEN v.disable_for IS NULL THEN w.disabled_at ELSE clock_timestamp() END,
         disabled_reason = coalesce(v.disable_for, w.disabled_reason),
         notice_due = w.notice_due OR v.disable_for IS NOT NULL
     FROM verdict v WHERE w.id = v.id
     RETURNING w.id, v.disable_for, w.disabled_at, w.deleted_at
   ),
   finished AS (
     UPDATE delivery d
     SET state = CASE
           WHEN f.outcome = 'delivered' THEN 'delivered'
           WHEN f.outcome = 'exhausted' OR k.deleted_at IS NOT NULL THEN 'failed'
           WHEN k.disabled_at IS NOT NULL THEN 'held'
           ELSE 'pending' END,
         delayed = f.outcome = 'retry' AND k.deleted_at IS NULL AND k.disabled_at IS NULL,
         next_attempt_at = coalesce(f.next_attempt_at, d.next_attempt_at),
         delivered_at = CASE WHEN f.outcome = 'delivered' THEN clock_timestamp() ELSE d.delivered_at END,
         lease_token = NULL, lease_until = NULL
     FROM fenced f LEFT JOIN kept k ON k.id = f.endpoint_id
     WHERE d.id = f.id
   ),
   logged AS (
     INSERT INTO delivery_attempt (delivery_id, number, started_at, duration_ms, http_status, error, response)
     SELECT id, attempts, started_at, duration_ms, http_status, error, response FROM fenced ORDER BY started_at
   )
   SELECT f.id AS "deliveryId", f.endpoint_id AS "endpointId", k.disable_for AS "disableFor"
   FROM fenced f LEFT JOIN kept k ON k.id = f.endpoint_id`,
);

export interface Recorded {
  readonly deliveryId: string;
  readonly endpointId: string;
  /** Why the endpoint was disabled just now, if it was. */
  readonly disableFor: DisabledReason | null;
}

/** Records a batch; answers with those results that still held their lease. */
export async function recordAttempts(
  dataSource: DataSource,
  batch: readonly AttemptRecord[],
): Promise<Recorded[]> {
  return run<Recorded>(dataSource, RECORD, [
    batch.map((r) => r.deliveryId),
    batch.map((r) => r.leaseToken),
    batch.map((r) => r.outcome.kind),
    batch.map((r) => (r.outcome.kind === 'retry' ? r.outcome.waitMs : null)),
    batch.map((r) => r.startedAt.toISOString()),
    batch.map((r) => r.durationMs),
    batch.map((r) => r.httpStatus),
    batch.map((r) => r.error),
    batch.map((r) => r.response),
  ]);
}
