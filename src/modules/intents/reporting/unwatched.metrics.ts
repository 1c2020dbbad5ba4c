import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Readiness } from '../../../platform/health/readiness.js';
import { Metrics } from '../../../platform/observability/metrics.js';
import { UnwatchedAssets } from './unwatched-assets.service.js';

/** What addresses were given out for and nobody looks for or has acknowledged, for the readiness' body and for Prometheus. */
@Injectable()
export class UnwatchedMetrics implements OnModuleInit {
  constructor(
    private readonly unwatched: UnwatchedAssets,
    private readonly readiness: Readiness,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    const { unwatched } = this;
    this.readiness.register({
      name: 'unwatchedAssets',
      required: false,
      check: async () => {
        const detail = await unwatched.unacknowledged();
        return { ok: detail.length === 0, detail };
      },
    });
    new Gauge({
      name: 'rappen_unwatched_asset',
      help: 'Always 1: addresses were given out for it, and it is not looked for, because it is not configured any more; until its alert is acknowledged',
      labelNames: ['network', 'asset'],
      registers: [this.metrics.registry],
      async collect() {
        this.reset();
        for (const { network, asset } of await unwatched.unacknowledged()) this.set({ network, asset }, 1);
      },
    });
  }
}
