import type { Price } from '../../../kernel/crypto-amount.js';
import { entryAt, valueAt } from '../../../kernel/lookups.js';
import type { DropReason } from '../rates.types.js';
import { elapsedMs, type Instant, olderOf } from './instant.js';
import type { Observation } from './observation.js';
import { compare, distanceBps, median } from './price.js';

export interface Policy {
  readonly maxAgeMs: number;
  readonly maxDeviationBps: number;
}

/** One source is its own opinion: whoever controls it would name our price. */
const MIN_SOURCES = 2;

/** What one source says of the pair, by itself or through another currency. */
export interface Sample extends Observation {
  readonly source: string;
  readonly via: Crossing | null;
}

export interface Crossing {
  readonly pair: string;
  readonly price: Price;
  readonly conversion: { readonly pair: string; readonly price: Price; readonly sources: readonly string[] };
}

export interface Verdict {
  /** `null`: no rate. */
  readonly rate: Observation | null;
  /** All that was judged, whatever became of it. */
  readonly samples: readonly Sample[];
  readonly used: readonly Sample[];
  readonly dropped: readonly { readonly source: string; readonly reason: DropReason }[];
  readonly deviationBps: number | null;
}

/**
 * The median of the fresh samples, after those that are too far from it are gone: a source that is far off has no say
 * in the price at all. Fewer than two left is no rate.
 */
export function combine(samples: readonly Sample[], now: Instant, policy: Policy): Verdict {
  const fresh = samples.filter((sample) => isFresh(sample, now, policy));
  const stale = samples.filter((sample) => !fresh.includes(sample)).map(dropped('stale'));
  if (fresh.length === 0) return { rate: null, samples, used: [], dropped: stale, deviationBps: null };
  const middle = median(fresh.map(({ price }) => price));
  const distances = new Map(fresh.map((sample) => [sample, distanceBps(sample.price, middle)]));
  const near = fresh.filter((sample) => valueAt(distances, sample) <= BigInt(policy.maxDeviationBps));
  const usable = near.length >= MIN_SOURCES && agreeInTheMiddle(near, policy);
  const deviant = fresh.filter((sample) => !near.includes(sample)).map(dropped('deviant'));
  return {
    rate: usable ? rateOf(near, now) : null,
    samples,
    used: usable ? near : [],
    dropped: [...stale, ...deviant],
    deviationBps: Number([...distances.values()].reduce((a, b) => (a > b ? a : b))),
  };
}

/**
 * Of an even number the median is a price that nobody named: two sources, or two camps of them, may each be within the
 * guard of it and twice that apart. Then the middle two must be within the guard of each other.
 */
function agreeInTheMiddle(samples: readonly Sample[], { maxDeviationBps }: Policy): boolean {
  const sorted = samples.map(({ price }) => price).sort(compare);
  const [lower, upper] = [entryAt(sorted, (sorted.length - 1) >> 1), entryAt(sorted, sorted.length >> 1)];
  return distanceBps(upper, lower) <= BigInt(maxDeviationBps);
}

export function isFresh({ at }: Observation, now: Instant, { maxAgeMs }: Policy): boolean {
  return elapsedMs(at, now) <= maxAgeMs;
}

function rateOf(samples: readonly Sample[], now: Instant): Observation {
  return {
    price: median(samples.map(({ price }) => price)),
    at: samples.map(({ at }) => at).reduce((a, b) => olderOf(a, b, now)),
  };
}

function dropped(reason: DropReason) {
  return ({ source }: Sample) => ({ source, reason });
}
