import type { Depth, Family } from '../../config/config.types.js';

/** `mempool` seen unconfirmed, `included` in a block, `orphaned` in neither, `replaced` gone for good. */
export type TransferState = 'mempool' | 'included' | 'orphaned' | 'replaced';

/** A fact: one credited movement to one of our addresses. */
export interface Transfer {
  readonly id: string;
  readonly network: string;
  readonly txid: string;
  readonly output: string;
  readonly asset: string;
  /** As the chains write it (EVM: lower case). */
  readonly address: string;
  readonly amountAtoms: bigint;
  readonly state: TransferState;
  readonly blockHeight: number | null;
  readonly blockHash: string | null;
  readonly blockTime: Date | null;
  readonly firstSeenAt: Date;
  readonly missingSince: Date | null;
}

/** Where a network's watcher stands. */
export interface ChainTip {
  readonly network: string;
  readonly height: number;
  readonly safeHeight: number;
  readonly finalizedHeight: number;
  /** When the cursor last stood at a fresh tip of a synced node. */
  readonly syncedAt: Date;
}

export interface Facts {
  readonly transfers: readonly Transfer[];
  readonly tips: ReadonlyMap<string, ChainTip>;
}

/** A subject whose facts or depths changed since it was last decided. */
export interface FactChange {
  readonly subject: string;
  readonly version: bigint;
}

/** What waits to be decided, for the metrics. */
export interface FactBacklog {
  readonly subjects: number;
  /** For how long the longest waiting of them has waited; 0 when none does. */
  readonly oldestAgeS: number;
}

export interface IssuedAddress {
  readonly family: Family;
  /** As people see it (EVM: with checksum). */
  readonly address: string;
  /** As the chains write it, the key of every look-up. */
  readonly watchedAddress: string;
}

/** Where a merchant's wallet finds an address: the last step of its derivation path. */
export interface IssuedIndex {
  /** As the chains write it. */
  readonly address: string;
  readonly index: number;
}

/** An address that a key has issued. */
export interface IssuedFromKey {
  readonly index: number;
  /** As the chains write it. */
  readonly address: string;
  readonly subject: string;
  readonly issuedAt: Date;
}

/** A key of a merchant, in use or replaced. */
export interface ExtendedKeyView {
  readonly id: string;
  readonly family: Family;
  /** Its first and last characters: enough to tell keys apart, too little to derive an address. */
  readonly hint: string;
  /** Networks that are paid to it now; none for a key that was replaced. */
  readonly networks: readonly string[];
  readonly nextIndex: number;
  readonly createdAt: Date;
}

/** A key before it is set: what its owner compares with the wallet. */
export interface WalletPreview {
  /** As it was pasted, without blanks around it. */
  readonly xpub: string;
  /** At the indexes 0, 1 and 2, as people see them. */
  readonly addresses: readonly string[];
  /** Where it would go on; more than 0 for a key that this merchant has used before. */
  readonly nextIndex: number;
  /** Whether the network is paid to it already. */
  readonly isSet: boolean;
}

/** What a network's second node says: the same as the first, nothing (down, or far behind), or something else. */
export type CrossCheck = 'agrees' | 'silent' | 'disagrees';

/** `disputed`: two nodes say different things about its chain. */
export type NetworkState = 'open' | 'lagging' | 'starting' | 'disputed';

export interface NetworkHealth {
  readonly network: string;
  /** Only an open network is offered at the checkout. */
  readonly state: NetworkState;
  readonly height: number | null;
  readonly nodeHeight: number | null;
  /** The chain's own time of the block at `height`. */
  readonly blockTime: Date | null;
  readonly syncedAt: Date | null;
  /** `null` where no second node is configured. */
  readonly crossCheck: CrossCheck | null;
}

export interface Wallet {
  readonly merchantId: string;
  readonly network: string;
  readonly extendedKeyId: string;
  readonly nextIndex: number;
}

/** What this process' watcher of a network has done since it started, for the metrics. */
export interface WatcherStats {
  readonly network: string;
  /** Whether this is the instance that watches it. */
  readonly watching: boolean;
  readonly blocks: number;
  readonly transfers: number;
  readonly reorganisations: number;
  /** In a row, until now. */
  readonly failures: number;
  readonly lastError: string | null;
}

export type { Depth, Family };
