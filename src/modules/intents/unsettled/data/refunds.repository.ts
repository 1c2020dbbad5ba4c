import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import {
  NOT_REFUSED,
  paymentsLock,
  type RefundRow,
  refundsWhere,
  SEARCHED_FOR,
} from './find-refunds.statement.js';

export type NewRefundRow = Pick<
  RefundRow,
  | 'id'
  | 'intentId'
  | 'merchantId'
  | 'network'
  | 'asset'
  | 'decimals'
  | 'atoms'
  | 'amount'
  | 'address'
  | 'transfers'
  | 'actor'
  | 'note'
  | 'askedHeight'
>;

/** As deep as the latest money of its kind had to be. */
const INSERT = `
  INSERT INTO refund (id, intent_id, merchant_id, network, asset, decimals, atoms, amount, address, transfers, actor,
                      note, asked_height, searched_height, depth)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13,
    coalesce((SELECT u.depth FROM unsettled_money u WHERE u.intent_id = $2 AND u.network = $4 AND u.asset = $5
               ORDER BY u.sequence DESC LIMIT 1),
             (SELECT q.settlement_depth FROM quote q WHERE q.intent_id = $2 AND q.network = $4 AND q.asset = $5),
             'finalized'))`;

/** The rows of refunds that are made on a chain, and what people decide of them, under the intent's lock. */
@Injectable()
export class RefundsRepository {
  constructor(private readonly dataSource: DataSource) {}

  async add(tx: EntityManager, row: NewRefundRow): Promise<void> {
    const { id, intentId, merchantId, network, asset, decimals, atoms, amount, address } = row;
    await tx.query(INSERT, [
      id,
      intentId,
      merchantId,
      network,
      asset,
      decimals,
      atoms.toString(),
      amount,
      address,
      row.transfers,
      row.actor,
      row.note,
      row.askedHeight,
    ]);
  }

  async find(id: string, on: DataSource | EntityManager = this.dataSource): Promise<RefundRow | null> {
    return (await refundsWhere(on, 'f.id = $1', [id]))[0] ?? null;
  }

  /** The latest first. */
  list(merchantId: string | null, limit: number): Promise<RefundRow[]> {
    return refundsWhere(
      this.dataSource,
      `($1::text IS NULL OR f.merchant_id = $1) ORDER BY f.created_at DESC, f.id DESC LIMIT $2`,
      [merchantId, limit],
    );
  }

  /** Oldest first. */
  ofIntent(intentId: string): Promise<RefundRow[]> {
    return refundsWhere(this.dataSource, 'f.intent_id = $1 ORDER BY f.created_at, f.id', [intentId]);
  }

  /** Money that is on its way back: nobody may take it as a price meanwhile. */
  async transfersOnTheirWayBack(tx: EntityManager, intentId: string): Promise<string[]> {
    const rows = await tx.query<{ id: string }[]>(
      `SELECT DISTINCT unnest(f.transfers) AS id FROM refund f
        WHERE f.intent_id = $1 AND f.state IN ('asked', 'sent', 'seen')`,
      [intentId],
    );
    return rows.map(({ id }) => id);
  }

  /** Whoever opens it last is the one who pays it. */
  async opened(tx: EntityManager, id: string, by: string): Promise<void> {
    await tx.query(`UPDATE refund SET opened_by = $2, opened_at = clock_timestamp() WHERE id = $1`, [id, by]);
  }

  async sent(tx: EntityManager, id: string, txid: string): Promise<void> {
    await tx.query(
      `UPDATE refund SET state = 'sent', txid = $2, named_sender = NULL, named_nonce = NULL,
              changed_at = clock_timestamp() WHERE id = $1`,
      [id, txid],
    );
    await this.resume(tx, id);
  }

  async resume(tx: EntityManager, id: string): Promise<void> {
    await tx.query(
      `UPDATE refund SET search_until = clock_timestamp() + ${SEARCHED_FOR}, search_ended_at = NULL, ${NOT_REFUSED}
       WHERE id = $1`,
      [id],
    );
  }

  async withdraw(tx: EntityManager, id: string): Promise<void> {
    await tx.query(`UPDATE refund SET state = 'withdrawn', changed_at = clock_timestamp() WHERE id = $1`, [
      id,
    ]);
  }

  /**
   * Whether a transaction pays a refund of the merchant, or is named for one that is open; and until the end of `tx` nobody
   * else finds out what pays one.
   * @param txid as the chain writes it
   */
  async isTaken(tx: EntityManager, merchantId: string, network: string, txid: string): Promise<boolean> {
    await tx.query(`SELECT ${paymentsLock('$1', '$2')}`, [merchantId, network]);
    const [found] = await tx.query<[{ taken: boolean }]>(
      `SELECT EXISTS (SELECT FROM refund f WHERE f.merchant_id = $1 AND f.network = $2 AND f.txid = $3
                                             AND f.state IN ('sent', 'seen', 'final')) AS taken`,
      [merchantId, network, txid],
    );
    return found.taken;
  }
}
