import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { newId } from '../../../../kernel/ids.js';
import type { Backlog } from '../../payments.types.js';
import type { Money, ReviewDecision, ReviewReason } from '../../reviews.types.js';
import { ReviewDecisionEntity } from './review-decision.entity.js';
import { ReviewEntryEntity } from './review-entry.entity.js';

/** In the queue what was punctual comes first, because it was our fault; then the oldest. */
const QUEUE = `
  SELECT intent_id AS "intentId", merchant_id AS "merchantId", reason, transfers, opened_at AS "openedAt"
  FROM review_entry WHERE $1::text IS NULL OR merchant_id = $1
  ORDER BY reason <> 'in-time-seen-late', opened_at, intent_id LIMIT $2`;

const BACKLOG = `
  SELECT count(*)::int AS count,
         coalesce(extract(epoch FROM clock_timestamp() - min(opened_at)), 0)::float8 AS "oldestAgeS"
  FROM review_entry`;

export type NewDecision = Pick<ReviewDecision, 'intentId' | 'kind' | 'actor' | 'note' | 'transfers'>;

export interface NewRefund {
  /** As it was typed. */
  readonly typed: string;
  readonly money: Money;
  readonly txid: string | null;
}

/** The rows of the review queue and of what was decided in it. */
@Injectable()
export class ReviewsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Opens or updates the entry of an intent. Called under the intent's lock. */
  async put(
    tx: EntityManager,
    intent: { id: string; merchantId: string },
    transfers: string[],
    reason: ReviewReason,
  ): Promise<void> {
    const { id: intentId, merchantId } = intent;
    await tx.upsert(ReviewEntryEntity, { intentId, merchantId, reason, transfers }, ['intentId']);
  }

  /** Nothing of it waits for a decision any more. Called under the intent's lock. */
  async close(tx: EntityManager, intentId: string): Promise<void> {
    await tx.delete(ReviewEntryEntity, { intentId });
  }

  async decided(
    tx: EntityManager,
    decision: NewDecision,
    refund: NewRefund | null = null,
    id = newId('rev'),
  ): Promise<void> {
    const transfers = [...decision.transfers];
    await tx.insert(ReviewDecisionEntity, {
      ...decision,
      transfers,
      ...(refund && refundColumns(refund)),
      id,
    });
  }

  /** Whether its end was `intent close`: nothing decides about it by itself any more. */
  async isClosedByOperator(tx: EntityManager, intentId: string): Promise<boolean> {
    const rows = await tx.query<unknown[]>(
      `SELECT FROM transition WHERE intent_id = $1 AND cause = 'closed-by-operator'`,
      [intentId],
    );
    return rows.length > 0;
  }

  async queue(merchantId: string | null, limit: number): Promise<ReviewEntryEntity[]> {
    return this.dataSource.query<ReviewEntryEntity[]>(QUEUE, [merchantId, limit]);
  }

  async find(
    intentId: string,
    on: EntityManager = this.dataSource.manager,
  ): Promise<ReviewEntryEntity | null> {
    return on.findOneBy(ReviewEntryEntity, { intentId });
  }

  countOf(merchantId: string): Promise<number> {
    return this.dataSource.getRepository(ReviewEntryEntity).countBy({ merchantId });
  }

  async countsOf(merchantIds: readonly string[]): Promise<{ merchantId: string; count: number }[]> {
    return this.dataSource.query(
      `SELECT merchant_id AS "merchantId", count(*)::int AS count FROM review_entry
       WHERE merchant_id = ANY ($1) GROUP BY 1`,
      [merchantIds],
    );
  }

  /** Oldest first. */
  async decisions(intentId: string, on: EntityManager = this.dataSource.manager): Promise<ReviewDecision[]> {
    const order = { createdAt: 'ASC', id: 'ASC' } as const;
    return (await on.find(ReviewDecisionEntity, { where: { intentId }, order })).map(toDecision);
  }

  /** What waits for a decision, everybody's. */
  async backlog(): Promise<Backlog> {
    const [row] = await this.dataSource.query<[Backlog]>(BACKLOG);
    return row;
  }
}

function refundColumns({ typed, money, txid }: NewRefund) {
  const { network, asset, decimals, atoms } = money;
  return {
    refundAmount: typed,
    refundTxid: txid,
    refundNetwork: network,
    refundAsset: asset,
    refundDecimals: decimals,
    refundAtoms: atoms,
  };
}

function toDecision(row: ReviewDecisionEntity): ReviewDecision {
  const {
    id,
    intentId,
    kind,
    actor,
    note,
    transfers,
    createdAt,
    refundAmount: typed,
    refundTxid: txid,
  } = row;
  const refund = kind === 'refund' ? { typed, money: moneyOf(row), txid } : null;
  return { id, intentId, kind, actor, note, transfers, refund, createdAt };
}

/** The database holds all four or none. */
function moneyOf(row: ReviewDecisionEntity): Money | null {
  const { refundNetwork: network, refundAsset: asset, refundDecimals: decimals, refundAtoms: atoms } = row;
  return network !== null && asset !== null && decimals !== null && atoms !== null
    ? { network, asset, decimals, atoms }
    : null;
}
