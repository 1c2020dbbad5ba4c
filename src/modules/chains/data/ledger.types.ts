import type { EntityManager } from 'typeorm';
import type { Family } from '../../../config/config.types.js';

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

/** What a node says about its chain. */
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
  readonly sender: string | null;
  readonly nonce: number | null;
}

export interface Advance {
  readonly network: string;
  readonly family: Family;
  /** Where the caller found the cursor: nothing is written if it has moved since. */
  readonly from: Cursor;
  /** The last of `blocks`, or the block where the cursor stands already. */
  readonly to: BlockPoint;
  /** In ascending order, without a gap after `from`; empty when there is nothing new. */
  readonly blocks: readonly BlockPoint[];
  readonly transfers: readonly FoundTransfer[];
  readonly tips: Tips;
  /** An older tip than this means that the node is stuck, and does not count as synced. */
  readonly maxTipAgeS: number;
  /** An unsynced time longer than this is added to what is missing: a grace time only runs while we can see. */
  readonly blindAfterMs: number;
  /** A transfer with fewer blocks on it than this is told of with every block, final or not: somebody counts them. */
  readonly countedBlocks: number;
  /** What a family writes besides: after the transfers, in the cursor's transaction, and only if the cursor moved. */
  readonly alongside?: (tx: EntityManager) => Promise<void>;
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
  readonly sender: string;
  readonly nonce: number;
}
