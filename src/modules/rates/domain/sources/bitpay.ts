import { CURRENCIES } from '../../../../kernel/fiat.js';
import { type Pair, pairName } from '../pair.js';
import { invert, multiply, readPrice } from '../price.js';
import { type Answer, excerpt, isJsonObject, type Json, requireObject, SourceError } from './answer.js';

/** It prices coins, not currencies: what one currency costs in another is what a bitcoin costs in both. */
const YARDSTICK = 'BTC';

const isCurrency = (symbol: string) => CURRENCIES.some((currency) => currency === symbol);

/** What BitPay is asked about: one request for each coin, and bitcoin in any case. */
export function bitpayBases(wanted: readonly Pair[]): readonly string[] {
  const coins = wanted.map(({ base }) => base).filter((base) => !isCurrency(base));
  return [...new Set([YARDSTICK, ...coins])];
}

export function bitpayPath(base: string): string {
  return `/rates/${encodeURIComponent(base)}`;
}

/**
 * What one unit of the base costs, from `/rates/BTC`: no bid and ask, and no time. Its prices are JSON numbers.
 * @throws SourceError for an error, also one with status 200
 */
export function parseBitpayRates(body: unknown, base: string, wanted: readonly Pair[]): Answer[] {
  const answer = requireObject(body, 'the answer');
  if (answer['error'] !== undefined) throw new SourceError(excerpt(answer['error']));
  const { data } = answer;
  if (!Array.isArray(data)) throw new SourceError('the answer has no list of rates');
  const rows = data.filter((row): row is Json => isJsonObject(row));
  const rates = new Map(rows.map(({ code, rate }) => [code, rate]));
  const rateOf = (code: string) => readPrice(rates.get(code));
  const direct = wanted
    .filter((pair) => pair.base === base)
    .map((pair) => ({ pair: pairName(pair), price: rateOf(pair.quote), atMs: null }));
  if (base !== YARDSTICK) return direct;
  const crossed = wanted
    .filter((pair) => isCurrency(pair.base))
    .map((pair) => {
      const [inBase, inQuote] = [rateOf(pair.base), rateOf(pair.quote)];
      const price = inBase && inQuote ? multiply(inQuote, invert(inBase)) : null;
      return { pair: pairName(pair), price, atMs: null };
    });
  return [...direct, ...crossed];
}
