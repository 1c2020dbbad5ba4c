import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Jobs } from '../../platform/jobs.js';

/** Long enough to look into a complaint after holidays; the log is the fastest growing table (docs/operations.md). */
const REQUEST_DAYS = 14;
const EVERY_MS = 10 * 60_000;
/** Rows of one statement: enough to keep up with the busiest instance, few enough to hold their locks for an instant. */
const BATCH = 1_000;

/** Reads the log from its oldest end, where `id` grows with time, so that no index on the time is kept for it. */
const REMOVE_OLDEST = `
  DELETE FROM api_request r USING (SELECT id, at FROM api_request ORDER BY id LIMIT ${BATCH}) oldest
  WHERE r.id = oldest.id AND oldest.at < clock_timestamp() - interval '${REQUEST_DAYS} days'`;

/** Forgets requests whose time is over. */
@Injectable()
export class AuthRetention implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.jobs.define({ name: 'request-log-retention', everyMs: EVERY_MS, run: () => this.removeOldest() });
  }

  /** @returns whether there may be more */
  async removeOldest(): Promise<boolean> {
    const [, removed] = await this.dataSource.query<[unknown[], number]>(REMOVE_OLDEST);
    return removed === BATCH;
  }
}
