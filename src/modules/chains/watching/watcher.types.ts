import type { Term } from '../data/fenced.statement.js';

/** How a step ended. `more`: the next one should follow at once. */
export type StepEnd = 'more' | 'synced' | 'waiting';

/**
 * Follows one network, whatever its family. A step either writes all that it saw, with the cursor, or throws and
 * leaves everything as it was: nothing is ever skipped. Correct with any number of watchers on one network.
 */
export interface Watcher {
  /** Since this process started, for the metrics. */
  readonly counts: { readonly blocks: number; readonly transfers: number; readonly reorganisations: number };
  /** @throws LeaseLost when the term is over */
  step(term: Term): Promise<StepEnd>;
}
