import { RATE_SOURCES, type RatesConfig, type RateSourceName } from './config.types.js';
import type { EnvReader } from './environment.js';

/** Who is asked for prices, and when they are believed. */
export function rates(read: EnvReader): RatesConfig {
  const coingeckoKey = read.secret('RATES_COINGECKO_KEY', 8);
  const usual = RATE_SOURCES.filter((name) => name !== 'coingecko' || coingeckoKey !== null);
  const named = read.text('RATES_SOURCES', usual.join(',')).split(',');
  const sources = [...new Set(named.map((name) => name.trim()))];
  const known = RATE_SOURCES.filter((name) => sources.includes(name));
  // One source would be able to name our price alone, so there is never a rate from fewer than two.
  if (known.length < 2 || known.length < sources.length) {
    read.problems.push(`RATES_SOURCES must name at least two of ${RATE_SOURCES.join(', ')}`);
  }
  if (known.includes('coingecko') && coingeckoKey === null)
    read.problems.push('RATES_SOURCES names coingecko, which needs RATES_COINGECKO_KEY');
  return {
    sources: known,
    coingeckoKey,
    origins: {
      kraken: rateOrigin(read, 'kraken', 'https://api.kraken.com'),
      coinbase: rateOrigin(read, 'coinbase', 'https://api.coinbase.com'),
      bitstamp: rateOrigin(read, 'bitstamp', 'https://www.bitstamp.net'),
      bitpay: rateOrigin(read, 'bitpay', 'https://bitpay.com'),
      coingecko: rateOrigin(read, 'coingecko', 'https://api.coingecko.com'),
    },
    maxAgeS: read.integer('RATES_MAX_AGE_SECONDS', 300, 60, 300),
    maxDeviationBps: read.integer('RATES_MAX_DEVIATION_BPS', 200, 1, 1_000),
  };
}

/** Prices over plain http could be anybody's; a mirror on this machine is the exception. */
function rateOrigin(read: EnvReader, source: RateSourceName, fallback: string): string {
  const name = `RATES_${source.toUpperCase()}_URL`;
  const origin = read.origin(name, fallback);
  if (origin && !/^https:|^http:\/\/(localhost|127\.0\.0\.1)(:|$)/.test(origin)) {
    read.problems.push(`${name} must be https`);
  }
  return origin;
}
