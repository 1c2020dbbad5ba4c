import type { CrossCheck, GivenUp } from './chains.types.js';

/**
 * `disputed`: two nodes say different things about its chain. `halted`: its node shares no block with us, and it cannot go
 * on by itself.
 */
export type NetworkState = 'open' | 'lagging' | 'starting' | 'disputed' | 'halted';

/**
 * Why an asset of an open network is not offered. `catching-up`: blocks were passed without looking for it.
 * `balances-unknown`: coin may arrive unseen, because the node does not say what addresses hold, or because looking into
 * its blocks, with their traces, took more time than a step has.
 * `too-many-addresses`: more of them have open windows than a step can ask about, so coin may arrive unseen at some;
 * merchants whose share of them fits are not concerned (`healthFor`).
 */
export type AssetClosure = 'catching-up' | 'balances-unknown' | 'too-many-addresses';

/** What is asked for each page, status and choice of a buyer. */
export interface SeenNetwork {
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
  /** What keeps it from being watched, in words; `null` while nothing does. */
  readonly reason: string | null;
  /** Assets that are not offered although the network is, by symbol. */
  readonly closedAssets: Readonly<Record<string, AssetClosure>>;
  /** Recent addresses at which coin that a contract pays would not be seen. */
  readonly coinUnwatched: number;
}

/** What operators look at besides. */
export interface NetworkHealth extends SeenNetwork {
  /** Wallets that are not offered until the node has said which of their indexes were used before. */
  readonly unsearchedWallets: number;
  /** For how many seconds the oldest block that is not final has been known; `null` while all are final. */
  readonly unfinalForS: number | null;
  /** Whether that is so long that the node must be asked why: what waits for finality waits in vain. */
  readonly isFinalityStalled: boolean;
  /** Of the last seven days: blocks that had been held to be final and are not on the node's chain any more. */
  readonly finalGivenUp: GivenUp | null;
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
