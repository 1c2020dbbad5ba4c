import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../../src/database/data-source.js';
import { migrate } from '../../../src/database/migrate.js';
import { claimDue } from '../../../src/modules/webhooks/data/claim.statement.js';
import { surviveCrashes } from '../../chaos/crash.js';
import { ReplicatedPostgres } from '../../chaos/failover.js';
import { World } from '../../chaos/world.js';
import { postgresPrograms, postgresTool } from '../../support/database/installed-postgres.js';
import { itWith } from '../../support/run/tools.js';

// `npm run chaos -- failover` does it six times. Needs a build.
jest.setTimeout(600_000);

itWith(postgresTool('a failover is'))(
  'loses nothing that was acknowledged and issues no address twice when a synchronous standby takes over, from a dead primary or a frozen one, and has its books read on a standby',
  async () => {
    const database = await ReplicatedPostgres.start(postgresPrograms());
    try {
      await migrate(database.url);
      const world = await World.create({ databaseUrl: database.url });
      try {
        const { acknowledged, awayMs, statuses } = await surviveCrashes(world, database, 2);
        expect(awayMs).toHaveLength(2);
        expect(acknowledged).toBeGreaterThan(0);
        expect(Object.keys(statuses).filter((status) => !['200', '201', '503'].includes(status))).toEqual([]);
        await database.follow();
        expect(await commitOfClaim(database.url)).toBe('on');
        const { standbyUrl } = database;
        const period = ['--from', '2026-01-01', '--to', '2126-01-01'];
        const exported = await world.command(
          standbyUrl,
          'export',
          '--merchant',
          world.shop.merchantId,
          ...period,
        );
        expect(exported).toMatchObject({ code: 0, stderr: '' });
        expect(exported.stdout.trimEnd().split('\n').length).toBeGreaterThan(1);
        expect(await world.command(standbyUrl, 'check', '--json')).toMatchObject({ code: 0, stderr: '' });
        await world.stop();
      } catch (error) {
        await world.dispose();
        throw error;
      }
    } finally {
      await database.stop();
    }
  },
);

/** What the commit of a claim would wait for (`webhooks-dispatch.int-spec.ts` has it without a standby). Leaves nothing behind. */
async function commitOfClaim(url: string): Promise<string | undefined> {
  const session = await new DataSource(dataSourceOptions(url, 1)).initialize();
  try {
    await session.query('BEGIN');
    await session.query(
      `UPDATE delivery SET state = 'pending', delivered_at = NULL, lease_token = NULL, lease_until = NULL, next_attempt_at = now()
       WHERE id = (SELECT max(id) FROM delivery)`,
    );
    expect(await claimDue(session, new Map(), 64)).not.toEqual([]);
    const [setting] = await session.query<{ synchronous_commit: string }[]>('SHOW synchronous_commit');
    await session.query('ROLLBACK');
    return setting?.synchronous_commit;
  } finally {
    await session.destroy();
  }
}
