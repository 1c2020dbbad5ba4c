import type { Answer } from '../domain/sources/answer.js';
import { coinbaseBases, parseCoinbaseRates } from '../domain/sources/coinbase.js';
import type { Pair } from '../domain/pair.js';
import type { PriceHttp } from './price-http.js';
import { BRISK, gather, type PriceSource } from './price-source.js';

/** One request for each base, which answers all currencies. */
export class CoinbaseSource implements PriceSource {
  readonly name = 'coinbase';
  readonly pace = BRISK;

  constructor(
    private readonly origin: string,
    private readonly wanted: readonly Pair[],
    private readonly http: PriceHttp,
  ) {}

  async ask(signal: AbortSignal): Promise<readonly Answer[]> {
    return gather(coinbaseBases(this.wanted).map((base) => this.rates(base, signal)));
  }

  private async rates(base: string, signal: AbortSignal): Promise<Answer[]> {
    const path = `/v2/exchange-rates?currency=${encodeURIComponent(base)}`;
    return parseCoinbaseRates(await this.http.get(this.origin, path, signal), base, this.wanted);
  }
}
