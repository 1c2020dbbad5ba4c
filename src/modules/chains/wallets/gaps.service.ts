import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Metrics } from '../../../platform/observability/metrics.js';
import { GapsRepository } from './data/gaps.repository.js';
import type { KeyGap } from './gaps.types.js';

/** How near a merchant's extended keys are to what their wallets still look for. */
@Injectable()
export class GapsService implements OnModuleInit {
  constructor(
    private readonly rows: GapsRepository,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    const { rows } = this;
    new Gauge({
      name: 'rappen_key_unused_indexes',
      help: 'The most addresses in a row, behind the last that was paid, that a key in use has given out',
      labelNames: ['family'],
      registers: [this.metrics.registry],
      async collect() {
        this.reset();
        const most = new Map<string, number>();
        for (const { family, unused } of await rows.all(null))
          most.set(family, Math.max(unused, most.get(family) ?? 0));
        for (const [family, unused] of most) this.set({ family }, unused);
      },
    });
  }

  all(): Promise<KeyGap[]> {
    return this.rows.all(null);
  }

  of(merchantId: string): Promise<KeyGap[]> {
    return this.rows.all(merchantId);
  }
}
