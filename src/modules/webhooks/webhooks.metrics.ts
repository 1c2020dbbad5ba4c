import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Metrics } from '../../platform/observability/metrics.js';
import { WebhooksService } from './webhooks.service.js';
import { MOST_COUNTED } from './webhooks.types.js';

/** How much waits to be delivered, and for how long: the first thing to look at when a merchant misses events. */
@Injectable()
export class WebhooksMetrics implements OnModuleInit {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    const { webhooks } = this;
    const oldest = new Gauge({
      name: 'rappen_webhook_oldest_due_seconds',
      help: 'For how long the oldest due delivery to an endpoint that takes it has been due',
      registers: [this.metrics.registry],
    });
    const sending = new Gauge({
      name: 'rappen_webhook_in_flight',
      help: 'Deliveries that some instance is sending at this moment',
      registers: [this.metrics.registry],
    });
    new Gauge({
      name: 'rappen_webhook_backlog',
      help: `Deliveries that wait to be sent, counted to ${MOST_COUNTED}: as many or more`,
      registers: [this.metrics.registry],
      async collect() {
        const backlog = await webhooks.backlog();
        this.set(backlog.pending);
        sending.set(backlog.sending);
        oldest.set(backlog.oldestAgeS);
      },
    });
  }
}
