import { Injectable } from '@nestjs/common';
import { DataSource, IsNull, type EntityManager } from 'typeorm';
import type { EndpointRef, EndpointTrouble, WebhookBacklog } from '../webhooks.types.js';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';

/** How long the old secret signs beside the new one (PRODUCT). */
const DOUBLE_SIGNATURE_HOURS = 24;

export interface NewEndpoint {
  readonly id: string;
  readonly merchantId: string;
  readonly url: string;
  readonly sealedSecret: string;
}

/** Endpoints and what a change to one does to its deliveries. Endpoint first, deliveries second: one lock order. */
@Injectable()
export class EndpointRepository {
  constructor(private readonly dataSource: DataSource) {}

  async insertUpTo(limit: number, endpoint: NewEndpoint): Promise<WebhookEndpoint | null> {
    return this.dataSource.transaction(async (tx) => {
      // Two creations at once must not both find nine. A statement of its own: the count needs a later snapshot.
      await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('webhook_endpoint:' || $1, 0))`, [
        endpoint.merchantId,
      ]);
      const present = await tx.countBy(WebhookEndpoint, {
        merchantId: endpoint.merchantId,
        deletedAt: IsNull(),
      });
      if (present >= limit) return null;
      const { id, merchantId, url, sealedSecret } = endpoint;
      await tx.insert(WebhookEndpoint, { id, merchantId, url, secret: sealedSecret });
      return tx.findOneByOrFail(WebhookEndpoint, { id });
    });
  }

  async list(merchantId: string): Promise<WebhookEndpoint[]> {
    return this.dataSource.manager.find(WebhookEndpoint, {
      where: { merchantId, deletedAt: IsNull() },
      order: { id: 'ASC' },
    });
  }

  /** Each count stops early: that there is trouble matters, not how many thousands. */
  troubles(merchantId: string): Promise<EndpointTrouble[]> {
    return this.dataSource.query<EndpointTrouble[]>(
      `SELECT id AS "endpointId", url, disabled_at IS NOT NULL AS disabled, waiting
       FROM webhook_endpoint e CROSS JOIN LATERAL (
         SELECT count(*)::int AS waiting FROM (
           SELECT FROM delivery WHERE endpoint_id = e.id AND state = 'pending' AND attempts > 0
           UNION ALL SELECT FROM delivery WHERE endpoint_id = e.id AND state = 'held'
           LIMIT 1000) waits) w
       WHERE merchant_id = $1 AND deleted_at IS NULL
         AND CASE WHEN disabled_at IS NULL THEN waiting > 0 ELSE disabled_reason <> 'by-merchant' END
       ORDER BY id`,
      [merchantId],
    );
  }

  async find({ merchantId, endpointId }: EndpointRef): Promise<WebhookEndpoint | null> {
    return this.dataSource.manager.findOneBy(WebhookEndpoint, {
      id: endpointId,
      merchantId,
      deletedAt: IsNull(),
    });
  }

  /** Of a deleted one too. @returns null for an unknown endpoint */
  async ownerOf(id: string): Promise<string | null> {
    return (await this.dataSource.manager.findOneBy(WebhookEndpoint, { id }))?.merchantId ?? null;
  }

  /** The present secret goes on signing for a day. @returns false when the merchant has no such endpoint. */
  async replaceSecret(ref: EndpointRef, sealedSecret: string): Promise<boolean> {
    return this.change(
      this.dataSource.manager,
      ref,
      `previous_secret = secret, secret = $3,
       previous_secret_until = clock_timestamp() + interval '${DOUBLE_SIGNATURE_HOURS} hours'`,
      sealedSecret,
    );
  }

  async replaceUrl(ref: EndpointRef, url: string): Promise<boolean> {
    return this.change(this.dataSource.manager, ref, 'url = $3', url);
  }

  async delete(tx: EntityManager, ref: EndpointRef): Promise<boolean> {
    const found = await this.change(tx, ref, 'deleted_at = clock_timestamp(), notice_due = false');
    if (found) await this.move(tx, ref, `state = 'failed'`, `state IN ('pending', 'held')`);
    return found;
  }

  async disable(ref: EndpointRef): Promise<boolean> {
    return this.dataSource.transaction(async (tx) => {
      const found = await this.change(
        tx,
        ref,
        `disabled_at = coalesce(disabled_at, clock_timestamp()),
         disabled_reason = coalesce(disabled_reason, 'by-merchant')`,
      );
      if (found) await this.move(tx, ref, `state = 'held'`, `state = 'pending'`);
      return found;
    });
  }

  /** What was held starts its schedule again, in its old order, or is given up. */
  async enable(tx: EntityManager, ref: EndpointRef, sendHeld: boolean): Promise<boolean> {
    const found = await this.change(
      tx,
      ref,
      `disabled_at = NULL, disabled_reason = NULL, notice_due = false, failures_since = NULL,
       consecutive_failures = 0`,
    );
    const released = `state = 'pending', attempts = 0, next_attempt_at = least(next_attempt_at, created_at)`;
    if (found) await this.move(tx, ref, sendHeld ? released : `state = 'failed'`, `state = 'held'`);
    return found;
  }

  async backlog(): Promise<WebhookBacklog> {
    const [row] = await this.dataSource.query<[{ pending: string; oldest_age_s: string }]>(
      `SELECT count(*) AS pending,
              greatest(0, coalesce(extract(epoch FROM now() - min(next_attempt_at)), 0)) AS oldest_age_s
       FROM delivery WHERE state = 'pending'`,
    );
    return { pending: Number(row.pending), oldestAgeS: Number(row.oldest_age_s) };
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

  private async move(
    tx: EntityManager,
    { endpointId }: EndpointRef,
    assignments: string,
    where: string,
  ): Promise<void> {
    await tx.query(`UPDATE delivery SET ${assignments} WHERE endpoint_id = $1 AND ${where}`, [endpointId]);
  }
}
