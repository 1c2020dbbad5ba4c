import type { Family } from '../../../config/config.types.js';
import type { FencedTx } from './fenced.statement.js';

/** A block on the chain that a watcher follows. */
export interface BlockPoint {
  readonly height: number;
  readonly hash: string;
  readonly time: Date;
}

export interface Cursor {
  readonly height: number;
  readonly hash: string;
}

/** Which chain it is, whatever a network or a URL is called. */
export interface ChainIdentity {
  /** EIP-155 id; `null` for networks that are not EVM. */
  readonly chainId: number | null;
  readonly genesisHash: string;
}

/** Where a network's cursor stands, and what for. */
export interface WatchedCursor extends Cursor {
  readonly chainId: number | null;
  /** `null` for a cursor from before chains were remembered. */
  readonly genesisHash: string | null;
  /** Never lower than `finalizedHeight`. */
  readonly safeHeight: number;
  readonly finalizedHeight: number;
  /** Which node has answered which tag with a block: "host finalized". */
  readonly knownTags: readonly string[];
  /** The last block that was looked into for coin by what addresses hold, while that is behind; else `null`. */
  readonly coinBlindFrom: number | null;
  /** Recent addresses whose balances are not compared. */
  readonly coinUnwatched: number;
  /** Up to which height each asset was looked for, by its key. */
  readonly covered: ReadonlyMap<string, number>;
}

/** Why nobody can watch a network. */
export interface WatchFailure {
  /** In words for everybody. */
  readonly reason: string;
  /** It shares no block with its node, and does not go on by itself. */
  readonly isHalted: boolean;
}

/** What a node says about its chain: safe and final are blocks of ours. */
export interface Tips {
  readonly nodeHeight: number;
  readonly safeHeight: number;
  readonly finalizedHeight: number;
}

/** A movement to one of our addresses, in a block. */
export interface FoundTransfer {
  readonly txid: string;
  readonly output: string;
  readonly asset: string;
  readonly address: string;
  readonly subject: string;
  readonly amountAtoms: bigint;
  readonly block: BlockPoint;
  /** Whose nonce it used up; EVM only. */
  readonly sender: string | null;
  readonly nonce: number | null;
  /** Whose money it was, as the chain writes addresses; empty where the chain does not tell. */
  readonly payers: readonly string[];
}

/** What a deposit address without a key paid out to its destination, in a block. */
export type FoundCollection = Pick<
  FoundTransfer,
  'txid' | 'output' | 'asset' | 'address' | 'amountAtoms' | 'block'
>;

/** What blocks did to our addresses. */
export interface Movements {
  readonly transfers: readonly FoundTransfer[];
  readonly collections: readonly FoundCollection[];
}

/** An address that was given to a buyer. */
export interface IssuedTo {
  readonly subject: string;
  /** It has no key: what lies there goes to its destination, whoever asks for it (ADR 49). */
  readonly isForwarder: boolean;
}

/** What a family writes beside the ledger, with what the step knew of our own sight. */
export type Alongside = (tx: FencedTx, sight: Sight) => Promise<void>;

export interface Sight {
  /** The last complete look, where that is longer ago than a network counts as watched; else `null`. */
  readonly blindSince: Date | null;
}

export interface Advance {
  readonly family: Family;
  /** Where the caller found the cursor: nothing is written if it has moved since. */
  readonly from: Cursor & Pick<WatchedCursor, 'finalizedHeight'>;
  /** The last of `blocks`, or the block where the cursor stands already. */
  readonly to: BlockPoint;
  /** In ascending order, without a gap after `from`; empty when there is nothing new. */
  readonly blocks: readonly BlockPoint[];
  readonly transfers: readonly FoundTransfer[];
  /** EVM only. */
  readonly collections?: readonly FoundCollection[];
  /** Whether depth alone wakes whom it concerns: at the tip, which tells of all that came before, and below it now and then. */
  readonly tellsDepth: boolean;
  /** What was looked for in `blocks`: only these the cursor then stands for. */
  readonly assetKeys: readonly string[];
  readonly tips: Tips;
  /** When the look at the node began, by the database's clock: of what came since, it says nothing. */
  readonly lookedAt: Date;
  /** An older tip than this means that the node is stuck, and does not count as synced; `null` counts none as such. */
  readonly maxTipAgeS: number | null;
  /** An unsynced time longer than this is added to what is missing: a grace time only runs while we can see. */
  readonly blindAfterMs: number;
  /** Whether nobody of ours stood at the tip in this term yet: then we were blind, for however short a time. */
  readonly isFirstLook?: boolean;
  /** What a family writes besides: after the transfers, in the cursor's transaction, and only if the cursor moved. */
  readonly alongside?: Alongside;
}

/** Blocks below the cursor in which assets were looked for that it did not stand for. */
export interface Covering {
  readonly family: Family;
  /** Where the cursor stands: nothing is written if it has moved since. */
  readonly at: Cursor;
  readonly assetKeys: readonly string[];
  /** Up to where they were covered before, and are now. */
  readonly fromHeight: number;
  readonly toHeight: number;
  readonly transfers: readonly FoundTransfer[];
  readonly collections: readonly FoundCollection[];
}

export interface Advanced {
  /** Whether the cursor stands at the tip of a node that is not stuck. */
  readonly synced: boolean;
  /** Whether transfers are missing that another transaction may have replaced. */
  readonly orphans: boolean;
}

export interface Orphan {
  readonly id: string;
  readonly txid: string;
  /** Whose nonce it used up, where that is known. */
  readonly account: { readonly sender: string; readonly nonce: number } | null;
  /** The block in which its own transaction pays the same address otherwise; else `null`. */
  readonly againHeight: number | null;
  /** Up to here a block has the depth by which it decides against the transfer. */
  readonly decidedHeight: number;
}
