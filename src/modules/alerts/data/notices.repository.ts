import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { run, statement } from '../../../database/statement.js';
import type { Alert, NoticeBacklog } from '../alerts.types.js';

/** Ways out of the instance. */
export type Channel = NoticeBacklog['channel'];

/** One alert that this process, and no other, sends now. */
export interface Notice {
  readonly alert: Pick<
    Alert,
    'id' | 'merchantId' | 'kind' | 'subject' | 'summary' | 'detail' | 'data' | 'raisedAt' | 'resolvedAt'
  >;
  readonly channel: Channel;
  /** That the trouble began, or that it is over. */
  readonly about: 'raised' | 'resolved';
  /** Of this try, from 1. */
  readonly attempts: number;
  readonly leaseToken: string;
}

/** Longer than a try can take (each of an SMTP exchange's steps has 10 s), or two instances would send one mail. */
export const LEASE_S = 180;

type NoticeRow = Notice['alert'] & Pick<Notice, 'about' | 'attempts' | 'leaseToken'>;

const CLAIM = statement(
  'alerts-notice-claim',
  `WITH claimed AS (
     UPDATE alert_notice SET attempts = attempts + 1, lease_token = gen_random_uuid(),
                             next_attempt_at = clock_timestamp() + interval '${LEASE_S} seconds'
     WHERE (alert_id, channel, about) = (
       SELECT alert_id, channel, about FROM alert_notice WHERE channel = $1 AND next_attempt_at <= clock_timestamp()
       ORDER BY next_attempt_at LIMIT 1 FOR UPDATE SKIP LOCKED)
     RETURNING alert_id, about, attempts, lease_token
   )
   SELECT a.id, a.merchant_id AS "merchantId", a.kind, a.subject, a.summary, a.detail, a.data, a.raised_at AS "raisedAt",
          a.resolved_at AS "resolvedAt", c.about, c.attempts, c.lease_token AS "leaseToken"
   FROM claimed c JOIN alert a ON a.id = c.alert_id`,
);

const SENT = statement(
  'alerts-notice-sent',
  `WITH sent AS (
     DELETE FROM alert_notice WHERE alert_id = $1 AND channel = $2 AND lease_token = $3
   )
   UPDATE alert SET mailed_at = CASE WHEN $2 = 'mail' THEN clock_timestamp() ELSE mailed_at END,
                    posted_at = CASE WHEN $2 = 'webhook' THEN clock_timestamp() ELSE posted_at END
   WHERE id = $1 AND $4 = 'raised'`,
);

const DROP = statement(
  'alerts-notice-drop',
  'DELETE FROM alert_notice WHERE alert_id = $1 AND channel = $2 AND lease_token = $3',
);

const RETRY = statement(
  'alerts-notice-retry',
  `UPDATE alert_notice SET lease_token = NULL, next_attempt_at = clock_timestamp() + make_interval(secs => $4::float8)
   WHERE alert_id = $1 AND channel = $2 AND lease_token = $3`,
);

const BACKLOG = statement(
  'alerts-notice-backlog',
  `SELECT channel, count(*)::int AS count,
          extract(epoch FROM clock_timestamp() - min(created_at))::float8 AS "oldestAgeS"
   FROM alert_notice GROUP BY channel ORDER BY channel`,
);

/** The alerts that are still to be sent: leased one by one, so that each is sent by one instance. */
@Injectable()
export class NoticesRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** The longest due, `null` when none is. */
  async claim(channel: Channel): Promise<Notice | null> {
    const [row] = await run<NoticeRow>(this.dataSource, CLAIM, [channel]);
    if (!row) return null;
    const { about, attempts, leaseToken, ...alert } = row;
    return { alert, channel, about, attempts, leaseToken };
  }

  /** That it was sent is true whoever holds the lease by now. */
  async sent({ alert, channel, leaseToken, about }: Notice): Promise<void> {
    await run(this.dataSource, SENT, [alert.id, channel, leaseToken, about]);
  }

  /** Nobody will hear of it this way. */
  async drop({ alert, channel, leaseToken }: Notice): Promise<void> {
    await run(this.dataSource, DROP, [alert.id, channel, leaseToken]);
  }

  async backlog(): Promise<NoticeBacklog[]> {
    return run<NoticeBacklog>(this.dataSource, BACKLOG, []);
  }

  async retryIn(waitMs: number, { alert, channel, leaseToken }: Notice): Promise<void> {
    await run(this.dataSource, RETRY, [alert.id, channel, leaseToken, waitMs / 1_000]);
  }
}
