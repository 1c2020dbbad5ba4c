import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../../src/database/data-source.js';
import { LiveClient } from '../../../src/database/live-client.js';
import { ChainTest, startChains } from '../../chain/chains-fixture.js';
import { stopwatch } from '../../support/run/own-time.js';
import { eventually } from '../../support/servers/receiver.js';
import { VanishingProxy } from '../../support/servers/vanishing-proxy.js';

/** Silent for four seconds, by a look each second. */
const ASKED_AFTER_MS = 7_000;
const CONNECTIONS = 10;

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

/** What `LiveClient` keeps to itself: whether the database has forgotten its statement. */
const asking = LiveClient.prototype as unknown as { isForgotten(): Promise<boolean> };

it('a watcher goes on when the packets of all its connections vanish, without waiting for one after the other', async () => {
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
    // As many as a busy service has.
    const sleeps = Array.from({ length: CONNECTIONS }, () =>
      watching.dataSource.query('SELECT pg_sleep(0.2)'),
    );
    await Promise.all(sleeps);
    expect(proxy.vanish()).toBeGreaterThanOrEqual(CONNECTIONS);
    const watch = stopwatch();
    const vanished = await now();
    // Nothing but the clock of this process is waited for until the first is asked after.
    let firstAskedMs: number | null = null;
    let forgotten = 0;
    const { isForgotten } = asking;
    const spy = jest.spyOn(asking, 'isForgotten').mockImplementation(async function (this: unknown) {
      firstAskedMs ??= watch.stop();
      const isSo = await isForgotten.call(this);
      if (isSo) forgotten += 1;
      return isSo;
    });
    try {
      await test.mine();
      await eventually(() => seenSince(new Date(vanished.getTime() + 500)), Boolean);
    } finally {
      spy.mockRestore();
    }
    expect(firstAskedMs).toBeLessThan(ASKED_AFTER_MS);
    // Of those that had a statement under way: the idle ones went with them.
    expect(forgotten).toBeGreaterThan(0);
    expect(forgotten).toBeLessThan(CONNECTIONS / 2);
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
