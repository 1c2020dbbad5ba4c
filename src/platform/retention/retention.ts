import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Counter, Gauge } from 'prom-client';
import { ScheduledJob } from '../jobs/scheduled-job.js';
import { Metrics } from '../observability/metrics.js';
import { type Removed, type Retained, RetainedRowsRepository } from './data/retained-rows.repository.js';

const JOB = 'retention';
/** How often an instance looks whether the hour is over; it costs one probe of a row. */
const LOOK_EVERY_MS = 60_000;

/** Removes what nobody needs any more: once an hour, on one instance, in small batches. */
@Injectable()
export class Retention implements OnModuleInit {
  private readonly logger = new Logger(Retention.name);
  private readonly rules: Retained[] = [];
  private readonly removed: Counter<'what'>;

  constructor(
    private readonly rows: RetainedRowsRepository,
    private readonly metrics: Metrics,
  ) {
    this.removed = new Counter({
      name: 'rappen_retention_removed_total',
      help: 'Rows that this instance removed, or made forget, because their time was over',
      labelNames: ['what'],
      registers: [metrics.registry],
    });
  }

  onModuleInit(): void {
    const { rows } = this;
    new Gauge({
      name: 'rappen_retention_last_run_timestamp_seconds',
      help: 'When the last run of any instance began; more than two hours ago means that nothing is removed any more',
      registers: [this.metrics.registry],
      async collect() {
        const startedAtS = await rows.startedAtS(JOB);
        if (startedAtS !== null) this.set(startedAtS);
      },
    });
  }

  /** Call from `onModuleInit`. */
  keep(...rules: readonly Retained[]): void {
    for (const rule of rules) {
      this.rules.push(rule);
      this.removed.inc({ what: rule.what }, 0);
    }
  }

  /** Nothing, unless an hour has passed since any instance last began. */
  @ScheduledJob(JOB, LOOK_EVERY_MS)
  async runIfDue(signal?: AbortSignal): Promise<void> {
    if (await this.rows.begin(JOB)) await this.run(signal);
  }

  /**
   * Applies every rule now. One that fails does not stop the others, and is tried again by the next run.
   * @returns rows per rule
   */
  async run(signal?: AbortSignal): Promise<Readonly<Record<string, number>>> {
    const counts: Record<string, number> = {};
    for (const rule of this.rules) {
      try {
        counts[rule.what] = await this.apply(rule, signal);
      } catch (error) {
        this.logger.error({ what: rule.what, err: error }, 'retention failed');
      }
    }
    return counts;
  }

  private async apply(rule: Retained, signal?: AbortSignal): Promise<number> {
    let rows = 0;
    for (let after: string | null = '0'; after !== null && !signal?.aborted;) {
      const page: Removed = await (rule.aged
        ? this.rows.walk(rule, rule.aged, after)
        : this.rows.search(rule));
      this.removed.inc({ what: rule.what }, page.rows);
      rows += page.rows;
      after = page.after;
    }
    return rows;
  }
}
