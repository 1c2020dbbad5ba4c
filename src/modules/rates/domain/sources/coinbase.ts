import { type Pair, pairName } from '../pair.js';
import { readPrice } from '../price.js';
import { type Answer, excerpt, isJsonObject, requireObject, SourceError } from './answer.js';

/** Coinbase redeems USDC for one dollar by its own promise, so what it says of USDC is not a market's word. */
const PROMISED: ReadonlySet<string> = new Set(['USDC']);

/** What Coinbase is asked about: one request for each base. */
export function coinbaseBases(wanted: readonly Pair[]): readonly string[] {
  return [...new Set(wanted.map((pair) => pair.base))].filter((base) => !PROMISED.has(base));
}

/**
 * What one unit of the base costs, from `/v2/exchange-rates?currency=BTC`: no bid and ask, and no time.
 * @throws SourceError for an error, or the rates of another currency
 */
export function parseCoinbaseRates(body: unknown, base: string, wanted: readonly Pair[]): Answer[] {
  const answer = requireObject(body, 'the answer');
  const { errors } = answer;
  if (errors !== undefined) {
    const error: unknown = Array.isArray(errors) ? errors[0] : errors;
    throw new SourceError(excerpt(isJsonObject(error) ? error['id'] : error));
  }
  const { currency, rates } = requireObject(answer['data'], 'data');
  if (currency !== base) throw new SourceError(`asked for ${base}, answered for ${excerpt(currency)}`);
  const prices = requireObject(rates, 'rates');
  return wanted
    .filter((pair) => pair.base === base)
    .map((pair) => ({ pair: pairName(pair), price: readPrice(prices[pair.quote]), atMs: null }));
}
