import { Injectable } from '@nestjs/common';
import { DataSource, IsNull, type EntityManager } from 'typeorm';
import type { WebhookBacklog } from '../webhooks.types.js';
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

  /** The present secret goes on signing for a day. @returns false when there is no such endpoint. */
  async replaceSecret(id: string, sealedSecret: string): Promise<boolean> {
    return this.change(
      this.dataSource.manager,
      `previous_secret = secret, secret = $2,
       previous_secret_until = clock_timestamp() + interval '${DOUBLE_SIGNATURE_HOURS} hours'`,
      [id, sealedSecret],
    );
  }

  async delete(id: string): Promise<boolean> {
    return this.dataSource.transaction(async (tx) => {
      const found = await this.change(tx, 'deleted_at = clock_timestamp()', [id]);
      if (found) await this.move(tx, id, `state = 'failed'`, `state IN ('pending', 'held')`);
      return found;
    });
  }

  async disable(id: string): Promise<boolean> {
    return this.dataSource.transaction(async (tx) => {
      const found = await this.change(
        tx,
        `disabled_at = coalesce(disabled_at, clock_timestamp()),
         disabled_reason = coalesce(disabled_reason, 'by-merchant')`,
        [id],
      );
      if (found) await this.move(tx, id, `state = 'held'`, `state = 'pending'`);
      return found;
    });
  }

  /** What was held starts its schedule again, in its old order, or is given up. */
  async enable(id: string, sendHeld: boolean): Promise<boolean> {
    return this.dataSource.transaction(async (tx) => {
      const found = await this.change(
        tx,
        `disabled_at = NULL, disabled_reason = NULL, failures_since = NULL, consecutive_failures = 0`,
        [id],
      );
      const released = `state = 'pending', attempts = 0, next_attempt_at = least(next_attempt_at, created_at)`;
      if (found) await this.move(tx, id, sendHeld ? released : `state = 'failed'`, `state = 'held'`);
      return found;
    });
  }

  async backlog(): Promise<WebhookBacklog> {
    const [row] = await this.dataSource.query<[{ pending: string; oldest_age_s: string }]>(
      `SELECT count(*) AS pending,
              greatest(0, coalesce(extract(epoch FROM now() - min(next_attempt_at)), 0)) AS oldest_age_s
       FROM delivery WHERE state = 'pending'`,
    );
    return { pending: Number(row.pending), oldestAgeS: Number(row.oldest_age_s) };
  }

  private async change(tx: EntityManager, assignments: string, values: unknown[]): Promise<boolean> {
    const [rows] = await tx.query<[unknown[], number]>(
      `UPDATE webhook_endpoint SET ${assignments} WHERE id = $1 AND deleted_at IS NULL RETURNING id`,
      values,
    );
    return rows.length > 0;
  }

  private async move(tx: EntityManager, id: string, assignments: string, where: string): Promise<void> {
    await tx.query(`UPDATE delivery SET ${assignments} WHERE endpoint_id = $1 AND ${where}`, [id]);
  }
}
