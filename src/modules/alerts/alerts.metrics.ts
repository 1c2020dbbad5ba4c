import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Metrics } from '../../platform/observability/metrics.js';
import { AlertsService } from './alerts.service.js';
import type { OpenAlerts } from './alerts.types.js';

/** How many alerts ask for attention, and for how long. */
@Injectable()
export class AlertsMetrics implements OnModuleInit {
  constructor(
    private readonly alerts: AlertsService,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.gauge('rappen_alerts_open', 'Alerts that are neither over nor acknowledged', ({ count }) => count);
    this.gauge(
      'rappen_alert_oldest_age_seconds',
      'Age of the oldest alert that is neither over nor acknowledged',
      ({ oldestAgeS }) => oldestAgeS,
    );
  }

  private gauge(name: string, help: string, read: (open: OpenAlerts) => number): void {
    const { alerts } = this;
    new Gauge({
      name,
      help,
      labelNames: ['kind'],
      registers: [this.metrics.registry],
      async collect() {
        const byKind = await alerts.openByKind();
        this.reset();
        for (const open of byKind) this.set({ kind: open.kind }, read(open));
      },
    });
  }
}
