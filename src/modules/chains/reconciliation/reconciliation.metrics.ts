import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Metrics } from '../../../platform/observability/metrics.js';
import { ReconciliationService } from './reconciliation.service.js';
import type { ReconciliationStanding } from './reconciliation.types.js';

/** How the comparison with the chain stands, as all instances share it. */
@Injectable()
export class ReconciliationMetrics implements OnModuleInit {
  constructor(
    private readonly reconciliation: ReconciliationService,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.gauge('last_run_timestamp_seconds', 'When the last round over all addresses ended', (standing) =>
      standing.finishedAt ? standing.finishedAt.getTime() / 1_000 : null,
    );
    this.gauge('last_run_seconds', 'How long that round took', ({ lastDurationS }) => lastDurationS);
    this.gauge('addresses', 'Addresses that it compared', ({ lastCompared }) => lastCompared);
    this.gauge(
      'incomparable',
      'What of them the node could not tell',
      (standing) => standing.lastIncomparable,
    );
    this.gauge('addresses_under_way', 'Addresses that the round under way has compared', (s) => s.compared);
    this.gauge('differences', 'Differences between chain and ledger that stand', (s) => s.differences);
  }

  private gauge(name: string, help: string, read: (standing: ReconciliationStanding) => number | null): void {
    const { reconciliation } = this;
    new Gauge({
      name: `rappen_reconcile_${name}`,
      help,
      labelNames: ['network'],
      registers: [this.metrics.registry],
      async collect() {
        for (const standing of await reconciliation.standings()) {
          const value = read(standing);
          if (value !== null) this.set({ network: standing.network }, value);
        }
      },
    });
  }
}
