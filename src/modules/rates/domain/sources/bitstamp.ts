import { type Pair, pairName } from '../pair.js';
import { type Answer, excerpt, requireObject, SourceError } from './answer.js';
import { midPrice } from './order-book.js';

export function bitstampPath({ base, quote }: Pair): string {
  return `/api/v2/ticker/${encodeURIComponent(`${base}${quote}`.toLowerCase())}/`;
}

/**
 * The middle of a book, from `/api/v2/ticker/btceur/`, with Bitstamp's time in Unix seconds.
 * @throws SourceError for an error, also one with status 200, and for an answer without a time
 */
export function parseBitstampTicker(body: unknown, pair: Pair): Answer {
  const ticker = requireObject(body, 'the answer');
  const reason = ticker['reason'] ?? ticker['response_code'] ?? ticker['error'];
  if (ticker['status'] === 'error' || reason !== undefined) throw new SourceError(excerpt(reason));
  const { timestamp } = ticker;
  if (typeof timestamp !== 'string' || !/^\d{1,11}$/.test(timestamp)) {
    throw new SourceError('the answer has no time');
  }
  return {
    pair: pairName(pair),
    price: midPrice(ticker['bid'], ticker['ask']),
    atMs: Number(timestamp) * 1000,
  };
}
