import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type {
  AttemptView,
  DeliveryRef,
  DeliveryState,
  DeliveryView,
  EndpointRef,
} from '../webhooks.types.js';
import { belongs } from './waiting-delivery.sql.js';

/** Rows of one statement of a redelivery: enough to be quick, few enough to hold their locks for an instant. */
const REDELIVER_BATCH = 1_000;

/** Attempts of one delivery: ten of each run through the schedule, so this is ten redeliveries and more. */
const ATTEMPTS_SHOWN = 100;

export interface DeliveryRange {
  readonly state: DeliveryState | null;
  readonly failed: boolean;
  readonly since: Date | null;
  readonly after: string | null;
  readonly limit: number;
}

/** What a request is made of: sealed secrets, the current one first, and the time to sign with. */
export interface DeliveryContent {
  readonly endpointId: string;
  readonly eventId: string;
  readonly url: string;
  readonly body: string;
  readonly secret: string;
  readonly previousSecret: string | null;
  readonly now: Date;
}

/** Aliases d (delivery), e (event), w (endpoint): every query joins all three, so none forgets the merchant. */
const VIEW = `
  d.id, d.endpoint_id AS "endpointId", d.event_id AS "eventId", e.type AS "eventType", e.subject, e.sequence,
  s.state, d.attempts, d.created_at AS "createdAt", d.delivered_at AS "deliveredAt",
  CASE WHEN s.state = 'pending' THEN d.next_attempt_at END AS "nextAttemptAt",
  a.started_at AS "startedAt", a.duration_ms AS "durationMs", a.http_status AS "httpStatus", a.error`;
const FROM = `
  JOIN event e ON e.id = d.event_id
  JOIN webhook_endpoint w ON w.id = d.endpoint_id
  CROSS JOIN LATERAL (
    SELECT CASE WHEN d.state IN ('pending', 'held') THEN ${belongs('d', 'w')} ELSE d.state END AS state
  ) s
  LEFT JOIN LATERAL (
    SELECT started_at, duration_ms, http_status, error FROM delivery_attempt
    WHERE delivery_id = d.id ORDER BY id DESC LIMIT 1
  ) a ON true`;

type Row = Omit<DeliveryView, 'lastAttempt'> & {
  startedAt: Date | null;
  durationMs: number;
  httpStatus: number | null;
  error: string | null;
};

/** The log of deliveries as their merchant sees it, and what starts them again. */
@Injectable()
export class DeliveriesRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Newest first, also of a deleted endpoint. */
  async list({ merchantId, endpointId }: EndpointRef, range: DeliveryRange): Promise<DeliveryView[]> {
    const rows = await this.dataSource.query<Row[]>(
      `SELECT ${VIEW}
       FROM (${range.failed ? FAILED : bounded(range.state ? `state = '${range.state}'` : 'true')} ORDER BY created_at DESC, id DESC LIMIT $4) d ${FROM}
       WHERE w.merchant_id = $5
       ORDER BY d.created_at DESC, d.id DESC`,
      [endpointId, range.since, range.after, range.limit, merchantId],
    );
    return rows.map(viewOf);
  }

  /** Every endpoint's deliveries of one subject's events (an intent's), oldest first. */
  async listOfSubject(merchantId: string, subject: string): Promise<DeliveryView[]> {
    const rows = await this.dataSource.query<Row[]>(
      `SELECT ${VIEW} FROM delivery d ${FROM}
       WHERE e.subject = $1 AND e.merchant_id = $2 AND w.merchant_id = $2 ORDER BY e.sequence, d.id`,
      [subject, merchantId],
    );
    return rows.map(viewOf);
  }

  async find({ merchantId, deliveryId }: DeliveryRef): Promise<DeliveryView | null> {
    const [row] = await this.dataSource.query<Row[]>(
      `SELECT ${VIEW} FROM delivery d ${FROM} WHERE d.id = $1 AND w.merchant_id = $2`,
      [deliveryId, merchantId],
    );
    return row ? viewOf(row) : null;
  }

  async content({ merchantId, deliveryId }: DeliveryRef): Promise<DeliveryContent | null> {
    const [row] = await this.dataSource.query<DeliveryContent[]>(
      `SELECT w.id AS "endpointId", e.id AS "eventId", w.url, e.body, w.secret, clock_timestamp() AS now,
              CASE WHEN w.previous_secret_until > now() THEN w.previous_secret END AS "previousSecret"
       FROM delivery d JOIN event e ON e.id = d.event_id JOIN webhook_endpoint w ON w.id = d.endpoint_id
       WHERE d.id = $1 AND w.merchant_id = $2`,
      [deliveryId, merchantId],
    );
    return row ?? null;
  }

  async ownerOf(deliveryId: string): Promise<string | null> {
    const [row] = await this.dataSource.query<{ merchantId: string }[]>(
      `SELECT w.merchant_id AS "merchantId" FROM delivery d JOIN webhook_endpoint w ON w.id = d.endpoint_id WHERE d.id = $1`,
      [deliveryId],
    );
    return row?.merchantId ?? null;
  }

  /** Newest first. */
  async attempts(deliveryId: string): Promise<AttemptView[]> {
    return this.dataSource.query<AttemptView[]>(
      `SELECT id, number, started_at AS "startedAt", duration_ms AS "durationMs", http_status AS "httpStatus",
              error, response
       FROM delivery_attempt WHERE delivery_id = $1 ORDER BY id DESC LIMIT ${ATTEMPTS_SHOWN}`,
      [deliveryId],
    );
  }

  /** A fresh run through the schedule, beginning now. @returns false when its state, or its endpoint's, forbids it */
  async restart(tx: EntityManager, { merchantId, deliveryId }: DeliveryRef): Promise<boolean> {
    const [rows] = await tx.query<[unknown[], number]>(
      `UPDATE delivery d SET ${FRESH}
       FROM webhook_endpoint w
       WHERE d.id = $1 AND d.state <> 'sending' AND ${TAKEN} AND w.merchant_id = $2
       RETURNING d.id`,
      [deliveryId, merchantId],
    );
    return rows.length > 0;
  }

  /**
   * The same for everything that failed and was written since. In batches, in the order of the indexes, each row visited once:
   * what fails again while the rest is being restarted is not restarted again. @returns how many
   */
  async restartFailed(endpointId: string, since: Date): Promise<number> {
    let restarted = 0;
    for (const batch of [RESTART_WAITING, RESTART_FAILED]) {
      for (let after: Place | undefined = { at: since, id: '0' }; after;) {
        const [last]: (Place & { rows: number })[] = await this.dataSource.query(batch, [
          endpointId,
          after.at,
          after.id,
        ]);
        restarted += last?.rows ?? 0;
        after = last?.rows === REDELIVER_BATCH ? last : undefined;
      }
    }
    return restarted;
  }
}

/** Of a delivery `d` and an endpoint `w`: that it is its endpoint's, and would be sent there now. */
const TAKEN = `d.endpoint_id = w.id AND ${belongs('d', 'w')} = 'pending'`;

const FRESH = `state = 'pending', delayed = false, attempts = 0, next_attempt_at = clock_timestamp()`;

/** Where a batch ended. The time as the database says it, which is finer than ours. */
interface Place {
  readonly at: Date | string;
  readonly id: string;
}

/** $1 endpoint, $2, $3 after. @returns the last of the batch, and how many it has */
const restartOf = (which: string) => `
  WITH found AS (
    SELECT d.id, d.created_at FROM webhook_endpoint w JOIN delivery d ON ${TAKEN}
    WHERE w.id = $1 AND ${which} AND (d.created_at, d.id) > ($2::timestamptz, $3::bigint)
    ORDER BY d.created_at, d.id LIMIT ${REDELIVER_BATCH} FOR UPDATE OF d
  ),
  restarted AS (UPDATE delivery d SET ${FRESH} FROM found WHERE d.id = found.id RETURNING d.id, d.created_at)
  SELECT created_at::text AS at, id, (count(*) OVER ())::int AS rows FROM restarted
  ORDER BY created_at DESC, id DESC LIMIT 1`;

/** Before the other: what failed waits as soon as it is restarted, and what waits has not failed before its last try. */
const RESTART_WAITING = restartOf(`d.state = 'pending' AND d.attempts > 0`);
const RESTART_FAILED = restartOf(`d.state = 'failed'`);

/** $1 endpoint, $2 since or null, $3 after or null, $4 limit. */
function bounded(condition: string): string {
  return `SELECT * FROM delivery
    WHERE endpoint_id = $1 AND ${condition} AND created_at >= coalesce($2::timestamptz, '-infinity')
      AND ($3::bigint IS NULL OR
           (created_at, id) < (SELECT created_at, id FROM delivery WHERE id = $3 AND endpoint_id = $1))`;
}

/** One branch per partial index: what failed is few, and must not be looked for among all that arrived. */
const FAILED = ['failed', 'pending', 'held']
  .map((state) => bounded(`state = '${state}'` + (state === 'failed' ? '' : ' AND attempts > 0')))
  .map((branch) => `(${branch} ORDER BY created_at DESC, id DESC LIMIT $4)`)
  .join(' UNION ALL ');

function viewOf({ startedAt, durationMs, httpStatus, error, ...rest }: Row): DeliveryView {
  return { ...rest, lastAttempt: startedAt && { startedAt, durationMs, httpStatus, error } };
}
