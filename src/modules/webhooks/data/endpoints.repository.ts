import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, IsNull } from 'typeorm';
import {
  type EndpointEvent,
  type EndpointHealth,
  type EndpointRef,
  type EndpointTrouble,
  MOST_COUNTED,
  type WebhookBacklog,
} from '../webhooks.types.js';
import { follow } from './follow.statement.js';
import { endpointsWith, IS_IN, waitsFor } from './waiting-delivery.sql.js';
import { WebhookEndpointEntity } from './webhook-endpoint.entity.js';

/** How long the old secret signs beside the new one: a day to put the new one in place. */
const DOUBLE_SIGNATURE_HOURS = 24;

/** How far back the last arrival is looked for: an endpoint that is disabled for months has a long row of held ones. */
const LATEST = 1_000;

/** Of an endpoint `taking`. */
const PENDING = (['due', 'delayed'] as const).map((place) => `d.endpoint_id = taking.id AND ${IS_IN[place]}`);

/** By a probe or two for each endpoint for which anything waits, and no further than is counted. */
const BACKLOG = `
  WITH RECURSIVE with_due AS (${endpointsWith('due')}), with_delayed AS (${endpointsWith('delayed')}),
  taking AS MATERIALIZED (
    SELECT e.id FROM webhook_endpoint e
    WHERE e.id IN (SELECT endpoint_id FROM with_due UNION SELECT endpoint_id FROM with_delayed)
      AND e.disabled_at IS NULL AND e.deleted_at IS NULL
  )
  SELECT (SELECT count(*) FROM (
            SELECT FROM taking CROSS JOIN LATERAL (${PENDING.map((where) => `(SELECT FROM delivery d WHERE ${where} LIMIT ${MOST_COUNTED})`).join(' UNION ALL ')}
            ) waits LIMIT ${MOST_COUNTED}) counted) AS pending,
         (SELECT greatest(0, coalesce(extract(epoch FROM now() - min(oldest.next_attempt_at)), 0))
          FROM taking CROSS JOIN LATERAL (${PENDING.map((where) => `(SELECT next_attempt_at FROM delivery d WHERE ${where} ORDER BY next_attempt_at LIMIT 1)`).join(' UNION ALL ')}
          ) oldest) AS "oldestAgeS",
         (SELECT count(*) FROM delivery WHERE state = 'sending') AS sending`;

export interface NewEndpoint {
  readonly id: string;
  readonly merchantId: string;
  readonly url: string;
  readonly events: readonly EndpointEvent[];
  readonly sealedSecret: string;
}

/** Endpoints, and what follows of a change to one. Endpoint first, deliveries second: one lock order. */
@Injectable()
export class EndpointsRepository {
  constructor(private readonly dataSource: DataSource) {}

  async insertUpTo(
    tx: EntityManager,
    limit: number,
    endpoint: NewEndpoint,
  ): Promise<WebhookEndpointEntity | null> {
    const { id, merchantId, url, events, sealedSecret } = endpoint;
    // Two creations at once must not both find nine. A statement of its own: the count needs a later snapshot.
    await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('webhook_endpoint:' || $1, 0))`, [
      merchantId,
    ]);
    if ((await tx.countBy(WebhookEndpointEntity, { merchantId, deletedAt: IsNull() })) >= limit) return null;
    await tx.insert(WebhookEndpointEntity, {
      id,
      merchantId,
      url,
      events: [...events],
      secret: sealedSecret,
    });
    return tx.findOneByOrFail(WebhookEndpointEntity, { id });
  }

  async list(merchantId: string): Promise<WebhookEndpointEntity[]> {
    return this.dataSource.manager.find(WebhookEndpointEntity, {
      where: { merchantId, deletedAt: IsNull() },
      order: { id: 'ASC' },
    });
  }

  /** Those that fail or were disabled; what waits for each is counted as on its own page. */
  troubles(merchantId: string): Promise<EndpointTrouble[]> {
    return this.dataSource.query<EndpointTrouble[]>(
      `SELECT id AS "endpointId", url, disabled_at IS NOT NULL AS disabled, waiting
       FROM webhook_endpoint e CROSS JOIN LATERAL (
         SELECT count(*)::int AS waiting FROM (${waitsFor('e')} LIMIT ${MOST_COUNTED}) waits) w
       WHERE merchant_id = $1 AND deleted_at IS NULL
         AND CASE WHEN disabled_at IS NULL THEN settling_since IS NULL
             AND (EXISTS (SELECT FROM delivery WHERE endpoint_id = e.id AND state = 'pending' AND attempts > 0)
                  OR EXISTS (SELECT FROM delivery WHERE endpoint_id = e.id AND state = 'held'))
           ELSE disabled_reason <> 'by-merchant' END
       ORDER BY id`,
      [merchantId],
    );
  }

  async find({ merchantId, endpointId }: EndpointRef): Promise<WebhookEndpointEntity | null> {
    return this.dataSource.manager.findOneBy(WebhookEndpointEntity, {
      id: endpointId,
      merchantId,
      deletedAt: IsNull(),
    });
  }

  /** Of a deleted one too. @returns null for an unknown endpoint */
  async ownerOf(id: string): Promise<string | null> {
    return (await this.dataSource.manager.findOneBy(WebhookEndpointEntity, { id }))?.merchantId ?? null;
  }

  /** The present secret goes on signing for a day. @returns false when the merchant has no such endpoint. */
  async replaceSecret(tx: EntityManager, ref: EndpointRef, sealedSecret: string): Promise<boolean> {
    return this.change(
      tx,
      ref,
      `previous_secret = secret, secret = $3,
       previous_secret_until = clock_timestamp() + interval '${DOUBLE_SIGNATURE_HOURS} hours'`,
      sealedSecret,
    );
  }

  async replaceUrl(tx: EntityManager, ref: EndpointRef, url: string): Promise<boolean> {
    return this.change(tx, ref, 'url = $3', url);
  }

  async replaceEvents(
    tx: EntityManager,
    ref: EndpointRef,
    events: readonly EndpointEvent[],
  ): Promise<boolean> {
    return this.change(tx, ref, 'events = $3, events_changed_at = clock_timestamp()', events);
  }

  async delete(tx: EntityManager, ref: EndpointRef): Promise<boolean> {
    return this.changeState(tx, ref, 'deleted_at = clock_timestamp(), notice_due = false');
  }

  /** `null` when the merchant has no such endpoint. */
  async lockState(
    tx: EntityManager,
    { merchantId, endpointId: id }: EndpointRef,
  ): Promise<'enabled' | 'disabled' | null> {
    const where = { id, merchantId, deletedAt: IsNull() };
    const endpoint = await tx.findOne(WebhookEndpointEntity, { where, lock: { mode: 'for_no_key_update' } });
    if (!endpoint) return null;
    return endpoint.disabledAt === null ? 'enabled' : 'disabled';
  }

  async disable(tx: EntityManager, ref: EndpointRef): Promise<boolean> {
    return this.changeState(
      tx,
      ref,
      `disabled_at = coalesce(disabled_at, clock_timestamp()),
       disabled_reason = coalesce(disabled_reason, 'by-merchant')`,
    );
  }

  /**
   * What was held starts its schedule again, in its old order, or is given up. Numbers tell which that is: what is written for
   * the enabled endpoint has a higher one than anything that can be seen before.
   */
  async enable(tx: EntityManager, ref: EndpointRef, sendHeld: boolean): Promise<boolean> {
    const givenUpTo = sendHeld
      ? 'given_up_to'
      : 'CASE WHEN disabled_at IS NULL THEN given_up_to ELSE (SELECT max(id) FROM delivery) END';
    return this.changeState(
      tx,
      ref,
      `disabled_at = NULL, disabled_reason = NULL, notice_due = false, failures_since = NULL,
       consecutive_failures = 0, given_up_to = ${givenUpTo},
       settling_since = CASE WHEN disabled_at IS NULL THEN settling_since ELSE clock_timestamp() END`,
    );
  }

  /** Which were disabled by us and whose merchants have not been told. */
  async dueNotices(limit: number): Promise<string[]> {
    const due = await this.dataSource.manager.find(WebhookEndpointEntity, {
      select: { id: true },
      where: { noticeDue: true },
      order: { id: 'ASC' },
      take: limit,
    });
    return due.map(({ id }) => id);
  }

  /** Its merchant is told in this transaction. @returns `null` where another has done so */
  async takeNotice(tx: EntityManager, id: string): Promise<WebhookEndpointEntity | null> {
    const { affected } = await tx.update(
      WebhookEndpointEntity,
      { id, noticeDue: true },
      { noticeDue: false },
    );
    return affected === 1 ? tx.findOneBy(WebhookEndpointEntity, { id }) : null;
  }

  async health(merchantId: string): Promise<EndpointHealth[]> {
    return this.dataSource.query<EndpointHealth[]>(
      `SELECT w.id AS "endpointId", w.failures_since AS "failingSince",
              (SELECT max(delivered_at) FROM (
                 SELECT delivered_at FROM delivery WHERE endpoint_id = w.id
                 ORDER BY created_at DESC, id DESC LIMIT ${LATEST}
               ) latest) AS "lastArrivedAt",
              CASE WHEN w.disabled_at IS NULL THEN waits.number ELSE 0 END AS waiting,
              CASE WHEN w.disabled_at IS NULL THEN 0 ELSE waits.number END AS held
       FROM webhook_endpoint w
       CROSS JOIN LATERAL (SELECT count(*)::int AS number FROM (${waitsFor('w')} LIMIT ${MOST_COUNTED}) s) waits
       WHERE w.merchant_id = $1 AND w.deleted_at IS NULL ORDER BY w.id`,
      [merchantId],
    );
  }

  async backlog(): Promise<WebhookBacklog> {
    const [row] =
      await this.dataSource.query<[{ pending: string; oldestAgeS: string; sending: string }]>(BACKLOG);
    const { pending, oldestAgeS, sending } = row;
    return { pending: Number(pending), oldestAgeS: Number(oldestAgeS), sending: Number(sending) };
  }

  private async change(
    tx: EntityManager,
    { merchantId, endpointId }: EndpointRef,
    assignments: string,
    ...values: unknown[]
  ): Promise<boolean> {
    const [rows] = await tx.query<[unknown[], number]>(
      `UPDATE webhook_endpoint SET ${assignments}
       WHERE id = $1 AND merchant_id = $2 AND deleted_at IS NULL RETURNING id`,
      [endpointId, merchantId, ...values],
    );
    return rows.length > 0;
  }

  /** Few deliveries follow with the change, more of them later. */
  private async changeState(tx: EntityManager, ref: EndpointRef, assignments: string): Promise<boolean> {
    const found = await this.change(tx, ref, assignments);
    if (found) await follow(tx, ref.endpointId);
    return found;
  }
}
