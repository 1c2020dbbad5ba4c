import type { Rate, RateHealth, RateSource } from '../rates.types.js';
import type { Sample, Verdict } from './combine.js';
import { elapsedMs, type Instant } from './instant.js';
import type { Pair } from './pair.js';
import { priceText } from './price.js';

/** A verdict as the quote stores it. */
export function presentRate({ base, quote }: Pair, { rate, used }: Verdict): Rate | null {
  if (!rate) return null;
  const at = new Date(rate.at.wallMs);
  return { asset: base, currency: quote, price: priceText(rate.price), at, sources: used.map(presentSource) };
}

/** A verdict as the operator sees it. */
export function presentHealth({ base, quote }: Pair, verdict: Verdict, now: Instant): RateHealth {
  const { rate, used, dropped, deviationBps } = verdict;
  return {
    asset: base,
    currency: quote,
    price: rate && priceText(rate.price),
    ageS: rate && elapsedMs(rate.at, now) / 1000,
    used: used.map(({ source }) => source),
    dropped,
    deviationBps,
  };
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
