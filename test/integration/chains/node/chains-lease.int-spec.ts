import { AsyncResource } from 'node:async_hooks';
import { Client } from 'pg';
import { WatchLeaseRepository } from '../../../../src/modules/chains/data/watch-lease.repository.js';
import { type Chains, ChainTest, startChains } from '../../../chain/chains-fixture.js';
import { Leases } from '../../../chain/leases.js';
import { presentTerm } from '../../../chain/term.js';
import { eventually } from '../../../support/servers/receiver.js';

let test: ChainTest;
let chains: Chains[] = [];

beforeAll(async () => {
  test = await ChainTest.start();
});
afterEach(async () => {
  await Promise.all(chains.map(({ app }) => app.close()));
  chains = [];
});
afterAll(() => test?.stop());

/** An instance that does nothing by itself yet: how long it takes to stand must not outlast a lease, or a pause in a write. */
async function standing(networks = [test.network]): Promise<Chains> {
  const started = await startChains(test.database.url, networks);
  chains.push(started);
  return started;
}
async function start(networks = [test.network]): Promise<Chains> {
  const started = await standing(networks);
  started.jobs.start();
  return started;
}
/** One look at the leases, as the job takes it each second. */
const look = ({ app }: Chains) => app.get(WatchLeaseRepository, { strict: false }).look();
const watches = ({ health }: Chains) => health.watchers()[0]!.watching;
const term = () => presentTerm(test.chains.dataSource, 'ethereum');

describe('a term', () => {
  it('that is over writes nothing: no cursor, no verdict, no height, no walk back, nothing replaced', async () => {
    const { ledger, dataSource } = test.chains;
    const old = await term();
    const everything = () =>
      dataSource.query(
        `SELECT (SELECT jsonb_agg(c) FROM chain_cursor c) AS cursors, (SELECT jsonb_agg(b) FROM chain_block b) AS blocks`,
      );
    await dataSource.query('UPDATE watch_lease SET term = term + 1');
    const before = await everything();
    const from = (await ledger.cursor('ethereum'))!;
    const to = { ...from, time: new Date() };
    const tips = { nodeHeight: from.height, safeHeight: 0, finalizedHeight: 0 };
    const chain = { chainId: 31337, genesisHash: '0x1' };
    const step = {
      family: 'evm' as const,
      from,
      to,
      blocks: [],
      transfers: [],
      collections: [],
      tips,
      assetKeys: [],
      tellsDepth: true,
      lookedAt: new Date(),
      maxTipAgeS: 60,
      blindAfterMs: 30_000,
    };
    const writes = [
      () => ledger.advance(old, step),
      () => ledger.begin({ ...old, network: 'ethereum' }, to, tips, chain, []),
      () => ledger.identify(old, chain),
      () => ledger.observeFailure(old, { reason: 'nobody knows', isHalted: false }),
      () => ledger.cover(old, { ...step, at: from, fromHeight: 0, toHeight: 1 }),
      () => ledger.observeNode(old, 1),
      () => ledger.observeCrossCheck(old, 'disagrees'),
      () => ledger.rewind(old, 'evm', from, { ...to, height: from.height - 1 }),
      () => ledger.markReplaced(old, from, ['tr_1']),
    ];
    for (const write of writes) await expect(write()).rejects.toThrow('another instance watches ethereum');
    expect(await everything()).toEqual(before);
    expect(await ledger.advance(await term(), step)).not.toBeNull();
  });

  it('still writes when it has run out and nobody has taken the network', async () => {
    const { ledger, dataSource } = test.chains;
    const still = await term();
    await dataSource.query(`UPDATE watch_lease SET expires_at = 'epoch'`);
    await ledger.observeNode(still, 7);
    const [row] = await dataSource.query<[{ height: number }]>(
      'SELECT node_height::int AS height FROM chain_cursor',
    );
    expect(row.height).toBe(7);
  });

  it('changes only after the writes of the one before have ended', async () => {
    const { ledger, dataSource } = test.chains;
    const old = await term();
    const from = (await ledger.cursor('ethereum'))!;
    const order: string[] = [];
    const other = await standing();
    // Stands for another process: its connections are not those of the transaction that it runs beside.
    const elsewhere = AsyncResource.bind(async () => {
      await dataSource.query(`UPDATE watch_lease SET expires_at = 'epoch'`);
      await look(other);
      if (!watches(other)) order.push('written');
    });
    await ledger.advance(old, {
      family: 'evm',
      from,
      to: { ...from, time: new Date() },
      blocks: [],
      transfers: [],
      assetKeys: [],
      tellsDepth: true,
      tips: { nodeHeight: from.height, safeHeight: 0, finalizedHeight: 0 },
      lookedAt: new Date(),
      maxTipAgeS: 60,
      blindAfterMs: 30_000,
      alongside: () => elsewhere(),
    });
    await look(other);
    if (watches(other)) order.push('taken');
    expect(order).toEqual(['written', 'taken']);
  });
});

describe('the lease', () => {
  it('is given back by an instance that shuts down, and taken by another that waits', async () => {
    const one = await start();
    await eventually(() => watches(one), Boolean);
    const two = await standing();
    await look(one);
    await look(two);
    expect(watches(two)).toBe(false);
    two.jobs.start();
    chains = [two];
    const { number } = await term();
    await one.app.close();
    // Nobody waits for it to run out, which it would do seconds after it was last renewed.
    const still = `SELECT FROM watch_lease WHERE network = $1 AND term = $2 AND expires_at > clock_timestamp()`;
    expect(await test.chains.dataSource.query(still, ['ethereum', number])).toEqual([]);
    await eventually(() => watches(two), Boolean);
    expect(BigInt((await term()).number)).toBe(BigInt(number) + 1n);
  });

  it('keeps its term for as long as it is renewed, and gets a higher one with each holder', async () => {
    const one = await start();
    await eventually(() => watches(one), Boolean);
    const first = BigInt((await term()).number);
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    expect(BigInt((await term()).number)).toBe(first);
    await one.app.close();
    chains = [];
    const two = await start();
    await eventually(() => watches(two), Boolean);
    expect(BigInt((await term()).number)).toBe(first + 1n);
  });

  it('is over where the database’s clock has gone back: none lasts so long', async () => {
    const { dataSource } = test.chains;
    const ends = `UPDATE watch_lease SET holder = 'gone', expires_at = clock_timestamp() + $1::interval`;
    const two = await standing();
    await dataSource.query(ends, ['4 seconds']);
    await look(two);
    expect(watches(two)).toBe(false);
    await dataSource.query(ends, ['3 hours']);
    await look(two);
    expect(watches(two)).toBe(true);
  });

  it('of a writer that stops in the middle of a write is taken once its session has been ended', async () => {
    const { dataSource } = test.chains;
    const one = await start();
    await eventually(() => watches(one), Boolean);
    await one.app.close();
    chains = [];
    const two = await standing();
    const leases = await Leases.note((sql) => dataSource.query(sql));
    // A session as a stopped process leaves it: fenced, with the cursor's row, and silent.
    const stopped = dataSource.createQueryRunner();
    await stopped.connect();
    await stopped.startTransaction();
    const held = await term();
    await stopped.query(
      `SELECT set_config('idle_in_transaction_session_timeout', '3s', true) FROM watch_lease
        WHERE network = $1 AND term = $2 FOR KEY SHARE`,
      [held.network, held.number],
    );
    await stopped.query('UPDATE chain_cursor SET node_height = node_height');
    const [{ before }] = await dataSource.query<[{ before: Date }]>('SELECT clock_timestamp() AS before');
    two.jobs.start();
    await eventually(async () => {
      const [row] = await dataSource.query<[{ seen: boolean }]>(
        'SELECT synced_at > $1 AS seen FROM chain_cursor',
        [before],
      );
      return row.seen;
    }, Boolean);
    expect(await leases.takings()).toHaveLength(1);
    await leases.expectInOrder();
    expect(watches(two)).toBe(true);
    await stopped.release().catch(() => undefined);
  });
});

// pg warns of that once for each process, and not where a test could hear it.
it('a start with several networks asks nothing on a connection that has not answered yet', async () => {
  const under = new Map<unknown, number>();
  let most = 0;
  const query = Client.prototype.query as (...values: unknown[]) => unknown;
  const spy = jest.spyOn(Client.prototype, 'query').mockImplementation(function (
    this: unknown,
    ...values: unknown[]
  ) {
    const count = (by: number) => under.set(this, (under.get(this) ?? 0) + by).get(this)!;
    most = Math.max(most, count(1));
    const told = values.at(-1);
    if (typeof told !== 'function')
      return (query.apply(this, values) as Promise<unknown>).finally(() => count(-1)) as never;
    const tell = (...end: unknown[]) => (count(-1), (told as (...of: unknown[]) => unknown)(...end));
    return query.apply(this, [...values.slice(0, -1), tell]) as never;
  });
  try {
    const networks = ['one', 'two', 'three', 'four'].map((id) => ({ ...test.network, id }));
    const { health } = await start(networks);
    await eventually(() => health.watchers().every(({ watching }) => watching), Boolean);
    await new Promise((resolve) => setTimeout(resolve, 2_000));
  } finally {
    spy.mockRestore();
  }
  expect(most).toBe(1);
});
