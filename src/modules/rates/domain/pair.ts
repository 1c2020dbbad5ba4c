import { CURRENCIES, type Currency } from '../../../kernel/fiat.js';

/** "BTC/USD": one unit of the base costs so much of the quote currency. */
export type PairName = `${string}/${Currency}`;

export interface Pair {
  readonly base: string;
  readonly quote: Currency;
}

/** What books between currencies are called on the markets; the inverse is computed. */
const FIAT_PAIRS: readonly Pair[] = [
  { base: 'EUR', quote: 'USD' },
  { base: 'EUR', quote: 'CHF' },
  { base: 'USD', quote: 'CHF' },
];

export function pairName({ base, quote }: Pair): PairName {
  return `${base}/${quote}`;
}

/** What merchants may charge in, for each asset of the configured networks. */
export function offeredPairs(
  networks: readonly { readonly assets: readonly { readonly symbol: string }[] }[],
): readonly Pair[] {
  const symbols = new Set(networks.flatMap((network) => network.assets.map((asset) => asset.symbol)));
  return [...symbols].flatMap((base) => CURRENCIES.map((quote) => ({ base, quote })));
}

/** What is asked of every source: the offered pairs, and the currencies among themselves for crossing. */
export function askedPairs(offered: readonly Pair[]): readonly Pair[] {
  return offered.length === 0 ? [] : [...offered, ...FIAT_PAIRS];
}
