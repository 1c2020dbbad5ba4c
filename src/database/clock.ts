import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** How long a sample is trusted. Monotonic clocks drift by well under a millisecond in this time. */
const SAMPLE_LIFETIME_MS = 60_000;

/** The database's clock as a value of an entity that is written. */
export const DATABASE_NOW = () => 'clock_timestamp()';

/** The same in a statement, asked once for all of its rows: only so does a comparison with it look into an index of times. */
export const NOW_ONCE = '(SELECT clock_timestamp())';

/** The database's clock by a question of its own: this very instant. */
export async function readClock(dataSource: DataSource): Promise<Date> {
  const [row] = await dataSource.query<[{ now: Date }]>('SELECT clock_timestamp() AS now');
  return row.now;
}

/**
 * The database's clock, which is the only one that decides about money, without a round trip per question:
 * the last sample plus what this process' monotonic clock has counted since.
 */
@Injectable()
export class DatabaseClock {
  private sample: { readonly dbMs: number; readonly atMs: number } | null = null;

  constructor(private readonly dataSource: DataSource) {}

  /** Any statement that returned `clock_timestamp()` may give it here. */
  observe(databaseNow: Date): void {
    this.sample = { dbMs: databaseNow.getTime(), atMs: performance.now() };
  }

  async now(): Promise<Date> {
    const at = performance.now();
    if (!this.sample || at - this.sample.atMs > SAMPLE_LIFETIME_MS) {
      const now = await readClock(this.dataSource);
      this.observe(now);
      return now;
    }
    return new Date(this.sample.dbMs + (at - this.sample.atMs));
  }
}
