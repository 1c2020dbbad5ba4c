import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { run, statement } from '../../database/statement.js';
import { ScheduledJob } from '../../platform/scheduled-job.js';
import type { LoggedEvent } from './webhooks.types.js';

/** Of one transaction: its lock is held for some milliseconds, however much there is to do. */
const BATCH = 1_000;
/** A reader does it for itself. This keeps short what the first one finds, and what is pending small. */
const EVERY_MS = 5_000;

const IS_PENDING = statement(
  'event-log-is-pending',
  'SELECT EXISTS (SELECT FROM event_log_pending WHERE merchant_id = $1) AS pending',
);

const PENDING_MERCHANTS = statement(
  'event-log-pending-merchants',
  'SELECT DISTINCT merchant_id AS id FROM event_log_pending',
);

/** Released after the commit is visible: whoever gets it next sees every position that was given before. */
const LOCK = statement(
  'event-log-lock',
  `SELECT pg_advisory_xact_lock(hashtextextended('event_log:' || $1, 0))`,
);

/** A statement of its own, after the lock: its snapshot must see what the last holder wrote. */
const PLACE = statement(
  'event-log-place',
  `WITH taken AS (
     DELETE FROM event_log_pending WHERE arrival IN (
       SELECT arrival FROM event_log_pending WHERE merchant_id = $1 ORDER BY arrival LIMIT ${BATCH})
     RETURNING arrival, event_id
   ),
   placed AS (
     INSERT INTO event_log (merchant_id, position, event_id)
     SELECT $1, row_number() OVER (ORDER BY arrival)
                + coalesce((SELECT max(position) FROM event_log WHERE merchant_id = $1), 0), event_id
     FROM taken RETURNING position
   )
   SELECT count(*)::int AS placed FROM placed`,
);

const POSITION = statement(
  'event-log-position',
  'SELECT position FROM event_log WHERE merchant_id = $1 AND event_id = $2',
);

const AFTER = statement(
  'event-log-after',
  `SELECT e.id, e.body FROM event_log l JOIN event e ON e.id = l.event_id
   WHERE l.merchant_id = $1 AND l.position > $2 ORDER BY l.position LIMIT $3`,
);

/**
 * A merchant's events in the order of their commit, the same for every reader and for ever. Positions are given after
 * the commit, to all that can be seen by then, one transaction at a time for each merchant (ADR 40).
 */
@Injectable()
export class EventLogService {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * What was committed by now, from the first event or from the one after `after`.
   * @returns `null` when `after` is no event of this merchant's log
   */
  async read(merchantId: string, after: string | null, limit: number): Promise<LoggedEvent[] | null> {
    await this.place(merchantId);
    const position = after === null ? '0' : await this.positionOf(merchantId, after);
    if (position === null) return null;
    return run<LoggedEvent>(this.dataSource, AFTER, [merchantId, position, limit]);
  }

  /** Gives a position to whatever of a merchant has been committed and has none. */
  async place(merchantId: string, signal?: AbortSignal): Promise<void> {
    const [found] = await run<{ pending: boolean }>(this.dataSource, IS_PENDING, [merchantId]);
    if (!found?.pending) return;
    while (!signal?.aborted && (await this.placeBatch(merchantId)) === BATCH);
  }

  @ScheduledJob('webhooks.event-log', EVERY_MS)
  async placeAll(signal: AbortSignal): Promise<void> {
    for (const { id } of await run<{ id: string }>(this.dataSource, PENDING_MERCHANTS, []))
      await this.place(id, signal);
  }

  private placeBatch(merchantId: string): Promise<number> {
    return this.dataSource.transaction(async (tx) => {
      await run(tx, LOCK, [merchantId]);
      const [row] = await run<{ placed: number }>(tx, PLACE, [merchantId]);
      return row!.placed;
    });
  }

  private async positionOf(merchantId: string, eventId: string): Promise<string | null> {
    const [row] = await run<{ position: string }>(this.dataSource, POSITION, [merchantId, eventId]);
    return row?.position ?? null;
  }
}
