import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Readiness } from '../../platform/health/readiness.js';
import { Metrics } from '../../platform/observability/metrics.js';
import type { CrossCheck } from './chains.types.js';
import { FactsService } from './facts.service.js';
import type { NetworkHealth } from './health.types.js';
import { NetworkHealthService } from './network-health.service.js';

const CROSS_CHECK_VALUES: Readonly<Record<CrossCheck, number>> = { agrees: 1, silent: 0, disagrees: -1 };

/** How the networks do, for the readiness' body and for Prometheus. A lagging one closes its option, nothing else. */
@Injectable()
export class ChainsMetrics implements OnModuleInit {
  constructor(
    private readonly networks: NetworkHealthService,
    private readonly facts: FactsService,
    private readonly readiness: Readiness,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.readiness.register({ name: 'networks', required: false, check: () => this.check() });
    this.gauge('rappen_network_open', 'Whether the network is offered at the checkout', ({ state }) =>
      state === 'open' ? 1 : 0,
    );
    this.gauge('rappen_network_lag_blocks', 'Blocks between the node’s tip and our cursor', lagOf);
    this.gauge(
      'rappen_network_cross_check',
      'Whether the second node agrees: 1 yes, 0 it is silent, -1 it disagrees; absent without one',
      ({ crossCheck }) => crossCheck && CROSS_CHECK_VALUES[crossCheck],
    );
    this.gauge(
      'rappen_network_coin_blind',
      'Whether the node does not say what addresses hold, or says it or traces blocks too slowly, so that coin which a contract pays is seen late',
      ({ closedAssets: closed }) => (Object.values(closed).includes('balances-unknown') ? 1 : 0),
    );
    this.gauge(
      'rappen_network_coin_unwatched_addresses',
      'Recent addresses beyond those whose balances are compared',
      ({ coinUnwatched }) => coinUnwatched,
    );
    this.gauge(
      'rappen_network_closed_assets',
      'Assets of a network that are not offered, because we would not see them paid',
      ({ closedAssets: closed }) => Object.keys(closed).length,
    );
    this.gauge(
      'rappen_network_unsearched_wallets',
      'Wallets that are not offered until the node has said which addresses were used before',
      ({ unsearchedWallets }) => unsearchedWallets,
    );
    this.gauge('rappen_network_halted', 'Whether the network shares no block with its node', ({ state }) =>
      state === 'halted' ? 1 : 0,
    );
    this.gauge(
      'rappen_network_unfinal_seconds',
      'For how long the oldest block that is not final has been known; 0 while all are final',
      ({ height, unfinalForS }) => (height === null ? null : (unfinalForS ?? 0)),
    );
    this.gauge(
      'rappen_network_finality_stalled',
      'Whether no block has become final for so long that payments which wait for it wait in vain',
      ({ isFinalityStalled }) => Number(isFinalityStalled),
    );
    this.gauge('rappen_network_synced_age_seconds', 'Since the cursor last stood at a fresh tip', ageS);
    this.backlog();
  }

  private async check() {
    const health = await this.networks.all();
    const isWell = health.every(
      ({ state, closedAssets: closed, isFinalityStalled }) =>
        state === 'open' && isEmpty(closed) && !isFinalityStalled,
    );
    return { ok: isWell, detail: health };
  }

  private backlog(): void {
    const { facts } = this;
    const registers = [this.metrics.registry];
    const oldest = new Gauge({
      name: 'rappen_fact_change_oldest_age_seconds',
      help: 'For how long the longest waiting of them has waited',
      registers,
    });
    new Gauge({
      name: 'rappen_fact_changes',
      help: 'Payments with news from the chain that wait to be decided',
      registers,
      async collect() {
        const { subjects, oldestAgeS } = await facts.backlog();
        this.set(subjects);
        oldest.set(oldestAgeS);
      },
    });
  }

  private gauge(name: string, help: string, read: (health: NetworkHealth) => number | null): void {
    const { networks } = this;
    new Gauge({
      name,
      help,
      labelNames: ['network'],
      registers: [this.metrics.registry],
      async collect() {
        for (const health of await networks.all()) {
          const value = read(health);
          if (value !== null) this.set({ network: health.network }, value);
        }
      },
    });
  }
}

const isEmpty = (record: object) => Object.keys(record).length === 0;

function lagOf({ height, nodeHeight }: NetworkHealth): number | null {
  return height === null || nodeHeight === null ? null : nodeHeight - height;
}

function ageS({ syncedAt }: NetworkHealth): number | null {
  return syncedAt === null ? null : (Date.now() - syncedAt.getTime()) / 1000;
}
