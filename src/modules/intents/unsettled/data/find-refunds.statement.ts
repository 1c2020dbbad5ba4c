import type { DataSource, EntityManager } from 'typeorm';
import type { NamedAccount } from '../../../chains/outgoing.types.js';
import type { RefundOnChain } from '../../refunds.types.js';

/** A refund with what only following it needs. */
export interface RefundRow extends RefundOnChain {
  /** As it was typed, for the books. */
  readonly amount: string;
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
  /** The highest block that is so deep; `null` before the watcher's first. */
  readonly deepHeight: number | null;
  /** By which it is in the books. */
  readonly decisionId: string | null;
}

type AsNumbers = 'atoms' | 'blockHeight' | 'askedHeight' | 'searchedHeight' | 'deepHeight' | 'account';

interface Stored extends Omit<RefundRow, AsNumbers> {
  readonly atoms: string;
  readonly blockHeight: string | null;
  readonly askedHeight: string;
  readonly searchedHeight: string;
  readonly deepHeight: string | null;
  readonly namedSender: string | null;
  readonly namedNonce: string | null;
}

/**
 * Taken before it is asked what a movement pays, for the rest of the transaction: what a person types and what the chain shows
 * are in two tables, so of two who look at the same moment neither would find the other. Under an intent's lock, or none.
 */
export const paymentsLock = (merchantId: string, network: string): string =>
  `pg_advisory_xact_lock(hashtextextended('refunds:' || ${merchantId} || ':' || ${network}, 0))`;

/** From when somebody last asked for it: whoever has not paid by then has forgotten it, or it cannot be found. */
export const SEARCHED_FOR = `interval '30 days'`;
/** Nothing is refused of its search now. */
export const NOT_REFUSED = 'refused_since = NULL, gone_since = NULL';

const COLUMNS = `
  f.id, f.intent_id AS "intentId", f.merchant_id AS "merchantId", f.state, f.network, f.asset, f.decimals,
  f.atoms::text AS atoms, f.amount, f.address, f.txid, f.output, f.block_height AS "blockHeight",
  f.block_hash AS "blockHash", f.actor, f.note, f.transfers, f.asked_height AS "askedHeight", f.searched_height AS "searchedHeight",
  f.searched_hash AS "searchedHash", f.named_sender AS "namedSender", f.named_nonce AS "namedNonce",
  f.created_at AS "createdAt", f.changed_at AS "changedAt", f.opened_by AS "openedBy", f.opened_at AS "openedAt",
  f.search_ended_at AS "searchEndedAt", f.undone_at AS "undoneAt", f.elsewhere_txid AS "elsewhereTxid",
  f.again_txid AS "againTxid", f.decision_id AS "decisionId",
  (SELECT CASE f.depth WHEN 'safe' THEN c.safe_height WHEN 'finalized' THEN c.finalized_height
                       ELSE c.height - f.depth::bigint + 1 END
     FROM chain_cursor c WHERE c.network = f.network) AS "deepHeight",
  coalesce(has_depth(f.network, f.block_height, f.depth), false) AS "isDeep"`;

/** @param condition of `f`, a refund; with an order and a limit behind it where there is one */
export async function refundsWhere(
  on: DataSource | EntityManager,
  condition: string,
  parameters: unknown[],
): Promise<RefundRow[]> {
  const rows = await on.query<Stored[]>(`SELECT ${COLUMNS} FROM refund f WHERE ${condition}`, parameters);
  return rows.map(({ namedSender, namedNonce, ...row }) => ({
    ...row,
    atoms: BigInt(row.atoms),
    blockHeight: row.blockHeight === null ? null : Number(row.blockHeight),
    askedHeight: Number(row.askedHeight),
    searchedHeight: Number(row.searchedHeight),
    deepHeight: row.deepHeight === null ? null : Number(row.deepHeight),
    account: namedSender === null ? null : { sender: namedSender, nonce: Number(namedNonce) },
  }));
}
