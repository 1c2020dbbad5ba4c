import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Metrics } from '../../../platform/observability/metrics.js';

/** How many transitions each edge saw. Counted when written; a rolled-back transaction may count one too many. */
@Injectable()
export class StatusMetrics {
  private readonly transitions: Counter<'from' | 'to'>;

  constructor(metrics: Metrics) {
    this.transitions = new Counter({
      name: 'rappen_intent_transitions_total',
      help: 'Status transitions of payment intents, the creation included',
      labelNames: ['from', 'to'],
      registers: [metrics.registry],
    });
  }

  created(): void {
    this.transitions.inc({ from: '', to: 'initiated' });
  }

  walked(steps: readonly { readonly from: string; readonly to: string }[]): void {
    for (const { from, to } of steps) this.transitions.inc({ from, to });
  }
}
