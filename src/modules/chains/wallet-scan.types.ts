import type { AssetConfig } from '../../config/config.types.js';

/** What lies on an address now, of one asset. */
export interface Holding {
  readonly asset: AssetConfig['symbol'];
  readonly atoms: bigint;
}

/** An index of a key that was used on a network, by whomever. */
export interface UsedIndex {
  readonly index: number;
  readonly network: string;
  /** As people see it. */
  readonly address: string;
  /** Nothing where all of it was moved on. */
  readonly holdings: readonly Holding[];
}

/** What a network's node could be asked. */
export interface NetworkLook {
  readonly network: string;
  /** Why it could not be asked to the end; `null` when it could. */
  readonly reason: string | null;
  /** What this node does not tell, in words: "coin that was received and spent again". */
  readonly untold: readonly string[];
}

/** What a search for used indexes of a key found. */
export interface WalletScan {
  /** Looked at from this index on … */
  readonly from: number;
  /** … up to before this one. */
  readonly to: number;
  /** By index. */
  readonly used: readonly UsedIndex[];
  readonly networks: readonly NetworkLook[];
  /** Ended for the number of indexes, with used ones to the last. */
  readonly isCutShort: boolean;
}

export interface ScanLimits {
  /** So many unused indexes in a row are the end. */
  readonly gap: number;
  /** At most so many indexes are looked at. */
  readonly indexes: number;
  /** Nobody waits longer, whatever the nodes do. */
  readonly timeoutMs: number;
}
