import type { Hex } from 'viem';
import type { BlockPoint, Tips } from '../data/ledger.types.js';

/** The top-level call of a transaction, as far as a deposit is concerned. */
export interface EvmTransaction {
  readonly txid: string;
  readonly sender: string;
  readonly nonce: number;
  /** Lower case; `null` for the creation of a contract. */
  readonly to: string | null;
  readonly valueAtoms: bigint;
}

export interface EvmHeader extends BlockPoint {
  readonly parentHash: string;
}

export interface EvmBlock extends EvmHeader {
  readonly logsBloom: Hex;
  readonly transactions: readonly EvmTransaction[];
}

export interface EvmLog {
  /** Lower case. */
  readonly contract: string;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly txid: string;
  readonly blockHash: string;
  /** Counted through the whole block. */
  readonly index: number;
}

export interface EvmReceipt {
  readonly txid: string;
  readonly blockHash: string;
  readonly succeeded: boolean;
  readonly logs: readonly EvmLog[];
}

/** Coin that moved inside a transaction, in a call that took effect. */
export interface InternalCall {
  readonly txid: string;
  /** Where the call stands in its transaction's tree of calls: "0.2" is the third call of the first. */
  readonly path: string;
  readonly from: string;
  readonly to: string;
  readonly valueAtoms: bigint;
}

/** A block's place is all that a request for logs needs. */
export type LogRange =
  { readonly fromHeight: number; readonly toHeight: number } | { readonly blockHash: string };

/** The node's view: its newest block, and what it holds for safe and finalized (`null`: it has no such tag). */
export interface EvmTips {
  readonly latest: EvmHeader;
  readonly safeHeight: number | null;
  readonly finalizedHeight: number | null;
}

/** What a watcher asks of a node. Everything rejects when the node is unreachable or contradicts itself. */
export interface EvmNode {
  chainId(): Promise<number>;
  tips(): Promise<EvmTips>;
  /** `null` where the node has no block (yet). */
  header(height: number): Promise<EvmHeader | null>;
  blocks(fromHeight: number, toHeight: number): Promise<EvmBlock[]>;
  transferLogs(contracts: readonly string[], range: LogRange): Promise<EvmLog[]>;
  receipts(txids: readonly string[]): Promise<EvmReceipt[]>;
  /** Of a whole block; `null` where the node does not offer that, or does not have them all. */
  blockReceipts(block: EvmBlock): Promise<EvmReceipt[] | null>;
  /**
   * How much of the network's coin each address holds after a block, in their order; `null` where the node does not
   * say: it keeps no state that old, or knows no such question (EIP-1898).
   */
  balances(addresses: readonly string[], blockHash: string): Promise<bigint[] | null>;
  /** Every movement of coin inside the block's transactions; `null` where the node offers no traces. */
  internalCalls(block: EvmBlock): Promise<InternalCall[] | null>;
  /** Whether a block of the node's chain holds the transaction. */
  isMined(txid: string): Promise<boolean>;
  /**
   * How many nonces an account has used up at a block; `null` where the node does not say, because the block is not
   * on its chain or because it knows no such question (EIP-1898).
   */
  noncesUsed(sender: string, blockHash: string): Promise<number | null>;
}

/** Where a node does not know `safe` or `finalized`, depth stands in for them. */
export const SAFE_DEPTH = 64;
export const FINALIZED_DEPTH = 128;

/**
 * Where a new network begins: at the last final block, so that a reorganisation right after has blocks to walk back
 * in. A node that calls nothing final, or only genesis, must not be read from there: no more than is kept.
 */
export function firstHeight({ nodeHeight, finalizedHeight }: Tips, keptBlocks: number): number {
  return Math.max(0, finalizedHeight, nodeHeight - keptBlocks);
}

export function toTips({ latest, safeHeight, finalizedHeight }: EvmTips): Tips {
  return {
    nodeHeight: latest.height,
    safeHeight: safeHeight ?? Math.max(-1, latest.height - SAFE_DEPTH),
    finalizedHeight: finalizedHeight ?? Math.max(-1, latest.height - FINALIZED_DEPTH),
  };
}
