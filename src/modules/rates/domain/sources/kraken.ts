import { type Pair, type PairName, pairName } from '../pair.js';
import { type Answer, excerpt, isJsonObject, type Json, requireObject, SourceError } from './answer.js';
import { midPrice } from './order-book.js';

/** Kraken's own key of each pair that trades: "BTC/USD" is XXBTZUSD, "BTC/CHF" is XBTCHF. No rule derives them. */
export type KrakenMarkets = ReadonlyMap<PairName, string>;

/** Several times what an honest key has. The keys stand in each question for the prices, all of them in one. */
const MOST_KEY_CHARS = 32;

const UNKNOWN_PAIR = 'EQuery:Unknown asset pair';

/**
 * The wanted pairs among those that trade, from `/0/public/AssetPairs`.
 * @throws SourceError for an error, also one with status 200
 */
export function parseKrakenMarkets(body: unknown, wanted: readonly Pair[]): KrakenMarkets {
  const names = new Map(wanted.map((pair) => [krakenName(pair), pairName(pair)]));
  const markets = new Map<PairName, string>();
  for (const [key, market] of Object.entries(resultOf(body))) {
    if (key.length > MOST_KEY_CHARS || !isJsonObject(market) || typeof market['wsname'] !== 'string')
      continue;
    const name = names.get(market['wsname']);
    // A market that is halted or only cancels orders keeps its last bid and ask, which are nobody's price any more.
    if (name && market['status'] === 'online') markets.set(name, key);
  }
  return markets;
}

/**
 * The middle of each market's book, from `/0/public/Ticker`, which gives no time.
 * @throws SourceError for an error, also one with status 200
 */
export function parseKrakenTicker(body: unknown, markets: KrakenMarkets): Answer[] {
  const result = resultOf(body);
  return [...markets].map(([pair, key]) => {
    const ticker = result[key];
    const price = isJsonObject(ticker) ? midPrice(first(ticker['b']), first(ticker['a'])) : null;
    return { pair, price, atMs: null };
  });
}

/** One pair that is no longer listed spoils the whole answer: the list of pairs has to be read again. */
export function isUnknownPair(error: unknown): boolean {
  return error instanceof SourceError && error.reason.startsWith(UNKNOWN_PAIR);
}

function krakenName({ base, quote }: Pair): string {
  return `${base === 'BTC' ? 'XBT' : base === 'DOGE' ? 'XDG' : base}/${quote}`;
}

/** Errors begin with E; a W is a warning beside a good result. */
function resultOf(body: unknown): Json {
  const { error, result } = requireObject(body, 'the answer');
  if (!Array.isArray(error)) throw new SourceError('the answer has no list of errors');
  const severe: unknown = error.find((text) => typeof text !== 'string' || !text.startsWith('W'));
  if (severe !== undefined) throw new SourceError(excerpt(severe));
  return requireObject(result, 'the result');
}

function first(side: unknown): unknown {
  return Array.isArray(side) ? side[0] : undefined;
}
