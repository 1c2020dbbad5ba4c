import { DataSource } from 'typeorm';
import { grantAgain, grantToApplication } from './application-role.js';
import { dataSourceOptions } from './data-source.js';

/** Any constant will do as long as nothing else takes it: two instances that start at once must not both migrate. */
const MIGRATION_LOCK = 7_267_736;

/**
 * Applies every pending migration, and grants what is new to the roles that services run as. Safe to call from
 * several processes at once.
 * @param applicationRole one that services run as from now on
 * @returns the names of the migrations that were applied, in their order
 */
export async function migrate(databaseUrl: string, applicationRole?: string): Promise<string[]> {
  const options = dataSourceOptions(databaseUrl, 2);
  // A migration may rightly take longer than a request.
  const dataSource = new DataSource({ ...options, extra: { options: '-c timezone=UTC' } });
  await dataSource.initialize();
  const lock = dataSource.createQueryRunner();
  try {
    await lock.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const applied = await dataSource.runMigrations();
    await dataSource.transaction(async (tx) => {
      await grantAgain(tx);
      if (applicationRole !== undefined) await grantToApplication(tx, applicationRole);
    });
    return applied.map(({ name }) => name);
  } finally {
    // The lock goes with its session. What was done, or what failed, is said whatever becomes of the connections.
    await lock.release().catch(() => undefined);
    await dataSource.destroy().catch(() => undefined);
  }
}
