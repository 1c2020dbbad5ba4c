import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { type AttemptRecord, recordAttempts, type Recorded } from '../data/record.statement.js';
import {
  MAX_UNRECORDED,
  MAX_UNRECORDED_MS,
  RECORD_BATCH,
  RECORD_LINGER_MS,
  RECORD_RETRY_MS,
} from '../domain/limits.js';

/**
 * Collects results and writes them in batches, one statement at a time: what ends while one is being written goes
 * with the next. A batch that the database refused is kept and tried again; its leases decide whether it still counts.
 */
export class AttemptRecorder {
  private readonly logger = new Logger('Webhooks');
  private waiting: AttemptRecord[] = [];
  /** Since when there has always been something to write; what one statement has not taken counts from then on. */
  private waitingSinceMs: number | null = null;
  private timer: NodeJS.Timeout | null = null;
  private writing: Promise<void> | null = null;

  constructor(
    private readonly dataSource: DataSource,
    private readonly onWritten: () => void,
    /** For each result that the database took. */
    private readonly onRecorded: (record: AttemptRecord) => void = () => undefined,
  ) {}

  /** Whether so much waits, or for so long, that the leases of what is sent now would not outlive it. */
  get isBehind(): boolean {
    const waitedMs = this.waitingSinceMs === null ? 0 : performance.now() - this.waitingSinceMs;
    return this.waiting.length >= MAX_UNRECORDED || waitedMs >= MAX_UNRECORDED_MS;
  }

  add(record: AttemptRecord): void {
    this.waitingSinceMs ??= performance.now();
    this.waiting.push(record);
    this.schedule(RECORD_LINGER_MS);
  }

  /** Writes everything that waits; what the database refuses once is left to its lease. */
  async flush(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    await this.writing;
    while (this.waiting.length > 0 && (await this.writeBatch()));
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
  }

  private schedule(afterMs: number): void {
    if (this.timer || this.writing) return;
    this.timer = setTimeout(() => {
      this.timer = null;
      this.writing = this.writeAll();
    }, afterMs);
  }

  private async writeAll(): Promise<void> {
    let written: boolean;
    do written = await this.writeBatch();
    while (written && this.waiting.length >= RECORD_BATCH);
    this.writing = null;
    this.onWritten();
    if (this.waiting.length > 0) this.schedule(written ? RECORD_LINGER_MS : RECORD_RETRY_MS);
  }

  private async writeBatch(): Promise<boolean> {
    const batch = this.waiting.splice(0, RECORD_BATCH);
    const beganMs = performance.now();
    try {
      this.report(batch, await recordAttempts(this.dataSource, batch));
      this.waitingSinceMs = this.waiting.length > 0 ? beganMs : null;
      return true;
    } catch (error) {
      this.waiting.unshift(...batch);
      this.logger.error({ err: error, results: batch.length }, 'webhook results could not be recorded');
      return false;
    }
  }

  private report(batch: readonly AttemptRecord[], recorded: readonly Recorded[]): void {
    if (recorded.length < batch.length) {
      const late = batch.length - recorded.length;
      this.logger.warn({ late }, 'webhook results came after their lease and were dropped');
    }
    const taken = new Set(recorded.map((row) => row.deliveryId));
    for (const record of batch) if (taken.has(record.deliveryId)) this.onRecorded(record);
    const disabled = new Map(recorded.map((row) => [row.endpointId, row.disableFor]));
    for (const [endpointId, reason] of disabled) {
      if (reason !== null) this.logger.warn({ endpointId, reason }, 'webhook endpoint disabled');
    }
  }
}
