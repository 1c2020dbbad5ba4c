import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Metrics } from '../../../platform/observability/metrics.js';
import { ReviewsRepository } from '../unsettled/data/reviews.repository.js';

/** How many payments wait for a merchant's decision, and for how long. */
@Injectable()
export class ReviewMetrics implements OnModuleInit {
  constructor(
    private readonly reviews: ReviewsRepository,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    const { reviews } = this;
    const registers = [this.metrics.registry];
    new Gauge({
      name: 'rappen_review_entries',
      help: 'Payments with money that waits for a decision of their merchant',
      registers,
      async collect() {
        this.set((await reviews.backlog()).count);
      },
    });
    new Gauge({
      name: 'rappen_review_oldest_age_seconds',
      help: 'For how long the oldest of them has waited',
      registers,
      async collect() {
        this.set((await reviews.backlog()).oldestAgeS);
      },
    });
  }
}
