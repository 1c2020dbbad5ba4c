import type { Pair } from '../domain/pair.js';
import type { Answer } from '../domain/sources/answer.js';
import { coingeckoKey, coingeckoPath, parseCoingeckoPrices } from '../domain/sources/coingecko.js';
import type { PriceHttp } from './price-http.js';
import type { Pace, PriceSource } from './price-source.js';

/** One request for all pairs. */
export class CoingeckoSource implements PriceSource {
  readonly name = 'coingecko';
  /** Its answers change once a minute, and a free key serves a few requests a minute, failed ones included. */
  readonly pace: Pace = { everyMs: 60_000, retryMs: 60_000 };

  constructor(
    private readonly origin: string,
    private readonly wanted: readonly Pair[],
    private readonly http: PriceHttp,
    private readonly key: string | null,
  ) {}

  async ask(signal: AbortSignal): Promise<readonly Answer[]> {
    const body = await this.http.get(this.origin, coingeckoPath(this.wanted), signal, {
      headers: coingeckoKey(this.origin, this.key),
    });
    return parseCoingeckoPrices(body, this.wanted);
  }
}
