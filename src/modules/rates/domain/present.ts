import { priceText, roundPrice } from '../rates.pure.js';
import type { Rate, RateHealth, RateSource, SourceHealth } from '../rates.types.js';
import type { Sample, Verdict } from './combine.js';
import { elapsedMs, type Instant } from './instant.js';
import type { Pair } from './pair.js';

/** A verdict as the quote takes it. */
export function presentRate({ base, quote }: Pair, { rate, used }: Verdict): Rate | null {
  if (!rate) return null;
  const price = roundPrice(rate.price);
  // Of less than 10^-40 no digit is left: nothing can be bought for it.
  if (price.numerator === 0n) return null;
  const at = new Date(rate.at.wallMs);
  return {
    asset: base,
    currency: quote,
    price,
    at,
    sources: used.map(presentSource),
  };
}

/** A verdict as the operator sees it. */
export function presentHealth({ base, quote }: Pair, verdict: Verdict, now: Instant): RateHealth {
  const { rate, used, dropped, deviationBps } = verdict;
  return {
    asset: base,
    currency: quote,
    price: rate?.price ?? null,
    ageS: rate && elapsedMs(rate.at, now) / 1000,
    used: used.map(({ source }) => source),
    dropped,
    sources: sourcesOf(verdict, now),
    deviationBps,
  };
}

/** What each source said, with what became of it, in the order of their names. */
function sourcesOf({ samples, used, dropped }: Verdict, now: Instant): SourceHealth[] {
  const reasons = new Map(dropped.map(({ source, reason }) => [source, reason]));
  const said = samples.map((sample): SourceHealth => {
    const part = reasons.get(sample.source) ?? (used.includes(sample) ? 'used' : 'alone');
    const ageS = elapsedMs(sample.at, now) / 1000;
    return { name: sample.source, part, price: sample.price, ageS, via: sample.via?.pair ?? null };
  });
  const silent = dropped.filter(({ source }) => !samples.some((sample) => sample.source === source));
  const nothing = silent.map(({ source, reason }): SourceHealth => {
    return { name: source, part: reason, price: null, ageS: null, via: null };
  });
  return [...said, ...nothing].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function presentSource({ source, price, at, via }: Sample): RateSource {
  const own = { name: source, price: priceText(price), at: new Date(at.wallMs).toISOString() };
  if (!via) return own;
  const { pair, conversion } = via;
  return {
    ...own,
    via: {
      pair,
      price: priceText(via.price),
      conversion: { ...conversion, price: priceText(conversion.price) },
    },
  };
}
