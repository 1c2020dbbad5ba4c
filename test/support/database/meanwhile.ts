import type { DataSource } from 'typeorm';
import { eventually } from '../servers/receiver.js';

const WAITING = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/** A change of somebody in two steps, whose second comes once what was begun after the first waits for it. */
export async function meanwhile<Answer>(
  dataSource: DataSource,
  email: string,
  [first, second]: readonly [first: string, second: string],
  begin: () => Promise<Answer>,
): Promise<Answer> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.startTransaction();
    await runner.query(first, [email]);
    const begun = begin();
    await eventually(
      () => dataSource.query<unknown[]>(WAITING),
      (waiting) => waiting.length > 0,
    );
    await runner.query(second, [email]);
    await runner.commitTransaction();
    return await begun;
  } finally {
    if (runner.isTransactionActive) await runner.rollbackTransaction();
    await runner.release();
  }
}
