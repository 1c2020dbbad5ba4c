import type { Pair } from '../domain/pair.js';
import type { Answer } from '../domain/sources/answer.js';
import { bitstampPath, parseBitstampTicker } from '../domain/sources/bitstamp.js';
import { BRISK, pricedOrNot, SeveralRequests } from './price-source.js';

const NO_SUCH_PAIR = [404];

/** One request for each pair; a pair without a book is a 404. */
export class BitstampSource extends SeveralRequests {
  readonly name = 'bitstamp';
  readonly pace = BRISK;

  protected requests(signal: AbortSignal) {
    return this.wanted.map((pair) => pricedOrNot([pair], NO_SUCH_PAIR, this.ticker(pair, signal)));
  }

  private async ticker(pair: Pair, signal: AbortSignal): Promise<Answer[]> {
    return [parseBitstampTicker(await this.http.get(this.origin, bitstampPath(pair), signal), pair)];
  }
}
