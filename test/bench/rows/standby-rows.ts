import { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../../src/database/data-source.js';
import { migrate } from '../../../src/database/migrate.js';
import { PaymentsRepository } from '../../../src/modules/intents/reporting/data/payments.repository.js';
import { ReplicatedPostgres } from '../../chaos/failover.js';
import { postgresPrograms } from '../../support/database/installed-postgres.js';
import { EVERY_PAYMENT } from '../../support/intents/every-payment.js';
import { fillIntents } from '../fill.js';
import type { Stage } from '../stage.js';
import { type Row, thousands } from '../table.js';
import { CONNECTIONS, rowsOf, turns } from '../turns.js';
import { createShape, withWallet } from './api-rows.js';
import { percentileRows, taken } from './search-rows.js';

/** What Home shows unless somebody asks for another time. */
const DAYS = 30;

/**
 * What a creation waits for a synchronous standby that follows on the same two cores: the same primary with `synchronous_standby_names`
 * and without. The standby follows all the while, so its own work falls on both. And what staff
 * would read on the standby that they read on the primary.
 * @throws Error without an installed PostgreSQL: the packaged one has no `pg_basebackup`
 */
export async function standby(stage: Stage): Promise<Row[]> {
  const database = await ReplicatedPostgres.start(postgresPrograms(), []);
  stage.onClear(() => database.stop());
  const databaseUrl = database.primaryUrl;
  await migrate(databaseUrl);
  const pool = new Pool({ connectionString: databaseUrl, max: 1 });
  stage.onClear(() => pool.end());
  const service = await stage.service(databaseUrl);
  const { merchantId, key, endpoints } = await service.shop('bench', []);
  const shop = { databaseUrl, pool, service, merchantId, key, endpoints };
  await withWallet(pool, merchantId);
  const count = stage.quick ? 1_000 : 100_000;
  await fillIntents(pool, merchantId, count);
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
    ...(await reads(stage, database, merchantId, count)),
  ];
}

/** By the statements of the dashboard alone: the service writes beside its reads, and so does not run on a standby. */
async function reads(
  stage: Stage,
  { primaryUrl, standbyUrl }: ReplicatedPostgres,
  merchantId: string,
  count: number,
): Promise<Row[]> {
  const times = stage.quick ? 3 : 50;
  const [there, here] = await Promise.all(
    [standbyUrl, primaryUrl].map(async (url) => {
      const dataSource = await new DataSource(dataSourceOptions(url, 2)).initialize();
      stage.onClear(() => dataSource.destroy());
      return new PaymentsRepository(dataSource);
    }),
  );
  const from = new Date(Date.now() - DAYS * 86_400_000);
  const filter = { ...EVERY_PAYMENT, search: '123' };
  const questions: Readonly<Record<string, (payments: PaymentsRepository) => Promise<unknown>>> = {
    "Home's figures": (payments) =>
      Promise.all([payments.days(merchantId, from), payments.conversion(merchantId, from)]),
    'a search for digits that some have': (payments) =>
      payments.page({ merchantId, filter, found: [], cursor: null, limit: 51 }),
  };
  const rows: Row[] = [];
  for (const [name, ask] of Object.entries(questions)) {
    // Of the first, statements are planned and pages read.
    for (const payments of [there!, here!]) await ask(payments);
    const run = (payments: PaymentsRepository) => () => taken(times, () => ask(payments));
    const each = await turns(stage, [run(there!)], run(here!));
    rows.push(
      ...percentileRows(
        `${name} of ${thousands(count)}, on a standby`,
        each.ours,
        'on the primary',
        each.ceiling,
      ),
    );
  }
  return rows;
}
