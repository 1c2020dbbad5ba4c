import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { FoundPayment, NamedAccount, Searched } from '../../../chains/outgoing.types.js';
import type { RefundOnChain } from '../../refunds.types.js';

/** A refund with what only following it needs. */
export interface RefundRow extends RefundOnChain {
  readonly transfers: readonly string[];
  readonly output: string | null;
  readonly blockHash: string | null;
  /** How far the watcher was when it was asked: what is in blocks up to there is not it. */
  readonly askedHeight: number;
  readonly searchedHeight: number;
  readonly searchedHash: string | null;
  /** Whose the named transaction is, as far as a node has told. */
  readonly account: NamedAccount | null;
  /** Whether the block that holds it is as deep as its money had to be. */
  readonly isDeep: boolean;
}

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

interface Stored extends Omit<
  RefundRow,
  'atoms' | 'blockHeight' | 'askedHeight' | 'searchedHeight' | 'account'
> {
  readonly atoms: string;
  readonly blockHeight: string | null;
  readonly askedHeight: string;
  readonly searchedHeight: string;
  readonly namedSender: string | null;
  readonly namedNonce: string | null;
}

const OPEN = `f.state IN ('asked', 'sent', 'seen')`;
const COLUMNS = `
  f.id, f.intent_id AS "intentId", f.merchant_id AS "merchantId", f.state, f.network, f.asset, f.decimals,
  f.atoms::text AS atoms, f.amount, f.address, f.txid, f.output, f.block_height AS "blockHeight",
  f.block_hash AS "blockHash", f.actor, f.note, f.transfers, f.asked_height AS "askedHeight", f.searched_height AS "searchedHeight",
  f.searched_hash AS "searchedHash", f.named_sender AS "namedSender", f.named_nonce AS "namedNonce", f.created_at AS "createdAt", f.changed_at AS "changedAt",
  coalesce(has_depth(f.network, f.block_height, f.depth), false) AS "isDeep"`;

/** As deep as the latest money of its kind had to be. */
const INSERT = `
  INSERT INTO refund (id, intent_id, merchant_id, network, asset, decimals, atoms, amount, address, transfers, actor,
                      note, asked_height, searched_height, depth)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13,
    coalesce((SELECT u.depth FROM unsettled_money u WHERE u.intent_id = $2 AND u.network = $4 AND u.asset = $5
               ORDER BY u.sequence DESC LIMIT 1),
             (SELECT q.settlement_depth FROM quote q WHERE q.intent_id = $2 AND q.network = $4 AND q.asset = $5),
             'finalized'))`;

/** The rows of refunds that are made on a chain. Each change is made under the intent's lock and names the state before. */
@Injectable()
export class Refunds {
  constructor(private readonly dataSource: DataSource) {}

  async add(tx: EntityManager, row: NewRefundRow): Promise<void> {
    const { id, intentId, merchantId, network, asset, decimals, atoms, amount, address } = row;
    await tx.query(INSERT, [
      ...[id, intentId, merchantId, network, asset, decimals, atoms.toString(), amount, address],
      ...[row.transfers, row.actor, row.note, row.askedHeight],
    ]);
  }

  async find(id: string, on: EntityManager = this.dataSource.manager): Promise<RefundRow | null> {
    return (await this.where(on, 'f.id = $1', [id]))[0] ?? null;
  }

  /** The latest first. */
  list(merchantId: string | null, limit: number): Promise<RefundRow[]> {
    return this.where(
      this.dataSource.manager,
      `($1::text IS NULL OR f.merchant_id = $1) ORDER BY f.created_at DESC, f.id DESC LIMIT $2`,
      [merchantId, limit],
    );
  }

  /** Oldest first. */
  ofIntent(intentId: string): Promise<RefundRow[]> {
    return this.where(this.dataSource.manager, 'f.intent_id = $1 ORDER BY f.created_at, f.id', [intentId]);
  }

  /**
   * Of one network, those whose turn it is: each merchant's that was looked at longest ago, then each one's next, so that
   * no merchant waits for how many another one has, nor a refund for one that is never found. They have had it then.
   */
  async takeTurns(network: string, limit: number): Promise<RefundRow[]> {
    const rows = await this.where(
      this.dataSource.manager,
      `${OPEN} AND f.network = $1
       ORDER BY row_number() OVER (PARTITION BY f.merchant_id ORDER BY f.looked_at, f.id), f.looked_at, f.id LIMIT $2`,
      [network, limit],
    );
    await this.dataSource.query(`UPDATE refund SET looked_at = clock_timestamp() WHERE id = ANY($1)`, [
      rows.map(({ id }) => id),
    ]);
    return rows;
  }

  async openNetworks(): Promise<string[]> {
    const rows = await this.dataSource.query<{ network: string }[]>(
      `SELECT DISTINCT f.network FROM refund f WHERE ${OPEN}`,
    );
    return rows.map(({ network }) => network);
  }

  /** Money that is on its way back: nobody may take it as a price meanwhile. */
  async transfersOnTheirWayBack(tx: EntityManager, intentId: string): Promise<string[]> {
    const rows = await tx.query<{ id: string }[]>(
      `SELECT DISTINCT unnest(f.transfers) AS id FROM refund f WHERE f.intent_id = $1 AND ${OPEN}`,
      [intentId],
    );
    return rows.map(({ id }) => id);
  }

  async sent(tx: EntityManager, id: string, txid: string): Promise<void> {
    await tx.query(
      `UPDATE refund SET state = 'sent', txid = $2, named_sender = NULL, named_nonce = NULL, changed_at = clock_timestamp() WHERE id = $1`,
      [id, txid],
    );
  }

  async withdraw(tx: EntityManager, id: string): Promise<void> {
    await tx.query(`UPDATE refund SET state = 'withdrawn', changed_at = clock_timestamp() WHERE id = $1`, [
      id,
    ]);
  }

  /** Whether a transaction pays a refund of the merchant, or is named for one that is open. @param txid as the chain writes it */
  async isTaken(tx: EntityManager, merchantId: string, network: string, txid: string): Promise<boolean> {
    const [found] = await tx.query<[{ taken: boolean }]>(
      `SELECT EXISTS (SELECT FROM refund f WHERE f.merchant_id = $1 AND f.network = $2 AND f.txid = $3
                                             AND f.state IN ('sent', 'seen', 'final')) AS taken`,
      [merchantId, network, txid],
    );
    return found.taken;
  }

  /**
   * A movement goes to the refund for which it is named, else to one that names nothing or whose transaction it replaces,
   * and only then to one that names another: two people may pay two refunds of the same amount to the same address.
   * @returns whether it pays this one, and no other refund of the merchant
   */
  async seen(tx: EntityManager, id: string, payment: FoundPayment): Promise<boolean> {
    const { txid, output, height, hash, isReplacement = false } = payment;
    const [, changed] = await tx.query<[unknown, number]>(
      `UPDATE refund SET state = 'seen', txid = $2, output = $3, block_height = $4, block_hash = $5,
              changed_at = clock_timestamp()
       WHERE id = $1 AND NOT EXISTS (SELECT FROM refund o
                                      WHERE o.merchant_id = refund.merchant_id AND o.network = refund.network
                                        AND o.txid = $2 AND o.output = $3)
         AND NOT EXISTS (SELECT FROM refund o
                          WHERE (o.merchant_id, o.network, o.asset, o.address, o.atoms)
                              = (refund.merchant_id, refund.network, refund.asset, refund.address, refund.atoms)
                            AND o.id <> refund.id AND o.state IN ('asked', 'sent') AND o.asked_height < $4
                            AND CASE WHEN o.txid = $2 THEN 0 WHEN o.txid IS NULL THEN 1 ELSE 2 END
                              < CASE WHEN refund.txid = $2 THEN 0 WHEN refund.txid IS NULL OR $6 THEN 1 ELSE 2 END)
         AND NOT EXISTS (SELECT FROM review_decision d JOIN intent i ON i.id = d.intent_id
                          WHERE i.merchant_id = refund.merchant_id AND d.refund_network = refund.network
                            AND regexp_replace(lower(d.refund_txid), '^0x', '') = regexp_replace($2, '^0x', '')
                            AND NOT EXISTS (SELECT FROM refund r WHERE r.decision_id = d.id))`,
      [id, txid, output, height, hash, isReplacement],
    );
    return changed === 1;
  }

  /** Its block is no longer on the chain: it is looked for again, some blocks before that one too. */
  async undone(tx: EntityManager, id: string, searchedHeight: number): Promise<void> {
    await tx.query(
      `UPDATE refund SET state = 'sent', output = NULL, block_height = NULL, block_hash = NULL,
              searched_height = greatest(asked_height, $2), searched_hash = NULL, changed_at = clock_timestamp()
       WHERE id = $1`,
      [id, searchedHeight],
    );
  }

  async final(tx: EntityManager, id: string, decisionId: string): Promise<void> {
    await tx.query(
      `UPDATE refund SET state = 'final', decision_id = $2, changed_at = clock_timestamp() WHERE id = $1`,
      [id, decisionId],
    );
  }

  /** What a node says of the transaction that is named now. */
  async belongs(id: string, txid: string, { sender, nonce }: NamedAccount): Promise<void> {
    await this.dataSource.query(
      `UPDATE refund SET named_sender = $3, named_nonce = $4 WHERE id = $1 AND txid = $2 AND state = 'sent'`,
      [id, txid, sender, nonce],
    );
  }

  /** Outside of any decision: it only spares looking at the same blocks again. */
  async searched(id: string, { searchedHeight, searchedHash }: Searched): Promise<void> {
    await this.dataSource.query(
      `UPDATE refund SET searched_height = $2, searched_hash = $3 WHERE id = $1 AND state IN ('asked', 'sent')`,
      [id, searchedHeight, searchedHash],
    );
  }

  private async where(on: EntityManager, condition: string, parameters: unknown[]): Promise<RefundRow[]> {
    const rows = await on.query<Stored[]>(`SELECT ${COLUMNS} FROM refund f WHERE ${condition}`, parameters);
    return rows.map(
      ({ atoms, blockHeight, askedHeight, searchedHeight, namedSender, namedNonce, ...row }) => ({
        ...row,
        atoms: BigInt(atoms),
        blockHeight: blockHeight === null ? null : Number(blockHeight),
        askedHeight: Number(askedHeight),
        searchedHeight: Number(searchedHeight),
        account: namedSender === null ? null : { sender: namedSender, nonce: Number(namedNonce) },
      }),
    );
  }
}
