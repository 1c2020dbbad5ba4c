import { DataSource } from 'typeorm';
import type { Service } from '../service/service.js';

/** Moves intents to a time of creation, their windows with them. */
export async function createdAt(service: Service, ids: readonly string[], instant: string): Promise<void> {
  await service.app.get(DataSource).query(
    `UPDATE intent SET created_at = $2::timestamptz, expires_at = $2::timestamptz + interval '15 minutes'
       WHERE id = ANY ($1)`,
    [ids, instant],
  );
}

/** Moves an intent's window so that it ends this many milliseconds from now, by the database's clock. */
export async function endWindowIn(service: Service, id: string, ms: number): Promise<void> {
  await service.app.get(DataSource).query(
    `UPDATE intent SET created_at = ends - interval '15 minutes', expires_at = ends
       FROM (SELECT clock_timestamp() + make_interval(secs => $2) AS ends) AS w WHERE id = $1`,
    [id, ms / 1000],
  );
}
