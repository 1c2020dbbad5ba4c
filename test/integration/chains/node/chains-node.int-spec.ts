import type { Address } from 'viem';
import { describeFailure, publicReason } from '../../../../src/modules/chains/watching/node-failure.js';
import { type Chains, ChainTest, startChains } from '../../../chain/chains-fixture.js';
import { EMPTY_RANGES, hiding, logLimit, refusedLogs } from '../../../chain/evm-faults.js';
import {
  balanced,
  DOWN,
  forgetting,
  GATEWAY,
  NO_BATCHES,
  REFUSALS,
  refusing,
} from '../../../chain/hostile/hostile-faults.js';
import { HostileNode } from '../../../chain/hostile/hostile-node.js';
import type { Fault } from '../../../chain/hostile/hostile-plan.js';
import { presentTerm } from '../../../chain/term.js';

let test: ChainTest;
let proxy: HostileNode;

beforeEach(async () => {
  test = await ChainTest.start();
  proxy = await HostileNode.start(test.anvil.rpcUrl);
});
afterEach(async () => {
  await proxy.stop();
  await test.stop();
});

const atoms = async (subject: string) =>
  (await test.transfers(subject)).map(({ amountAtoms }) => amountAtoms).sort((a, b) => Number(a - b));

/** A token transfer of 1, 2, 3, … atoms with some blocks after each. */
async function pay(to: Address, times: number, blocksApart: number): Promise<bigint[]> {
  const paid = Array.from({ length: times }, (_, i) => BigInt(i + 1));
  for (const value of paid) {
    await test.sendToken(to, value);
    await test.mine(blocksApart);
  }
  return paid;
}

async function waitFor(condition: () => Promise<boolean> | boolean): Promise<void> {
  const deadlineMs = performance.now() + 60_000;
  while (!(await condition())) {
    if (performance.now() > deadlineMs) throw new Error('it did not happen within a minute');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('the watcher', () => {
  it('misses none of 500 blocks that passed while it was stopped', async () => {
    const to = await test.issue('pi_1');
    const paid = await pay(to, 20, 25);
    expect(await test.catchUp()).toBe('synced');
    expect(await atoms('pi_1')).toEqual(paid);
    const [{ count }] = await test.chains.dataSource.query<[{ count: number }]>(
      'SELECT count(*)::int AS count FROM chain_block',
    );
    expect(count).toBeGreaterThan(500);
  });

  it('finds everything through a provider that refuses large ranges of logs', async () => {
    proxy.plan([logLimit(3)]);
    const paid = await pay(await test.issue('pi_1'), 10, 12);
    await test.catchUp(test.watcher(proxy.url));
    expect(proxy.strikes).toBeGreaterThan(0);
    expect(await atoms('pi_1')).toEqual(paid);
  });

  it.each([
    ['says in the words of its gateway', GATEWAY],
    ['answers with more than is read', { kind: 'huge', bytes: 129 * 1_048_576 } satisfies Fault],
    ['hangs up', { kind: 'cut' } satisfies Fault],
  ])('asks for fewer blocks where a node %s that they are too many', async (_what, fault) => {
    proxy.plan([{ ...logLimit(3), fault }]);
    const paid = await pay(await test.issue('pi_1'), 3, 12);
    await test.catchUp(test.watcher(proxy.url));
    expect(proxy.strikes).toBeGreaterThan(0);
    expect(await atoms('pi_1')).toEqual(paid);
  });

  it.each([
    ['an error', REFUSALS.limit],
    ['a page of its gateway', GATEWAY],
  ])('reads the receipts of a block whose logs are refused for good, by %s', async (_what, fault) => {
    const to = await test.issue('pi_1');
    const watcher = test.watcher(proxy.url);
    await test.mine(12);
    await test.sendToken(to, 7n);
    await test.mine();
    const { number, hash } = await test.anvil.testClient.getBlock();
    await test.mine(12);
    proxy.plan([{ ...refusedLogs(Number(number), hash), fault }]);
    await test.catchUp(watcher);
    expect(proxy.strikes).toBeGreaterThan(0);
    expect(await atoms('pi_1')).toEqual([7n]);
  });

  it('stops before a block whose logs and receipts are refused, and names it', async () => {
    const watcher = test.watcher(proxy.url);
    await test.sendToken(await test.issue('pi_1'), 7n);
    await test.mine();
    const { number, hash } = await test.anvil.testClient.getBlock();
    proxy.plan([
      refusedLogs(Number(number), hash),
      refusing('eth_getBlockReceipts', 'eth_getTransactionReceipt'),
    ]);
    const error = await test.catchUp(watcher).catch((thrown: unknown) => thrown);
    expect(publicReason(error)).toContain(`refuses the logs of block ${number}`);
    expect(describeFailure(error, proxy.url)).toContain('limit exceeded');
    proxy.honest();
    await test.catchUp(watcher);
    expect(await atoms('pi_1')).toEqual([7n]);
  });

  it("does not believe an empty answer that a block's own bloom contradicts", async () => {
    proxy.plan([EMPTY_RANGES]);
    const paid = await pay(await test.issue('pi_1'), 5, 10);
    await test.catchUp(test.watcher(proxy.url));
    expect(await atoms('pi_1')).toEqual(paid);
  });

  it("asks for a block's receipts where its bloom contradicts the logs at the tip", async () => {
    const to = await test.issue('pi_1');
    const watcher = test.watcher(proxy.url);
    proxy.plan([forgetting('eth_getLogs')]);
    const paid = await pay(to, 2, 1);
    await test.catchUp(watcher);
    expect(await atoms('pi_1')).toEqual(paid);
  });

  it('asks transaction by transaction where a block’s receipts are not offered, and believes no empty answer', async () => {
    const to = await test.issue('pi_1');
    const watcher = test.watcher(proxy.url);
    proxy.plan([refusing('eth_getBlockReceipts'), forgetting('eth_getLogs')]);
    const paid = await pay(to, 3, 1);
    await test.catchUp(watcher);
    expect(await atoms('pi_1')).toEqual(paid);
  });

  it('stops before a block whose logs and receipts it is not told, and goes on once it is', async () => {
    const to = await test.issue('pi_1');
    const watcher = test.watcher(proxy.url);
    const { height, hash } = (await test.chains.ledger.cursor('ethereum'))!;
    proxy.plan([refusing('eth_getBlockReceipts', 'eth_getTransactionReceipt'), forgetting('eth_getLogs')]);
    const paid = await pay(to, 1, 1);
    for (let i = 0; i < 3; i++) await expect(watcher.step()).rejects.toThrow();
    expect(await test.chains.ledger.cursor('ethereum')).toMatchObject({ height, hash });
    proxy.honest();
    await test.catchUp(watcher);
    expect(await atoms('pi_1')).toEqual(paid);
  });

  it('misses the logs of one token no more than those of all', async () => {
    const to = await test.issue('pi_1');
    const watcher = test.watcher(proxy.url);
    proxy.plan([hiding(test.anvil.tokens.USDT.address)]);
    await test.sendToken(to, 7n);
    await test.sendToken(to, 8n, test.anvil.tokens.USDT.address);
    await test.mine();
    await test.catchUp(watcher);
    expect(await atoms('pi_1')).toEqual([7n, 8n]);
  });

  it.each([1, 3, 12])(
    'misses nothing behind a balancer one of whose nodes is %s blocks behind',
    async (behindBlocks) => {
      const to = await test.issue('pi_1');
      const watcher = test.watcher(proxy.url);
      proxy.plan([balanced(behindBlocks)]);
      const paid: bigint[] = [];
      for (let round = 0; round < 15; round += 1) {
        paid.push(BigInt(round + 1));
        await test.sendToken(to, paid.at(-1)!);
        await test.mine(1 + (round % 3));
        // A step that is told what does not fit together throws, and leaves everything as it was.
        await watcher.step().catch(() => undefined);
      }
      await test.mine(behindBlocks);
      const tip = await test.anvil.testClient.getBlockNumber();
      await waitFor(async () => {
        await watcher.step().catch(() => undefined);
        return (await test.chains.ledger.cursor('ethereum'))!.height === Number(tip);
      });
      expect(await atoms('pi_1')).toEqual(paid);
      expect((await test.transfers('pi_1')).map(({ state }) => state)).toEqual(paid.map(() => 'included'));
      expect(watcher.counts.reorganisations).toBe(0);
    },
  );

  it('gives no transfer up for replaced on a node that does not tell nonces by the hash of a block', async () => {
    await test.send(await test.issue('pi_1'), '0.5');
    await test.mine();
    const watcher = test.watcher(proxy.url);
    proxy.plan([refusing('eth_getTransactionCount')]);
    await test.catchUp(watcher);
    await test.reorganise(1);
    expect(await test.catchUp(watcher)).toBe('synced');
    expect(proxy.strikes).toBeGreaterThan(0);
    expect(await test.transfers('pi_1')).toMatchObject([{ state: 'orphaned' }]);
  });

  it('goes on one by one where batches are refused', async () => {
    proxy.plan([NO_BATCHES]);
    const paid = await pay(await test.issue('pi_1'), 2, 1);
    const watcher = test.watcher(proxy.url);
    await expect(watcher.step()).rejects.toThrow();
    await test.catchUp(watcher);
    expect(await atoms('pi_1')).toEqual(paid);
  });

  it('skips nothing while its node answers errors', async () => {
    const to = await test.issue('pi_1');
    const watcher = test.watcher(proxy.url);
    proxy.plan([DOWN]);
    const paid = await pay(to, 3, 2);
    const { height, hash } = (await test.chains.ledger.cursor('ethereum'))!;
    for (let i = 0; i < 3; i++) await expect(watcher.step()).rejects.toThrow();
    expect(await test.chains.ledger.cursor('ethereum')).toMatchObject({ height, hash });
    proxy.honest();
    await test.catchUp(watcher);
    expect(await atoms('pi_1')).toEqual(paid);
  });

  it('does not watch a node of another chain', async () => {
    const watcher = test.watcher(test.anvil.rpcUrl, { id: 'base', chainId: 8453 });
    await expect(watcher.step()).rejects.toThrow('serves chain 31337, not 8453');
    expect(await test.chains.ledger.cursor('base')).toBeNull();
  });
});

describe('a node whose tip is old', () => {
  it('stands still, and does not count as synced', async () => {
    const { ledger, dataSource } = test.chains;
    const from = (await ledger.cursor('ethereum'))!;
    const [health] = await test.chains.health.all();
    const nodeHeight = health!.nodeHeight!;
    const tips = { nodeHeight, safeHeight: nodeHeight - 2, finalizedHeight: nodeHeight - 4 };
    const advance = async (ageS: number) =>
      ledger.advance(await presentTerm(dataSource, 'ethereum'), {
        family: 'evm',
        from,
        blocks: [],
        transfers: [],
        tips,
        assetKeys: [],
        tellsDepth: true,
        to: { ...from, time: new Date(Date.now() - ageS * 1_000) },
        lookedAt: new Date(),
        maxTipAgeS: 60,
        blindAfterMs: 30_000,
      });
    expect(await advance(50)).toMatchObject({ synced: true });
    expect(await advance(70)).toMatchObject({ synced: false });
  });
});

describe('the time without a synced node', () => {
  it('is not counted against a transfer that is missing', async () => {
    await test.send(await test.issue('pi_1'), '0.5');
    await test.mine();
    await test.catchUp();
    await test.reorganise(1);
    await test.mine();
    await test.catchUp();
    await test.chains.dataSource.query(
      `UPDATE transfer SET missing_since = missing_since - interval '1 hour'`,
    );
    await test.chains.dataSource.query(`UPDATE chain_cursor SET synced_at = now() - interval '50 minutes'`);
    await test.mine();
    await test.catchUp();
    const [transfer] = await test.transfers('pi_1');
    const missingMs = Date.now() - transfer!.missingSince!.getTime();
    expect(Math.round(missingMs / 60_000)).toBe(10);
  });
});

describe('the job', () => {
  let chains: Chains[];

  beforeEach(() => {
    chains = [];
  });
  afterEach(async () => {
    for (const { app } of chains) await app.close();
  });

  const start = async (rpcUrl = proxy.url): Promise<Chains> => {
    const started = await startChains(test.database.url, [{ ...test.network, rpcUrl }]);
    chains.push(started);
    started.jobs.start();
    return started;
  };

  it('runs on one instance at a time, and moves to another when that one stops', async () => {
    const [one, other] = [await start(), await start()];
    const watching = () => [one, other].map(({ health }) => health.watchers()[0]!.watching);
    await waitFor(() => watching().includes(true));
    expect(watching().filter(Boolean)).toHaveLength(1);
    const [holder, waiter] = watching()[0] ? [one, other] : [other, one];
    chains = [waiter];
    await holder.app.close();
    await waitFor(() => waiter.health.watchers()[0]!.watching);
    const paid = await pay(await test.issue('pi_1'), 2, 1);
    await waitFor(async () => (await atoms('pi_1')).length === paid.length);
  });

  it('takes the lock again after its session was lost', async () => {
    const { health, dataSource } = await start();
    await waitFor(() => health.watchers()[0]!.watching);
    await dataSource.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name = 'rappen-watch' AND datname = current_database()`,
    );
    await pay(await test.issue('pi_1'), 1, 1);
    await waitFor(async () => (await atoms('pi_1')).length === 1);
    expect(health.watchers()[0]!.watching).toBe(true);
  });

  it('says when it has caught up since the start, opens the network, and closes it when the node is gone', async () => {
    const { health, dataSource } = await start();
    await test.mine();
    expect(await health.whenCaughtUp(60_000)).toEqual([]);
    expect(await health.all()).toMatchObject([{ network: 'ethereum', state: 'open' }]);
    proxy.plan([DOWN]);
    await waitFor(() => health.watchers()[0]!.failures > 0);
    expect(await health.whenCaughtUp(200)).toEqual(['ethereum']);
    await dataSource.query(`UPDATE chain_cursor SET synced_at = now() - interval '31 seconds'`);
    expect(await health.all()).toMatchObject([{ state: 'lagging' }]);
    expect(health.watchers()[0]!.lastError).not.toBeNull();
  });
});

it('has seen the chain as it was when the look began, however long a node takes over the rest', async () => {
  let askedAt = 0;
  const noted = () => {
    askedAt ||= Date.now();
    return true;
  };
  await test.mine();
  proxy.plan([{ methods: ['eth_getLogs'], asking: noted, fault: { kind: 'hang', ms: 700 } }]);
  expect(await test.catchUp(test.watcher(proxy.url))).toBe('synced');
  const [health] = await test.chains.health.all();
  expect(askedAt).toBeGreaterThan(0);
  expect(health!.syncedAt!.getTime()).toBeLessThanOrEqual(askedAt);
});
