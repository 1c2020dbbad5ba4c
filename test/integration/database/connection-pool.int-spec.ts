import { DataSource } from 'typeorm';
import type { JobsFirstPool } from '../../../src/database/pool.js';
import { poolOf } from '../../../src/database/statement.js';
import { IntentsService } from '../../../src/modules/intents/lifecycle/intents.service.js';
import { outsideTrace, withTrace } from '../../../src/platform/observability/trace.js';
import { Money } from '../../support/intents/money.js';
import { SILENT_CHAIN } from '../../support/nodes/wallet.js';
import { eventually } from '../../support/servers/receiver.js';
import { Service } from '../../support/service/service.js';

let service: Service;
let money: Money;
let merchantId: string;

/** Nothing follows the chain, so each quote's network is asked about when its window has ended. */
async function start(poolSize: number): Promise<void> {
  service = await Service.start({
    chain: SILENT_CHAIN,
    standsAt: 1_000,
    env: { DATABASE_POOL_SIZE: String(poolSize) },
  });
  money = new Money(service);
  ({ merchantId } = await service.shop());
}
afterEach(async () => {
  await service.stop();
});

/** Windows that end all at the same instant. */
async function lapsed(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1) ids.push(await money.picked(merchantId));
  await service.app.get(DataSource).query(
    `UPDATE intent SET created_at = ends - interval '15 minutes', expires_at = ends
     FROM (SELECT clock_timestamp() - interval '1 millisecond' AS ends) AS w WHERE id = ANY ($1)`,
    [ids],
  );
  return ids;
}

it('answers 60 reads at once of windows that have just ended', async () => {
  await start(16);
  const ids = await lapsed(60);
  const intents = service.app.get(IntentsService);
  const read = await Promise.all(ids.map((id) => intents.get(merchantId, id)));
  expect(new Set(read.map(({ status }) => status))).toEqual(new Set(['expired']));
});

it('expires 20 intents at once with two connections', async () => {
  await start(2);
  const ids = await lapsed(20);
  const open = async () => {
    const [row] = await service.app
      .get(DataSource)
      .query<[{ open: number }]>(
        `SELECT count(*)::int AS open FROM intent WHERE status <> 'expired' AND id = ANY ($1)`,
        [ids],
      );
    return row.open;
  };
  await eventually(open, (count) => count === 0);
});

it('refuses in tests a second connection inside a transaction, and none after it', async () => {
  await start(4);
  const dataSource = service.app.get(DataSource);
  let end = (): void => undefined;
  const over = new Promise<void>((resolve) => (end = resolve));
  let later: Promise<unknown> = over;
  await dataSource.transaction(async (tx) => {
    later = over.then(() => dataSource.query('SELECT 1 AS one'));
    await expect(dataSource.query('SELECT 1')).rejects.toThrow('a second connection');
    await expect(dataSource.transaction(() => over)).rejects.toThrow('a second connection');
    await tx.transaction((inner) => inner.query('SELECT 1'));
  });
  end();
  expect(await later).toEqual([{ one: 1 }]);
});

it('knows whether a request or a job asks for a connection', async () => {
  await start(4);
  const pool = poolOf(service.app.get(DataSource)) as JobsFirstPool;
  expect(withTrace('a request', () => pool.isForRequest())).toBe(true);
  expect(withTrace('a request', () => outsideTrace(() => pool.isForRequest()))).toBe(false);
});
