import type { Price } from '../../../kernel/crypto-amount.js';
import { earlierBy, type Instant } from './instant.js';
import type { PairName } from './pair.js';
import type { Answer } from './sources/answer.js';

/** A price that a source told us, and since when it holds. */
export interface Observation {
  readonly price: Price;
  readonly at: Instant;
}

/** What one source last said, by pair. */
export type Observations = ReadonlyMap<PairName, Observation>;

/** A source's clock may be a little ahead; further in the future its times say nothing about age. */
const MAX_CLOCK_LEAD_MS = 60_000;

/**
 * What is known after an answer: a pair that was answered without a price is forgotten at once, one without an answer
 * keeps its price, which grows old.
 * @param askedAt when the request was sent: a price may be as old as that, so a slow answer is not a fresh one
 */
export function learn(known: Observations, answers: readonly Answer[], askedAt: Instant): Observations {
  const next = new Map(known);
  for (const { pair, price, atMs } of answers) {
    const leadMs = atMs === null ? 0 : atMs - askedAt.wallMs;
    if (!price || leadMs > MAX_CLOCK_LEAD_MS) next.delete(pair);
    else next.set(pair, { price, at: earlierBy(askedAt, Math.max(0, -leadMs)) });
  }
  return next;
}
