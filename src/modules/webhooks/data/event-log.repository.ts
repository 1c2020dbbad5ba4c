import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { anyValue, run, statement } from '../../../database/statement.js';
import { only } from '../../../kernel/lookups.js';
import type { LoggedEvent } from '../webhooks.types.js';

/** Of one transaction: its lock is held for some milliseconds, however much there is to do. */
export const PLACED_AT_ONCE = 1_000;

const IS_PENDING = statement(
  'webhooks-event-log-is-pending',
  'SELECT EXISTS (SELECT FROM event_log_pending WHERE merchant_id = $1) AS pending',
);

const PENDING_MERCHANTS = statement(
  'webhooks-event-log-pending-merchants',
  'SELECT DISTINCT merchant_id AS id FROM event_log_pending',
);

/** Released after the commit is visible: whoever gets it next sees every position that was given before. */
const LOCK = statement(
  'webhooks-event-log-lock',
  `SELECT pg_advisory_xact_lock(hashtextextended('event_log:' || $1, 0))`,
);

/** A statement of its own, after the lock: its snapshot must see what the last holder wrote. */
const PLACE = statement(
  'webhooks-event-log-place',
  `WITH taken AS (
     DELETE FROM event_log_pending WHERE arrival IN (
       SELECT arrival FROM event_log_pending WHERE merchant_id = $1 ORDER BY arrival LIMIT ${PLACED_AT_ONCE})
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
  'webhooks-event-log-position',
  'SELECT position FROM event_log WHERE merchant_id = $1 AND event_id = $2',
);

const AFTER = statement(
  'webhooks-event-log-after',
  `SELECT e.id, e.body FROM event_log l JOIN event e ON e.id = l.event_id
   WHERE l.merchant_id = $1 AND l.position > ${anyValue('$2', 'bigint')} ORDER BY l.position LIMIT ${anyValue('$3', 'bigint')}`,
);

/** The rows of the log of events, and of what awaits its place in it. */
@Injectable()
export class EventLogRepository {
  constructor(private readonly dataSource: DataSource) {}

  async isPending(merchantId: string): Promise<boolean> {
    const [found] = await run<{ pending: boolean }>(this.dataSource, IS_PENDING, [merchantId]);
    return found?.pending === true;
  }

  async pendingMerchants(): Promise<string[]> {
    return (await run<{ id: string }>(this.dataSource, PENDING_MERCHANTS, [])).map(({ id }) => id);
  }

  after(merchantId: string, position: string, limit: number): Promise<LoggedEvent[]> {
    return run<LoggedEvent>(this.dataSource, AFTER, [merchantId, position, limit]);
  }

  /** @returns how many got a position; there may be more after a whole batch */
  placeBatch(merchantId: string): Promise<number> {
    return this.dataSource.transaction(async (tx) => {
      await run(tx, LOCK, [merchantId]);
      return only(await run<{ placed: number }>(tx, PLACE, [merchantId])).placed;
    });
  }

  /** `null` for what is no event of this merchant's log. */
  async positionOf(merchantId: string, eventId: string): Promise<string | null> {
    const [row] = await run<{ position: string }>(this.dataSource, POSITION, [merchantId, eventId]);
    return row?.position ?? null;
  }
}
