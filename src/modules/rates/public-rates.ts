import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { NetworkConfig, RatesConfig } from '../../config/config.types.js';
import type { Currency } from '../../kernel/fiat.js';
import { ScheduledJob } from '../../platform/jobs/scheduled-job.js';
import type { Policy } from './domain/combine.js';
import type { Instant } from './domain/instant.js';
import { judge, type ObservationsBySource } from './domain/judge.js';
import { askedPairs, offeredPairs, type Pair, pairName } from './domain/pair.js';
import { presentHealth, presentRate } from './domain/present.js';
import { RateBook } from './rates.service.js';
import type { Rate, RateHealth } from './rates.types.js';
import { PriceHttp } from './sources/price-http.js';
import { priceSources } from './sources/price-sources.js';
import { SourcePoller } from './sources/source-poller.js';

/** The shortest wait after a failure; whether a source is due, each decides for itself. */
const TURN_EVERY_MS = 5_000;
/** For one turn of one source, all its requests together. */
const TIMEOUT_MS = 5_000;

export interface PublicRatesOptions {
  readonly now?: () => Instant;
  readonly timeoutMs?: number;
}

/** Production's prices: what public sources say, held in memory, combined at each question, and closed when in doubt. */
export class PublicRates extends RateBook implements OnApplicationShutdown {
  private readonly logger = new Logger(PublicRates.name);
  private readonly connections: PriceHttp[] = [];
  private readonly pollers: readonly SourcePoller[];
  private readonly offered: ReadonlyMap<string, Pair>;
  private readonly policy: Policy;
  private readonly now: () => Instant;
  private readonly unrated = new Set<string>();

  constructor(config: RatesConfig, networks: readonly NetworkConfig[], options: PublicRatesOptions = {}) {
    super();
    const { now = readClocks, timeoutMs = TIMEOUT_MS } = options;
    const offered = offeredPairs(networks);
    this.now = now;
    this.policy = { maxAgeMs: config.maxAgeS * 1000, maxDeviationBps: config.maxDeviationBps };
    this.offered = new Map(offered.map((pair) => [pairName(pair), pair]));
    const connect = () => {
      const http = new PriceHttp(timeoutMs);
      this.connections.push(http);
      return http;
    };
    const sources = priceSources(config, askedPairs(offered), connect, () => now().monotonicMs);
    const events = { failed: this.sourceFailed.bind(this), recovered: this.sourceRecovered.bind(this) };
    this.pollers = sources.map((source) => new SourcePoller(source, events, now, timeoutMs));
  }

  rate(asset: string, currency: Currency): Rate | null {
    const pair = this.offered.get(pairName({ base: asset, quote: currency }));
    return pair ? presentRate(pair, judge(pair, this.observed(), this.now(), this.policy)) : null;
  }

  override health(): readonly RateHealth[] {
    const [observed, now] = [this.observed(), this.now()];
    return [...this.offered.values()].map((pair) =>
      presentHealth(pair, judge(pair, observed, now, this.policy), now),
    );
  }

  /** Names of the sources whose last turn failed. */
  failing(): readonly string[] {
    return this.pollers.filter((poller) => poller.failures > 0).map((poller) => poller.name);
  }

  /** Asks every source that is due, all at once: a slow one delays no other. */
  @ScheduledJob('rates', TURN_EVERY_MS)
  async turn(stopping: AbortSignal): Promise<void> {
    if (this.offered.size === 0) return;
    await Promise.all(this.pollers.map((poller) => poller.turn(stopping)));
    if (!stopping.aborted) this.tellChanges();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.connections.map((http) => http.close()));
  }

  private observed(): ObservationsBySource {
    return new Map(this.pollers.map((poller) => [poller.name, poller.observations]));
  }

  /** One line when a pair loses its rate, one when it has it again. */
  private tellChanges(): void {
    for (const { asset, currency, price, dropped } of this.health()) {
      const pair = `${asset}/${currency}`;
      if (price === null && !this.unrated.has(pair)) {
        this.unrated.add(pair);
        this.logger.warn({ pair, dropped }, 'no rate: the option is closed');
      } else if (price !== null && this.unrated.delete(pair)) {
        this.logger.log({ pair }, 'the pair has a rate again');
      }
    }
  }

  private sourceFailed(source: string, reason: string): void {
    this.logger.warn({ source, reason }, 'a price source fails');
  }

  private sourceRecovered(source: string, failures: number): void {
    this.logger.log({ source, failures }, 'a price source answers again');
  }
}

function readClocks(): Instant {
  return { wallMs: Date.now(), monotonicMs: performance.now() };
}
