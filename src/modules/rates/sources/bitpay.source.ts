import { SourceError, type Answer } from '../domain/sources/answer.js';
import { bitpayBases, bitpayPath, parseBitpayRates } from '../domain/sources/bitpay.js';
import { pairName, type Pair } from '../domain/pair.js';
import type { PriceHttp } from './price-http.js';
import { gather, type Pace, type PriceSource } from './price-source.js';

/** What it does not price is refused with one of these. */
const NO_SUCH_COIN: readonly (number | null)[] = [400, 404, 422];

/** One request for each coin; the currencies among themselves come from bitcoin's. */
export class BitpaySource implements PriceSource {
  readonly name = 'bitpay';
  /** A table of one company's own, not a book: it changes once a minute. */
  readonly pace: Pace = { everyMs: 60_000, retryMs: 15_000 };

  constructor(
    private readonly origin: string,
    private readonly wanted: readonly Pair[],
    private readonly http: PriceHttp,
  ) {}

  async ask(signal: AbortSignal): Promise<readonly Answer[]> {
    return gather(bitpayBases(this.wanted).map((base) => this.rates(base, signal)));
  }

  private async rates(base: string, signal: AbortSignal): Promise<Answer[]> {
    try {
      const body = await this.http.get(this.origin, bitpayPath(base), signal, {
        headers: { 'x-accept-version': '2.0.0' },
      });
      return parseBitpayRates(body, base, this.wanted);
    } catch (error) {
      if (!(error instanceof SourceError && NO_SUCH_COIN.includes(error.httpStatus))) throw error;
      const pairs = this.wanted.filter((pair) => pair.base === base);
      return pairs.map((pair) => ({ pair: pairName(pair), price: null, atMs: null }));
    }
  }
}
