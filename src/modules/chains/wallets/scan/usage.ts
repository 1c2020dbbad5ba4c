import type { WatchedCursor } from '../../data/ledger.types.js';
import type { Holding } from '../../wallet-scan.types.js';

/** What a node says of some addresses. */
export interface Use {
  /** By address as the chains write it; those that were never used are missing. */
  readonly used: ReadonlyMap<string, readonly Holding[]>;
  readonly untold: readonly string[];
}

/** Where the network's cursor stands, and on which chain. */
export type CursorNow = () => Promise<WatchedCursor | null>;

/** Tells which addresses were ever used on a network, as far as its node can say. */
export interface Usage {
  /** @throws when the node does not answer, or not before `signal` */
  of(addresses: readonly string[], signal: AbortSignal): Promise<Use>;
}
