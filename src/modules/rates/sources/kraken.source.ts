import { type Pair, pairName } from '../domain/pair.js';
import type { Answer } from '../domain/sources/answer.js';
import {
  isUnknownPair,
  type KrakenMarkets,
  parseKrakenMarkets,
  parseKrakenTicker,
} from '../domain/sources/kraken.js';
import { LIST_OF_MARKETS, type PriceHttp } from './price-http.js';
import { BRISK, type PriceSource } from './price-source.js';

/** Markets are listed and closed rarely; a closed one is noticed at once by the ticker's error. */
const MARKETS_MAX_AGE_MS = 24 * 3_600_000;

/** One request for all pairs; which pairs exist, and under which key, only Kraken knows. */
export class KrakenSource implements PriceSource {
  readonly name = 'kraken';
  readonly pace = BRISK;
  private known: { readonly markets: KrakenMarkets; readonly atMs: number } | null = null;

  constructor(
    private readonly origin: string,
    private readonly wanted: readonly Pair[],
    private readonly http: PriceHttp,
    private readonly monotonicMs: () => number,
  ) {}

  async ask(signal: AbortSignal): Promise<readonly Answer[]> {
    const markets = await this.markets(signal);
    const answers = markets.size === 0 ? [] : await this.ticker(markets, signal);
    const unlisted = this.wanted.map(pairName).filter((pair) => !markets.has(pair));
    return [...answers, ...unlisted.map((pair) => ({ pair, price: null, atMs: null }))];
  }

  private async markets(signal: AbortSignal): Promise<KrakenMarkets> {
    const nowMs = this.monotonicMs();
    if (this.known && nowMs - this.known.atMs < MARKETS_MAX_AGE_MS) return this.known.markets;
    const body = await this.http.get(this.origin, '/0/public/AssetPairs', signal, {
      limits: LIST_OF_MARKETS,
    });
    this.known = { markets: parseKrakenMarkets(body, this.wanted), atMs: nowMs };
    return this.known.markets;
  }

  private async ticker(markets: KrakenMarkets, signal: AbortSignal): Promise<Answer[]> {
    try {
      const pairs = [...markets.values()].map(encodeURIComponent).join(',');
      const body = await this.http.get(this.origin, `/0/public/Ticker?pair=${pairs}`, signal);
      return parseKrakenTicker(body, markets);
    } catch (error) {
      if (isUnknownPair(error)) this.known = null;
      throw error;
    }
  }
}
