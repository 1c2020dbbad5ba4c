import type { RatesConfig, RateSourceName } from '../../../config/config.types.js';
import type { Pair } from '../domain/pair.js';
import { BitpaySource } from './bitpay.source.js';
import { BitstampSource } from './bitstamp.source.js';
import { CoinbaseSource } from './coinbase.source.js';
import { CoingeckoSource } from './coingecko.source.js';
import { KrakenSource } from './kraken.source.js';
import type { PriceHttp } from './price-http.js';
import type { PriceSource } from './price-source.js';

type Build = (
  origin: string,
  wanted: readonly Pair[],
  http: PriceHttp,
  monotonicMs: () => number,
  coingeckoKey: string | null,
) => PriceSource;

const BUILD: Readonly<Record<RateSourceName, Build>> = {
  kraken: (origin, wanted, http, monotonicMs) => new KrakenSource(origin, wanted, http, monotonicMs),
  coinbase: (origin, wanted, http) => new CoinbaseSource(origin, wanted, http),
  bitstamp: (origin, wanted, http) => new BitstampSource(origin, wanted, http),
  bitpay: (origin, wanted, http) => new BitpaySource(origin, wanted, http),
  coingecko: (origin, wanted, http, _clock, key) => new CoingeckoSource(origin, wanted, http, key),
};

/**
 * The configured sources, each asked about the same pairs.
 * @param http connections of its own for each source: behind one mirror a slow source would hold up the others
 */
export function priceSources(
  config: RatesConfig,
  wanted: readonly Pair[],
  http: () => PriceHttp,
  monotonicMs: () => number,
): readonly PriceSource[] {
  return config.sources.map((name) =>
    BUILD[name](config.origins[name], wanted, http(), monotonicMs, config.coingeckoKey),
  );
}
