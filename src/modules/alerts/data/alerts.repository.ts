import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, In, IsNull } from 'typeorm';
import { run, statement } from '../../../database/statement.js';
import type {
  AlertFilter,
  AlertKind,
  AlertPage,
  AlertSubject,
  NewAlert,
  OpenAlerts,
} from '../alerts.types.js';
import { AlertEntity } from './alert.entity.js';
import type { Channel } from './notices.repository.js';

/** A trouble that is known already is told again with what is known now, but to nobody for a second time. */
const RAISE = statement(
  'alerts-raise',
  `WITH raised AS (
     INSERT INTO alert AS a (id, merchant_id, kind, subject, summary, detail, data) VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (kind, subject) WHERE resolved_at IS NULL
     DO UPDATE SET summary = excluded.summary, detail = excluded.detail, data = excluded.data,
                   last_raised_at = clock_timestamp()
     RETURNING id
   )
   INSERT INTO alert_notice (alert_id, channel)
   SELECT id, channel FROM raised, unnest($8::text[]) AS channel WHERE id = $1`,
);

/** Longer than a try of the operator's webhook takes: the one that may be under way must not arrive after "over". */
const AFTER_A_TRY = `interval '15 seconds'`;

/**
 * Nobody is told any more of what is over; but a receiver that has heard of the trouble, or may have, hears of its end.
 * $3: for how many seconds nobody may have seen the trouble. $4: whether the operator has a webhook.
 */
const RESOLVE = statement(
  'alerts-resolve',
  `WITH resolved AS (
     UPDATE alert SET resolved_at = clock_timestamp()
     WHERE kind = $1 AND subject = $2 AND resolved_at IS NULL
       AND ($3::integer = 0 OR last_raised_at < clock_timestamp() - make_interval(secs => $3::integer))
     RETURNING id, merchant_id, posted_at
   ), withdrawn AS (
     DELETE FROM alert_notice n USING resolved WHERE n.alert_id = resolved.id
     RETURNING n.alert_id, n.channel, n.attempts, n.lease_token
   )
   INSERT INTO alert_notice (alert_id, channel, about, next_attempt_at)
   SELECT r.id, 'webhook', 'resolved',
          clock_timestamp() + CASE WHEN w.lease_token IS NULL THEN interval '0' ELSE ${AFTER_A_TRY} END
   FROM resolved r LEFT JOIN withdrawn w ON w.alert_id = r.id AND w.channel = 'webhook'
   WHERE $4 AND r.merchant_id IS NULL AND (r.posted_at IS NOT NULL OR w.attempts > 0)`,
);

const ACKNOWLEDGE = statement(
  'alerts-acknowledge',
  `WITH acknowledged AS (
     UPDATE alert SET acknowledged_at = clock_timestamp(), acknowledged_by = $2, acknowledged_note = $3
     WHERE id = $1 AND acknowledged_at IS NULL
     RETURNING id
   )
   SELECT id FROM acknowledged`,
);

const OPEN = `resolved_at IS NULL AND acknowledged_at IS NULL`;

const OPEN_COUNT = statement(
  'alerts-open-count',
  `SELECT count(*)::int AS count FROM alert WHERE ${OPEN} AND merchant_id IS NOT DISTINCT FROM $1`,
);

const OPEN_BY_KIND = statement(
  'alerts-open-by-kind',
  `SELECT kind, count(*)::int AS count,
          extract(epoch FROM clock_timestamp() - min(raised_at))::float8 AS "oldestAgeS"
   FROM alert WHERE ${OPEN} GROUP BY kind`,
);

/** The rows of the alerts. */
@Injectable()
export class AlertsRepository {
  constructor(private readonly dataSource: DataSource) {}

  async raise(tx: EntityManager, id: string, alert: NewAlert, channels: readonly Channel[]): Promise<void> {
    const { merchantId, kind, subject, summary, detail, data = {} } = alert;
    await run(tx, RAISE, [
      id,
      merchantId,
      kind,
      subject,
      summary,
      detail,
      JSON.stringify(data),
      [...channels],
    ]);
  }

  /** @param tellWebhook whether there is somebody to tell that it is over */
  async resolve(
    tx: EntityManager,
    kind: AlertKind,
    subject: string,
    unseenForS: number,
    tellWebhook: boolean,
  ): Promise<void> {
    await run(tx, RESOLVE, [kind, subject, unseenForS, tellWebhook]);
  }

  /** @returns whether this was the first */
  async acknowledge(tx: EntityManager, id: string, by: string, note: string | null): Promise<boolean> {
    return (await run(tx, ACKNOWLEDGE, [id, by, note])).length > 0;
  }

  async find(tx: EntityManager, id: string): Promise<AlertEntity | null> {
    return tx.findOneBy(AlertEntity, { id });
  }

  async standing(kind: AlertKind, subject: string): Promise<AlertEntity | null> {
    return this.dataSource.getRepository(AlertEntity).findOneBy({ kind, subject, resolvedAt: IsNull() });
  }

  async standingSubjects(kinds: readonly AlertKind[]): Promise<AlertSubject[]> {
    return this.dataSource
      .getRepository(AlertEntity)
      .find({ select: { kind: true, subject: true }, where: { kind: In(kinds), resolvedAt: IsNull() } });
  }

  /** Newest first. */
  async list(filter: AlertFilter, limit: number, offset: number): Promise<AlertPage> {
    const { merchantId, open } = filter;
    const [items, total] = await this.dataSource.getRepository(AlertEntity).findAndCount({
      where: {
        ...(merchantId === undefined ? {} : { merchantId: merchantId ?? IsNull() }),
        ...(open ? { resolvedAt: IsNull(), acknowledgedAt: IsNull() } : {}),
      },
      order: { raisedAt: 'DESC', id: 'DESC' },
      take: limit,
      skip: offset,
    });
    return { items, total };
  }

  async openCount(merchantId: string | null): Promise<number> {
    const [row] = await run<{ count: number }>(this.dataSource, OPEN_COUNT, [merchantId]);
    return row?.count ?? 0;
  }

  async openByKind(): Promise<OpenAlerts[]> {
    return run<OpenAlerts>(this.dataSource, OPEN_BY_KIND, []);
  }
}
