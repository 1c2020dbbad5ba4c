import type { Term } from '../data/fenced.statement.js';
import type {
  Advanced,
  Alongside,
  BlockPoint,
  Movements,
  Tips,
  WatchedCursor,
} from '../data/ledger.types.js';
import type { ChainSource } from './common-ancestor.js';
import type { AnsweredChain } from './identity.js';
import type { ChainBlock } from './must-be-chained.js';

/** What the node has at present. */
export interface Seen {
  readonly latest: BlockPoint;
}

/** Where a network begins. */
export interface Start {
  readonly at: BlockPoint;
  /** Nothing is safe or final above `at`: nothing of that was read. */
  readonly tips: Tips;
  readonly assetKeys: readonly string[];
}

/** What a step is going to write. */
export interface Finds extends Movements {
  /** By blocks that were read, never by what is told of a tip alone: another node may have told that (ADR 31). */
  readonly tips: Tips;
  /** What was looked for: only these the cursor then stands for. */
  readonly assetKeys: readonly string[];
  /** `partial`: another look has to follow at once. `blind`: the node cannot show all of it at the moment. */
  readonly sight: 'whole' | 'partial' | 'blind';
  readonly alongside?: Alongside | undefined;
  /** To be called once it is written. */
  readonly written?: (advanced: Advanced) => Promise<void> | void;
}

/**
 * A network as its family shows it: what differs between families. What is the same for all of them is in
 * `ChainFollower`.
 */
export interface FollowedChain<A extends AnsweredChain, S extends Seen, B extends ChainBlock> {
  readonly headers: ChainSource;
  /** Which chain the node serves. Asked at every step: behind the same URL may be another node by now. */
  ask(): Promise<A>;
  /** @param asked of a chain that was found to be the right one */
  see(term: Term, asked: A, cursor: WatchedCursor | null): Promise<S>;
  /** Where a network begins that was never watched; `null` while the node is not ready for that. */
  start(seen: S): Promise<Start | null>;
  /** As many blocks above a height as one step takes. */
  blocksAbove(height: number, seen: S): Promise<readonly B[]>;
  /** @param blocks none at the tip. @returns `null` when the node has moved on meanwhile */
  find(term: Term, cursor: WatchedCursor, seen: S, blocks: readonly B[]): Promise<Finds | null>;
  /** Once nothing is new. @returns whether more is to be done at once */
  catchUp?(term: Term, before: WatchedCursor): Promise<boolean>;
  /** What was remembered of blocks that were given up. */
  reorganised(): void;
  /** A step has failed: another node may be there when it comes back. */
  failed?(): void;
}
