import type { DataSource } from 'typeorm';
import { run, statement } from '../../../database/statement.js';

export interface LoggedRequest {
  /** On this process' monotonic clock; the database's clock makes a time of it. */
  readonly endedAtMs: number;
  readonly merchantId: string;
  readonly keyId: string;
  readonly method: string;
  readonly path: string;
  /** `null`: the client left before it was answered. */
  readonly status: number | null;
  readonly problem: string | null;
  readonly traceId: string;
  readonly durationMs: number;
  readonly intentId: string | null;
}

const INSERT = statement(
  'auth-insert-requests',
  `INSERT INTO api_request (at, merchant_id, key_id, method, path, status, problem, trace_id, duration_ms, intent_id)
   SELECT clock_timestamp() - make_interval(secs => age_s), merchant_id, key_id, method, path, status, problem,
          trace_id, duration_ms, intent_id
   FROM unnest($1::float8[], $2::text[], $3::text[], $4::text[], $5::text[], $6::smallint[], $7::text[], $8::text[],
               $9::integer[], $10::text[])
     AS u (age_s, merchant_id, key_id, method, path, status, problem, trace_id, duration_ms, intent_id)`,
);

/** All of them in one statement. */
export async function insertRequests(dataSource: DataSource, rows: readonly LoggedRequest[]): Promise<void> {
  const nowMs = performance.now();
  await run(dataSource, INSERT, [
    rows.map(({ endedAtMs }) => (nowMs - endedAtMs) / 1000),
    rows.map(({ merchantId }) => merchantId),
    rows.map(({ keyId }) => keyId),
    rows.map(({ method }) => method),
    rows.map(({ path }) => path),
    rows.map(({ status }) => status),
    rows.map(({ problem }) => problem),
    rows.map(({ traceId }) => traceId),
    rows.map(({ durationMs }) => durationMs),
    rows.map(({ intentId }) => intentId),
  ]);
}
