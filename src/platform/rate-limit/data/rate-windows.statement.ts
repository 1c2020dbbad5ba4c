import type { DataSource } from 'typeorm';
import { run, statement } from '../../../database/statement.js';

/** Hits of a subject in the window that starts then. */
export interface WindowHits {
  readonly subject: string;
  readonly startsMs: number;
  readonly hits: number;
}

const EXCHANGE = statement(
  'platform-exchange-rate-windows',
  `INSERT INTO rate_window AS w (subject, starts_at, hits)
   SELECT subject, to_timestamp(starts_ms / 1000.0), hits
   FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS u (subject, starts_ms, hits) ORDER BY subject, starts_ms
   ON CONFLICT (subject, starts_at) DO UPDATE SET hits = w.hits + excluded.hits
   RETURNING subject, (extract(epoch FROM starts_at) * 1000)::float8 AS "startsMs", hits::float8 AS hits`,
);

/** Adds what was counted here. @returns of the same windows what all instances have counted */
export function exchangeHits(dataSource: DataSource, counted: readonly WindowHits[]): Promise<WindowHits[]> {
  const column = <Key extends keyof WindowHits>(key: Key) => counted.map((one) => one[key]);
  return run<WindowHits & Record<string, unknown>>(dataSource, EXCHANGE, [
    column('subject'),
    column('startsMs'),
    column('hits'),
  ]);
}

export async function removeWindows(dataSource: DataSource, before: Date): Promise<void> {
  await dataSource.query('DELETE FROM rate_window WHERE starts_at < $1', [before]);
}
