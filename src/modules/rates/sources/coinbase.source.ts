import type { Answer } from '../domain/sources/answer.js';
import { coinbaseBases, parseCoinbaseRates } from '../domain/sources/coinbase.js';
import { BRISK, SeveralRequests } from './price-source.js';

/** One request for each base, which answers all currencies. */
export class CoinbaseSource extends SeveralRequests {
  readonly name = 'coinbase';
  readonly pace = BRISK;

  protected requests(signal: AbortSignal) {
    return coinbaseBases(this.wanted).map((base) => this.rates(base, signal));
  }

  private async rates(base: string, signal: AbortSignal): Promise<Answer[]> {
    const path = `/v2/exchange-rates?currency=${encodeURIComponent(base)}`;
    return parseCoinbaseRates(await this.http.get(this.origin, path, signal), base, this.wanted);
  }
}
