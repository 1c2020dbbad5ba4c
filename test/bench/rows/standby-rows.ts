import { Pool } from 'pg';
import { migrate } from '../../../src/database/migrate.js';
import { ReplicatedPostgres } from '../../chaos/failover.js';
import { installedPostgres } from '../../support/database/installed-postgres.js';
import type { Stage } from '../stage.js';
import type { Row } from '../table.js';
import { CONNECTIONS, rowsOf, turns } from '../turns.js';
import { createShape } from './api-rows.js';

/**
 * What a creation waits for a synchronous standby that follows on the same two cores: the same primary with `synchronous_standby_names`
 * and without. The standby follows all the while, so its own work falls on both.
 * @throws Error without an installed PostgreSQL: the packaged one has no `pg_basebackup`
 */
export async function standby(stage: Stage): Promise<Row[]> {
  const bin = installedPostgres();
  if (bin === null) throw new Error('There is no PostgreSQL with pg_basebackup on this machine.');
  const database = await ReplicatedPostgres.start(bin, []);
  stage.onClear(() => database.stop());
  const databaseUrl = database.primaryUrl;
  await migrate(databaseUrl);
  const pool = new Pool({ connectionString: databaseUrl, max: 1 });
  stage.onClear(() => pool.end());
  const service = await stage.service(databaseUrl);
  const { merchantId, key, endpoints } = await service.shop('bench', []);
  const shop = { databaseUrl, pool, service, merchantId, key, endpoints };
  await database.follow();
  const load = stage.helper('load-process.mjs');
  const measure = async (connections: number, requests: number) => {
    const shape = { ...createShape(shop, requests), connections };
    const run = (waits: boolean) => async () => {
      await database.waitForStandby(waits);
      return stage.load(load, shape);
    };
    return turns(stage, [run(true)], run(false));
  };
  const what = 'without waiting for it';
  const name = 'create beside a synchronous standby';
  const [many, one] = stage.quick ? [100, 10] : [10_000, 1_000];
  return [
    ...rowsOf(
      `${name}, ${CONNECTIONS} connections`,
      '/s',
      what,
      await measure(CONNECTIONS, many),
      ({ perSecond }) => perSecond,
    ),
    ...rowsOf(`${name}, one alone`, 'ms', what, await measure(1, one), ({ p50Ms }) => p50Ms),
  ];
}
