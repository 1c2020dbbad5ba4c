import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Counter } from 'prom-client';
import { DataSource, type EntityManager } from 'typeorm';
import { ScheduledJob } from '../../../platform/jobs/scheduled-job.js';
import { Metrics } from '../../../platform/observability/metrics.js';
import { isUnreachable } from '../../../platform/problems/unreachable.js';
import { RateWindows } from '../../../platform/rate-limit/rate-windows.js';

/** How soon it is written. By the clock and not by the request, which would share the process with it. */
const WRITE_EVERY_MS = 1_000;
/** Beyond it nothing more is taken, which is counted: what strangers can bring about must not fill the memory. */
const MAX_WAITING = 1_000;
/** One that can never be written must not keep the others waiting for ever. An outage is no attempt: nothing could be. */
const MAX_ATTEMPTS = 5;

type Write = (tx: EntityManager) => Promise<void>;

interface Waiting {
  readonly write: Write;
  attempts: number;
}

/**
 * What a refusal leaves in the database, written after the answer: nobody learns from their wait whether there was an account
 * to write about (ADR 86). Whatever waits is lost where the process ends without a shutdown.
 */
@Injectable()
export class WriteBehind implements OnApplicationShutdown {
  private readonly logger = new Logger(WriteBehind.name);
  private readonly waiting: Waiting[] = [];
  private writing: Promise<void> = Promise.resolve();
  private isDropping = false;
  private readonly dropped: Counter<'why'>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly windows: RateWindows,
    metrics: Metrics,
  ) {
    this.dropped = new Counter({
      name: 'rappen_write_behind_dropped_total',
      help: 'Entries and mails about refusals that this instance did not write: too many were waiting, or the database refused them',
      labelNames: ['why'],
      registers: [metrics.registry],
    });
    for (const why of ['full', 'failed']) this.dropped.inc({ why }, 0);
  }

  /** The server is closed and the database is not: what the last requests left is written. */
  onApplicationShutdown(): Promise<void> {
    return this.write();
  }

  /**
   * Once a minute of each: a flood does not even ask the database.
   * @param what is written, of somebody or something that was looked up and found
   * @param write in a transaction of its own
   */
  add(what: string, write: Write): void {
    if (this.windows.hitKnown(`written:${what}`).hits > 1) return;
    if (this.waiting.length < MAX_WAITING) this.waiting.push({ write, attempts: 0 });
    else this.drop('full');
  }

  /** All that waits by now. @throws what the first throws that cannot be written: it is tried again the next time */
  @ScheduledJob('write-behind', WRITE_EVERY_MS)
  write(): Promise<void> {
    this.writing = this.writing.catch(() => undefined).then(() => this.writeAll());
    return this.writing;
  }

  private async writeAll(): Promise<void> {
    for (let left = this.waiting.length; left > 0; left -= 1) {
      const next = this.waiting.shift();
      if (next) await this.writeOne(next);
    }
    this.isDropping = false;
  }

  private async writeOne(next: Waiting): Promise<void> {
    try {
      await this.dataSource.transaction(next.write);
    } catch (error) {
      if (!isUnreachable(error)) next.attempts += 1;
      if (next.attempts < MAX_ATTEMPTS) this.waiting.unshift(next);
      else this.drop('failed');
      throw error;
    }
  }

  /** Each is counted; of a streak the log has the first. */
  private drop(why: 'full' | 'failed'): void {
    this.dropped.inc({ why });
    if (!this.isDropping) this.logger.error({ why }, 'what a refusal leaves was not written');
    this.isDropping = true;
  }
}
