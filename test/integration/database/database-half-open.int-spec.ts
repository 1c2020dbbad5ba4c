import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../../src/database/data-source.js';
import { ChainTest, startChains } from '../../chain/chains-fixture.js';
import { stopwatch } from '../../support/run/own-time.js';
import { eventually } from '../../support/servers/receiver.js';
import { VanishingProxy } from '../../support/servers/vanishing-proxy.js';

let test: ChainTest;
let proxy: VanishingProxy;

beforeAll(async () => {
  test = await ChainTest.start();
  proxy = await VanishingProxy.start(test.database.url);
});
afterAll(async () => {
  await proxy?.stop();
  await test?.stop();
});

it('a watcher goes on within 10 s or so when the packets of all its connections vanish', async () => {
  const watching = await startChains(proxy.url, [test.network]);
  try {
    watching.jobs.start();
    const seenSince = async (at: Date) =>
      (
        await test.chains.dataSource.query<[{ seen: boolean }]>(
          'SELECT synced_at > $1 AS seen FROM chain_cursor',
          [at],
        )
      )[0].seen;
    const now = async () =>
      (await test.chains.dataSource.query<[{ now: Date }]>('SELECT clock_timestamp() AS now'))[0].now;
    const started = await now();
    await eventually(() => seenSince(started), Boolean);
    // As many as a busy service has, so that one after the other would take minutes.
    await Promise.all(Array.from({ length: 10 }, () => watching.dataSource.query('SELECT pg_sleep(0.2)')));
    expect(proxy.vanish()).toBeGreaterThanOrEqual(10);
    const watch = stopwatch();
    const vanished = await now();
    await new Promise((resolve) => setTimeout(resolve, 500));
    await test.mine();
    await eventually(
      async () => (await now()) > vanished && (await seenSince(new Date(vanished.getTime() + 500))),
      Boolean,
    );
    expect(watch.stop()).toBeLessThan(12_000);
  } finally {
    await watching.app.close();
  }
});

it('a statement that takes long is left alone, and so is a transaction that waits between two', async () => {
  const dataSource = await new DataSource(dataSourceOptions(proxy.url, 3)).initialize();
  try {
    const slow = dataSource.query<[{ one: number }]>('SELECT 1 AS one FROM pg_sleep(7)');
    const waiting = dataSource.transaction(async (tx) => {
      await tx.query('SELECT 1');
      await new Promise((resolve) => setTimeout(resolve, 6_000));
      return tx.query<[{ two: number }]>('SELECT 2 AS two');
    });
    expect(await Promise.all([slow, waiting])).toEqual([[{ one: 1 }], [{ two: 2 }]]);
  } finally {
    await dataSource.destroy();
  }
});
