import type { Price } from '../../../../kernel/crypto-amount.js';
import { CURRENCIES, type Currency } from '../../../../kernel/fiat.js';
import { type Pair, pairName } from '../pair.js';
import { invert, multiply, readPrice } from '../price.js';
import { type Answer, excerpt, isJsonObject, type Json, requireObject, SourceError } from './answer.js';

/** CoinGecko's names of coins. A symbol that is not here is not asked about: many coins share a symbol. */
const COINS: Readonly<Record<string, string>> = {
  BTC: 'bitcoin',
  LTC: 'litecoin',
  DOGE: 'dogecoin',
  ETH: 'ethereum',
  POL: 'polygon-ecosystem-token',
  USDC: 'usd-coin',
  USDT: 'tether',
  DAI: 'dai',
  EURC: 'euro-coin',
};

/** It prices coins, not currencies: what one currency costs in another is what a bitcoin costs in both. */
const YARDSTICK = 'bitcoin';

/** A free key has another header than one that is paid for, which has a host of its own. */
export function coingeckoKey(origin: string, key: string | null): Readonly<Record<string, string>> {
  if (key === null) return {};
  return { [new URL(origin).hostname.startsWith('pro-') ? 'x-cg-pro-api-key' : 'x-cg-demo-api-key']: key };
}

/** One request for everything. `full` precision: the default cuts small prices to a few digits. */
export function coingeckoPath(wanted: readonly Pair[]): string {
  const ids = new Set([YARDSTICK, ...wanted.flatMap(({ base }) => COINS[base] ?? [])]);
  const currencies = CURRENCIES.map((currency) => currency.toLowerCase());
  const query = `ids=${[...ids].join(',')}&vs_currencies=${currencies.join(',')}`;
  return `/api/v3/simple/price?${query}&include_last_updated_at=true&precision=full`;
}

/**
 * What one unit costs, from `/api/v3/simple/price`, with CoinGecko's time of it in Unix seconds. An average over
 * markets: no bid and ask. Its prices are JSON numbers.
 * @throws SourceError for an error, also one with status 200
 */
export function parseCoingeckoPrices(body: unknown, wanted: readonly Pair[]): Answer[] {
  const coins = requireObject(body, 'the answer');
  const error =
    coins['error'] ?? (isJsonObject(coins['status']) ? coins['status']['error_message'] : undefined);
  if (error !== undefined) throw new SourceError(excerpt(error));
  return wanted.map((pair) => {
    const coin = coins[COINS[pair.base] ?? YARDSTICK];
    const atMs = isJsonObject(coin) ? timeOf(coin) : null;
    // A price without its time could be of any age.
    const price = isJsonObject(coin) && atMs !== null ? priceOf(coin, pair) : null;
    return { pair: pairName(pair), price, atMs };
  });
}

function priceOf(coin: Json, { base, quote }: Pair): Price | null {
  if (COINS[base]) return inCurrency(coin, quote);
  const currency = CURRENCIES.find((known) => known === base);
  const [inBase, inQuote] = [currency && inCurrency(coin, currency), inCurrency(coin, quote)];
  return inBase && inQuote ? multiply(inQuote, invert(inBase)) : null;
}

function inCurrency(coin: Json, currency: Currency): Price | null {
  return readPrice(coin[currency.toLowerCase()]);
}

function timeOf(coin: Json): number | null {
  const at = coin['last_updated_at'];
  return typeof at === 'number' && Number.isSafeInteger(at) && at > 0 ? at * 1000 : null;
}
