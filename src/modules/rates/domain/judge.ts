import type { Currency } from '../../../kernel/fiat.js';
import { combine, isFresh, type Policy, type Sample, type Verdict } from './combine.js';
import { type Instant, olderOf } from './instant.js';
import type { Observation, Observations } from './observation.js';
import { type Pair, pairName } from './pair.js';
import { invert, multiply } from './price.js';

/** What every configured source last said. */
export type ObservationsBySource = ReadonlyMap<string, Observations>;

/** The books to cross through, deepest first. */
const PIVOTS: readonly Currency[] = ['USD', 'EUR'];

/** The rate of a pair, or why there is none, from what the sources last said. */
export function judge(pair: Pair, observed: ObservationsBySource, now: Instant, policy: Policy): Verdict {
  const samples: Sample[] = [];
  const silent: string[] = [];
  for (const [source, said] of observed) {
    const own = said.get(pairName(pair));
    const sample =
      own && isFresh(own, now, policy)
        ? direct(source, own)
        : (crossed(source, pair, observed, now, policy) ?? (own ? direct(source, own) : null));
    if (sample) samples.push(sample);
    else silent.push(source);
  }
  const verdict = combine(samples, now, policy);
  const dropped = silent.map((source) => ({ source, reason: 'silent' as const }));
  return { ...verdict, dropped: [...verdict.dropped, ...dropped] };
}

/**
 * The exchange rate between two currencies, under the same rules as every rate: a conversion that rests on one source
 * alone would make all crossed prices wrong together, and the deviation guard blind to it.
 */
export function judgeFiat(
  from: Currency,
  to: Currency,
  observed: ObservationsBySource,
  now: Instant,
  policy: Policy,
): Verdict {
  const samples = [...observed].flatMap(([source, said]) => {
    const own = said.get(`${from}/${to}`);
    const inverse = said.get(`${to}/${from}`);
    const found = own ?? (inverse && { price: invert(inverse.price), at: inverse.at });
    return found ? [direct(source, found)] : [];
  });
  return combine(samples, now, policy);
}

function direct(source: string, { price, at }: Observation): Sample {
  return { source, price, at, via: null };
}

/** A stablecoin is crossed like any coin: that it is worth one unit of its currency is never assumed. */
function crossed(
  source: string,
  pair: Pair,
  observed: ObservationsBySource,
  now: Instant,
  policy: Policy,
): Sample | null {
  for (const pivot of PIVOTS) {
    if (pivot === pair.quote) continue;
    const name = pairName({ base: pair.base, quote: pivot });
    const leg = observed.get(source)?.get(name);
    if (!leg || !isFresh(leg, now, policy)) continue;
    const { rate: fiat, used } = judgeFiat(pivot, pair.quote, observed, now, policy);
    if (!fiat) continue;
    const sources = used.map((sample) => sample.source);
    return {
      source,
      price: multiply(leg.price, fiat.price),
      at: olderOf(leg.at, fiat.at, now),
      via: {
        pair: name,
        price: leg.price,
        conversion: { pair: `${pivot}/${pair.quote}`, price: fiat.price, sources },
      },
    };
  }
  return null;
}
