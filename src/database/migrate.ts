import { DataSource } from 'typeorm';
import { dataSourceOptions } from './data-source.js';

/** Any constant will do as long as nothing else takes it: two instances that start at once must not both migrate. */
const MIGRATION_LOCK = 7_267_736;

/** Applies every pending migration. Safe to call from several processes at once. */
export async function migrate(databaseUrl: string): Promise<void> {
  const options = dataSourceOptions(databaseUrl, 2);
  // A migration may rightly take longer than a request.
  const dataSource = new DataSource({ ...options, extra: { options: '-c timezone=UTC' } });
  await dataSource.initialize();
  const lock = dataSource.createQueryRunner();
  try {
    await lock.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await dataSource.runMigrations();
  } finally {
    await lock.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    await lock.release();
    await dataSource.destroy();
  }
}
