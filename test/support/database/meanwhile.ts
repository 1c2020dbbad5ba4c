import type { DataSource, EntityManager } from 'typeorm';
import { eventually } from '../servers/receiver.js';

const WAITING = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/** Until something waits for what another transaction holds. */
export async function isWaitedFor(dataSource: DataSource): Promise<void> {
  await eventually(
    () => dataSource.query<unknown[]>(WAITING),
    (waiting) => waiting.length > 0,
  );
}

/** A change in two steps, whose second comes once what was begun after the first waits for it. @returns what that came to */
export async function meanwhile<Answer>(
  dataSource: DataSource,
  first: (tx: EntityManager) => Promise<unknown>,
  begin: () => Promise<Answer>,
  second: (tx: EntityManager) => Promise<unknown>,
): Promise<Answer> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.startTransaction();
    await first(runner.manager);
    const begun = begin();
    await isWaitedFor(dataSource);
    await second(runner.manager);
    await runner.commitTransaction();
    return await begun;
  } finally {
    if (runner.isTransactionActive) await runner.rollbackTransaction();
    await runner.release();
  }
}
