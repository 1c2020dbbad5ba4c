import type { Term } from '../data/fenced.statement.js';
import type { FoundTransfer } from '../data/ledger.types.js';

/**
 * What is not the same:
 * - `unrecorded`: the chain holds a movement to an issued address that the ledger does not.
 * - `unexplained`: an address holds more than all that is recorded for it.
 * - `missing`: the ledger holds what the chain does not.
 * - `swept`: nothing is held or recorded, and the address has sent: what it sent, came unseen.
 * - `collected`: a deposit address without a key paid out what is not recorded as collected.
 * - `unissued`: money at an address of a key that this database never issued.
 */
export type DifferenceKind = 'unrecorded' | 'unexplained' | 'missing' | 'swept' | 'collected' | 'unissued';

export interface Difference {
  readonly network: string;
  /** As the chains write it. */
  readonly address: string;
  readonly asset: string;
  readonly kind: DifferenceKind;
  readonly chainAtoms: bigint;
  readonly recordedAtoms: bigint;
  /** The block of the movement, or the one at which balances were compared. */
  readonly height: number;
  /** A few of them. */
  readonly txids: readonly string[];
  /** Whose an unissued address is. */
  readonly key: { readonly id: string; readonly index: number } | null;
}

/** What a look could not tell, with how often. */
export type Incomparable = Readonly<Record<string, number>>;

/** The block at which everything is compared: final, and behind the watcher. */
export interface AgreedBlock {
  readonly height: number;
  readonly hash: string;
}

/** Where a round goes on, in the words of the family; `null` begins. */
export type Position = Readonly<Record<string, string | number>> | null;

/** Of which addresses, and of which asset alone (`null`: of all), what is held was judged. */
export interface JudgedBalances {
  readonly addresses: readonly string[];
  readonly asset: string | null;
}

/** A piece of a round: small enough to be done again after a restart. */
export interface Part {
  /** How many issued addresses it compared. */
  readonly compared: number;
  readonly incomparable: Incomparable;
  readonly differences: readonly Difference[];
  /**
   * What this part has looked at: older differences there that it did not find again are over. `null` addresses are all
   * that were issued, `null` heights every block. Differences that no transaction tells are of balances, at whatever block.
   */
  readonly covered: {
    readonly addresses: readonly string[] | null;
    readonly heights: { readonly from: number; readonly to: number } | null;
    readonly balances: JudgedBalances | null;
  };
  /** `null` ends the round. */
  readonly next: Position;
  /** At the end of a round by blocks: up to where it has come. The next one goes on there, as `{ after }`. */
  readonly comparedTo?: number;
}

/** Movements that the ledger lacks, identified as the watcher would have. */
export interface Found {
  readonly transfers: readonly FoundTransfer[];
  /** What their transactions spend, where the family knows. */
  readonly spends: ReadonlyMap<string, readonly string[]>;
  /** How many collections from deposit addresses without keys were recorded meanwhile. */
  readonly collections: number;
  /** Of differences that could not be looked into: they stay, and are looked into again. */
  readonly failures: readonly unknown[];
}

/** Compares one network, whatever its family. */
export interface Reconciler {
  /** Requests to nodes since it was made. */
  readonly requests: number;
  /** @throws InconsistentNode and others when the node does not answer */
  agreedBlock(): Promise<AgreedBlock | null>;
  part(at: AgreedBlock, position: Position, signal?: AbortSignal): Promise<Part>;
  /** The newest addresses alone; nothing where a round is by blocks. */
  recent(at: AgreedBlock, signal?: AbortSignal): AsyncIterable<Part>;
  /** Looks for the movements behind the differences. @throws LeaseLost */
  explain(at: AgreedBlock, differences: readonly Difference[], term: Term): Promise<Found>;
}

/** How a network's comparison stands, for health and metrics. */
export interface ReconciliationStanding {
  readonly network: string;
  readonly finishedAt: Date | null;
  readonly lastDurationS: number | null;
  readonly lastCompared: number | null;
  readonly lastIncomparable: number | null;
  readonly compared: number;
  readonly requests: number;
  readonly differences: number;
}

/** The outcome of `check --chain` on one network. */
export interface ChainVerdict {
  readonly network: string;
  /** `unasked`: nothing could be compared, and `reason` says why. */
  readonly verdict: 'clean' | 'different' | 'unasked';
  readonly reason: string | null;
  readonly height: number | null;
  readonly compared: number;
  readonly requests: number;
  readonly incomparable: Incomparable;
  readonly differences: readonly Difference[];
}
