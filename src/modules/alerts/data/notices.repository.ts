import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { run, statement } from '../../../database/statement.js';
import type { Alert } from '../alerts.types.js';

/** Ways out of the instance. */
export type Channel = 'mail' | 'webhook';

/** One alert that this process, and no other, sends now. */
export interface Notice {
  readonly alert: Pick<
    Alert,
    'id' | 'merchantId' | 'kind' | 'subject' | 'summary' | 'detail' | 'data' | 'raisedAt'
  >;
  readonly channel: Channel;
  /** Of this try, from 1. */
  readonly attempts: number;
  readonly leaseToken: string;
}

/** Longer than a try can take (each of an SMTP exchange's steps has 10 s), or two instances would send one mail. */
const LEASE_S = 180;

interface NoticeRow {
  readonly id: string;
  readonly merchant_id: string | null;
  readonly kind: Alert['kind'];
  readonly subject: string;
  readonly summary: string;
  readonly detail: string;
  readonly data: Record<string, unknown>;
  readonly raised_at: Date;
  readonly attempts: number;
  readonly lease_token: string;
}

const CLAIM = statement(
  'alert-notice-claim',
  `WITH claimed AS (
     UPDATE alert_notice SET attempts = attempts + 1, lease_token = gen_random_uuid(),
                             next_attempt_at = clock_timestamp() + interval '${LEASE_S} seconds'
     WHERE (alert_id, channel) = (
       SELECT alert_id, channel FROM alert_notice WHERE channel = $1 AND next_attempt_at <= clock_timestamp()
       ORDER BY next_attempt_at LIMIT 1 FOR UPDATE SKIP LOCKED)
     RETURNING alert_id, attempts, lease_token
   )
   SELECT a.id, a.merchant_id, a.kind, a.subject, a.summary, a.detail, a.data, a.raised_at, c.attempts, c.lease_token
   FROM claimed c JOIN alert a ON a.id = c.alert_id`,
);

const SENT = statement(
  'alert-notice-sent',
  `WITH sent AS (
     DELETE FROM alert_notice WHERE alert_id = $1 AND channel = $2 AND lease_token = $3
   )
   UPDATE alert SET mailed_at = CASE WHEN $2 = 'mail' THEN clock_timestamp() ELSE mailed_at END,
                    posted_at = CASE WHEN $2 = 'webhook' THEN clock_timestamp() ELSE posted_at END
   WHERE id = $1`,
);

const DROP = statement(
  'alert-notice-drop',
  'DELETE FROM alert_notice WHERE alert_id = $1 AND channel = $2 AND lease_token = $3',
);

const RETRY = statement(
  'alert-notice-retry',
  `UPDATE alert_notice SET lease_token = NULL, next_attempt_at = clock_timestamp() + make_interval(secs => $4::float8)
   WHERE alert_id = $1 AND channel = $2 AND lease_token = $3`,
);

/** The alerts that are still to be sent: leased one by one, so that each is sent by one instance. */
@Injectable()
export class NoticesRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** The longest due, `null` when none is. */
  async claim(channel: Channel): Promise<Notice | null> {
    const [row] = await run<NoticeRow>(this.dataSource, CLAIM, [channel]);
    if (!row) return null;
    const { id, merchant_id: merchantId, kind, subject, summary, detail, data, raised_at: raisedAt } = row;
    const alert = { id, merchantId, kind, subject, summary, detail, data, raisedAt };
    return { alert, channel, attempts: row.attempts, leaseToken: row.lease_token };
  }

  /** That it was sent is true whoever holds the lease by now. */
  async sent({ alert, channel, leaseToken }: Notice): Promise<void> {
    await run(this.dataSource, SENT, [alert.id, channel, leaseToken]);
  }

  /** Nobody will hear of it this way. */
  async drop({ alert, channel, leaseToken }: Notice): Promise<void> {
    await run(this.dataSource, DROP, [alert.id, channel, leaseToken]);
  }

  async retryIn(waitMs: number, { alert, channel, leaseToken }: Notice): Promise<void> {
    await run(this.dataSource, RETRY, [alert.id, channel, leaseToken, waitMs / 1_000]);
  }
}
