import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Metrics } from '../../../platform/observability/metrics.js';
import { type Outcome, OUTCOMES } from '../domain/outcome.js';

/** How the tries of this instance end. Counted once recorded: what its lease outlived is another instance's to count. */
@Injectable()
export class AttemptMetrics {
  private readonly attempts: Counter<'outcome'>;

  constructor(metrics: Metrics) {
    this.attempts = new Counter({
      name: 'rappen_webhook_attempts_total',
      help: 'Tries of webhook deliveries by their outcome: delivered, retry (failed, and tried again), exhausted, gone (410)',
      labelNames: ['outcome'],
      registers: [metrics.registry],
    });
    for (const outcome of OUTCOMES) this.attempts.inc({ outcome }, 0);
  }

  ended({ kind }: Outcome): void {
    this.attempts.inc({ outcome: kind });
  }
}
