import type { Hex } from 'viem';
import type { BlockPoint, ChainIdentity } from '../../data/ledger.types.js';

/** The top-level call of a transaction, as far as a deposit is concerned. */
export interface EvmTransaction {
  readonly txid: string;
  /** `null` for one that a chain makes itself and lists in no block. */
  readonly sender: string | null;
  readonly nonce: number | null;
  /** Lower case; `null` for the creation of a contract. */
  readonly to: string | null;
  readonly valueAtoms: bigint;
}

export interface EvmHeader extends BlockPoint {
  readonly parentHash: string;
}

export interface EvmBlock extends EvmHeader {
  readonly logsBloom: Hex;
  /** In the order of the chain, by which traces are told. */
  readonly transactions: readonly EvmTransaction[];
  /** And what only the second of two nodes lists, in no order: for whoever looks for what is among them. */
  readonly listed: readonly EvmTransaction[];
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

/** Which transaction a receipt is wanted of, and in which block it was read. */
export interface MinedTransaction {
  readonly txid: string;
  /** `null` where no block that was read lists it. */
  readonly blockHash: string | null;
}

export interface EvmReceipt {
  readonly txid: string;
  readonly blockHash: string;
  readonly succeeded: boolean;
  /** What its sender paid for it, as far as receipts tell. */
  readonly feeAtoms: bigint;
  readonly logs: readonly EvmLog[];
}

/** Coin that moved inside a transaction, in a call that took effect. */
export interface InternalCall {
  readonly txid: string;
  /** Where the call stands in its transaction's tree of calls: "0.2" is the third call of the first. */
  readonly path: string;
  /** Whose coin it may have been: the caller's, and of whoever passed as much on to it in the same transaction, lower case. */
  readonly payers: readonly string[];
  readonly to: string;
  readonly valueAtoms: bigint;
}

/** A block's place is all that a request for logs needs. */
export type LogRange =
  { readonly fromHeight: number; readonly toHeight: number } | { readonly blockHash: string };

/** A block as a node names it when it is asked for "safe" or "finalized". */
export interface TaggedBlock {
  readonly tag: string;
  readonly height: number;
  readonly hash: string;
}

/** The node's view: which chain it serves, its newest block, and what it holds for safe and finalized. */
export interface EvmTips {
  readonly chainId: number;
  readonly latest: EvmHeader;
  /** `null` where it knows no such tag, or has no block for it yet: then what is final is safe. */
  readonly safeHeight: number | null;
  /** `null` where it knows no such tag; -1 before anything is final. */
  readonly finalizedHeight: number | null;
  /** Whether a node was asked that does not know what is final: then blocks must have the age for it besides. */
  readonly isTimed: boolean;
  /** What these heights rest on. */
  readonly tagged: readonly TaggedBlock[];
  /** Which node has answered which tag with a block, now or before: "host finalized". */
  readonly knownTags: readonly string[];
}

/** What a watcher asks of a node. Everything rejects when the node is unreachable or contradicts itself. */
/**
 * How finely a token is divided, as its contract says now; `'nothing'` where no contract answers there, `'untold'` where its code
 * refuses, as ERC-20 allows; `null` where the node does not offer the question, or does not answer now.
 */
export type TokenDecimals = number | 'nothing' | 'untold' | null;

export interface EvmNode {
  identity(): Promise<ChainIdentity>;
  /** @param known tags that nodes have answered before, as in `knownTags`: they must go on to */
  tips(known?: readonly string[]): Promise<EvmTips>;
  /** `null` where the node has no block (yet). */
  header(height: number): Promise<EvmHeader | null>;
  /** Whether it has a block at a height, whichever. */
  hasBlock(height: number): Promise<boolean>;
  blocks(fromHeight: number, toHeight: number): Promise<EvmBlock[]>;
  transferLogs(contracts: readonly string[], range: LogRange): Promise<EvmLog[]>;
  /** Of a block: where coin may have been collected from deposit addresses, by whoever logs it. */
  collectedLogs(blockHash: string): Promise<EvmLog[]>;
  /**
   * In their order, each as the node says it: whoever asks looks at its block. By the transaction or by its block, whichever
   * is told; rejects where neither is.
   */
  receipts(of: readonly MinedTransaction[]): Promise<EvmReceipt[]>;
  /** Of a whole block; `null` where the node does not offer that, or does not have them all. */
  blockReceipts(block: EvmBlock): Promise<EvmReceipt[] | null>;
  /**
   * How much of the network's coin each address holds after a block, in their order; `null` where the node cannot say:
   * it keeps no state that old, or knows no such question (EIP-1898). A refusal that may pass rejects.
   */
  balances(addresses: readonly string[], blockHash: string): Promise<bigint[] | null>;
  decimals(contract: string): Promise<TokenDecimals>;
  /** Every movement of coin inside the block's transactions; `null` where the node offers no traces, or none now. */
  internalCalls(block: EvmBlock): Promise<InternalCall[] | null>;
  /** Whether a block of the node's chain holds the transaction; `null` where it does not say now. */
  isMined(txid: string): Promise<boolean | null>;
  /** Who sends a transaction, lower case, and with which nonce; `null` where the node does not know it now. */
  accountOf(txid: string): Promise<{ readonly sender: string; readonly nonce: number } | null>;
  /**
   * How many nonces an account has used up at a block; `null` where the node does not say, because the block is not
   * on its chain or because it knows no such question (EIP-1898).
   */
  noncesUsed(sender: string, blockHash: string): Promise<number | null>;
}
