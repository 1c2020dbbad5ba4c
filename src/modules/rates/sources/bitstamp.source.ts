import { SourceError, type Answer } from '../domain/sources/answer.js';
import { bitstampPath, parseBitstampTicker } from '../domain/sources/bitstamp.js';
import { pairName, type Pair } from '../domain/pair.js';
import type { PriceHttp } from './price-http.js';
import { BRISK, gather, type PriceSource } from './price-source.js';

const NO_SUCH_PAIR = 404;

/** One request for each pair; a pair without a book is a 404. */
export class BitstampSource implements PriceSource {
  readonly name = 'bitstamp';
  readonly pace = BRISK;

  constructor(
    private readonly origin: string,
    private readonly wanted: readonly Pair[],
    private readonly http: PriceHttp,
  ) {}

  async ask(signal: AbortSignal): Promise<readonly Answer[]> {
    return gather(this.wanted.map((pair) => this.ticker(pair, signal)));
  }

  private async ticker(pair: Pair, signal: AbortSignal): Promise<Answer[]> {
    try {
      return [parseBitstampTicker(await this.http.get(this.origin, bitstampPath(pair), signal), pair)];
    } catch (error) {
      if (!(error instanceof SourceError && error.httpStatus === NO_SUCH_PAIR)) throw error;
      return [{ pair: pairName(pair), price: null, atMs: null }];
    }
  }
}
