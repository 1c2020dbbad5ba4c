import type { Answer } from '../domain/sources/answer.js';
import { bitpayBases, bitpayPath, parseBitpayRates } from '../domain/sources/bitpay.js';
import { type Pace, pricedOrNot, SeveralRequests } from './price-source.js';

/** What it does not price is refused with one of these. */
const NO_SUCH_COIN = [400, 404, 422];

/** One request for each coin; the currencies among themselves come from bitcoin's. */
export class BitpaySource extends SeveralRequests {
  readonly name = 'bitpay';
  /** A table of one company's own, not a book: it changes once a minute. */
  readonly pace: Pace = { everyMs: 60_000, retryMs: 15_000 };

  protected requests(signal: AbortSignal) {
    return bitpayBases(this.wanted).map((base) => {
      const pairs = this.wanted.filter((pair) => pair.base === base);
      return pricedOrNot(pairs, NO_SUCH_COIN, this.rates(base, signal));
    });
  }

  private async rates(base: string, signal: AbortSignal): Promise<Answer[]> {
    const body = await this.http.get(this.origin, bitpayPath(base), signal, {
      headers: { 'x-accept-version': '2.0.0' },
    });
    return parseBitpayRates(body, base, this.wanted);
  }
}
