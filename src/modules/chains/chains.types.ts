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
  /** Of its asset, which may be configured no more; `null` where nobody knows them, and atoms are all there is to say. */
  readonly decimals: number | null;
  /** As the chains write it (EVM: lower case). */
  readonly address: string;
  readonly amountAtoms: bigint;
  readonly state: TransferState;
  readonly blockHeight: number | null;
  readonly blockHash: string | null;
  readonly blockTime: Date | null;
  /** When we wrote it down first. What decisions go by is `observedAt`. */
  readonly firstSeenAt: Date;
  /** When it counts as observed by itself; the database alone says so (`observed_time`). */
  readonly observedAt: Date;
  /** Our last complete look before the first sight, where we were blind in between. */
  readonly blindSince: Date | null;
  /** What its transaction uses up, outputs or a nonce: of two that use one up, only one can be mined. A single
   * node may have said a wrong sender. */
  readonly uses: readonly string[];
  /** What was credited when this took its place: for at most as much, it may count from when that was observed. */
  readonly inPlaceOf: readonly Transfer[];
  readonly missingSince: Date | null;
  /** The transaction that was seen to take its place. */
  readonly replacedBy: string | null;
  /** That one pays the same address and is credited instead; the conflict between the two is not resolved yet. */
  readonly superseded: boolean;
  /** From an address of the same merchant: its own movement, and no payment to it. */
  readonly own: boolean;
  /** In a block from before its address was issued: whoever sent it did not pay what the address was issued for. */
  readonly beforeIssue: boolean;
}

/**
 * How long a transfer that is in no block and no mempool keeps counting: long enough for a reorganisation or a
 * restarted node to bring it back.
 */
export const GRACE_MS: Readonly<Record<Family, number>> = {
  evm: 10 * 60_000,
  bitcoin: 2 * 3_600_000,
  litecoin: 2 * 3_600_000,
};

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

/** For whose money an address is. */
export interface WantedAddress {
  readonly merchantId: string;
  readonly network: string;
  readonly asset: string;
  /** Whom it is issued to, opaque to the chains. */
  readonly subject: string;
  /** How deep a block must be to decide about its money, as the merchant has it. */
  readonly confirmationDepth: Depth;
}

export interface IssuedAddress {
  readonly family: Family;
  /** As people see it (EVM: with checksum). */
  readonly address: string;
  /** As the chains write it, the key of every look-up. */
  readonly watchedAddress: string;
}

/** An asset of a network, by its symbol. */
export interface NetworkAsset {
  readonly network: string;
  readonly asset: string;
}

/** Where somebody may be paid, and in what. */
export interface Place extends NetworkAsset {
  /** As the chains write it. */
  readonly watchedAddress: string;
}

/** An address whose code can pay out to one destination alone. */
export interface Forwarded {
  /** With the checksum. */
  readonly destination: string;
  /** The contract that deploys it, with the checksum. */
  readonly factory: string;
  /** 32 bytes in hexadecimal, with 0x. */
  readonly salt: string;
}

/** How a merchant finds an address: by the last step of its derivation path, or by what it was computed from. */
export interface IssuedPlace {
  /** As the chains write it. */
  readonly address: string;
  readonly place: { readonly index: number } | Forwarded;
}

/** An address that a key, or for a destination, was issued. */
export interface IssuedFrom {
  /** `null` for those of a destination. */
  readonly index: number | null;
  /** As the chains write it. */
  readonly address: string;
  readonly subject: string;
  readonly issuedAt: Date;
}

/** What a network's second node says: the same as the first, nothing (down, or far behind), or something else. */
export type CrossCheck = 'agrees' | 'silent' | 'disagrees';

/** Blocks that had been held to be final and are not on the node's chain any more. */
export interface GivenUp {
  readonly at: Date;
  readonly fromHeight: number;
}

export type { Depth, Family };
