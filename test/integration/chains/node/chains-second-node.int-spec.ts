import { type Address, erc20Abi, parseEther } from 'viem';
import { CheckedNode } from '../../../../src/modules/chains/evm/node/checked-node.js';
import { RpcNode } from '../../../../src/modules/chains/evm/node/rpc-node.js';
import { NodesDisagree, SecondNodeSilent } from '../../../../src/modules/chains/node.errors.js';
import { BUYER, type Chains, ChainTest, startChains } from '../../../chain/chains-fixture.js';
import { compileContracts } from '../../../chain/contracts.js';
import {
  CONSISTENT_LIES,
  CONTRADICTIONS,
  earlyFinality,
  NO_TAGS,
  UNLISTED_RECEIPT,
  VALUE_ALONE,
} from '../../../chain/evm-faults.js';
import { DOWN, elsewhere, forgetting, lie, refusing } from '../../../chain/hostile/hostile-faults.js';
import { HostileNode } from '../../../chain/hostile/hostile-node.js';
import { startTestAnvil, type TestAnvil } from '../../../support/nodes/anvil.js';
import { SENT_FROM } from '../../../support/nodes/chain-check.js';
import { eventually } from '../../../support/servers/receiver.js';

const { payout } = compileContracts();

let test: ChainTest;
let contract: Address;
let other: TestAnvil;
let first: HostileNode;
let second: HostileNode;

beforeAll(async () => {
  [test, other] = await Promise.all([ChainTest.start(), startTestAnvil()]);
  test.leaveUntold(SENT_FROM);
  await other.testClient.mine({ blocks: 300 });
  contract = await test.deploy(payout);
  [first, second] = [await HostileNode.start(test.anvil.rpcUrl), await HostileNode.start(test.anvil.rpcUrl)];
});
beforeEach(async () => {
  first.honest();
  second.honest();
  await test.mine();
  await test.catchUp();
});
afterAll(async () => {
  await Promise.all([first?.stop(), second?.stop(), other?.stop()]);
  await test?.stop();
});

const checked = () => new CheckedNode(new RpcNode(first.url), new RpcNode(second.url));
const cursor = () => test.chains.ledger.cursor('ethereum');
const atoms = async (subject: string) => (await test.transfers(subject)).map((t) => t.amountAtoms);

describe('with two nodes', () => {
  it('what both say is credited: in coin, in a token', async () => {
    const to = await test.issue('pi_both');
    await test.send(to, '0.1');
    await test.sendToken(to, 5n);
    await test.mine(3);
    const node = checked();
    expect(await test.catchUp(test.watcherOn(node))).toBe('synced');
    expect((await atoms('pi_both')).sort()).toEqual([100_000_000_000_000_000n, 5n]);
    expect(node.verdict).toBe('agrees');
  });

  it('a log that one of them leaves out is found by the other, whichever it is', async () => {
    const to = await test.issue('pi_logs');
    for (const forgetful of [first, second]) {
      forgetful.plan([forgetting('eth_getLogs'), refusing('eth_getBlockReceipts')]);
      await test.sendToken(to, 5n);
      await test.mine();
      await test.catchUp(test.watcherOn(checked()));
      forgetful.honest();
    }
    expect(await atoms('pi_logs')).toEqual([5n, 5n]);
  });

  it('nothing is believed while they are on different chains, and everything once they agree', async () => {
    const to = await test.issue('pi_fork');
    const before = await cursor();
    const node = checked();
    const watcher = test.watcherOn(node);
    await watcher.step();
    second.plan([elsewhere(other.rpcUrl)]);
    await test.send(to, '0.1');
    await test.mine(2);
    await expect(watcher.step()).rejects.toThrow('do not agree about block');
    expect(node.verdict).toBe('disagrees');
    expect(await cursor()).toEqual(before);
    expect(await atoms('pi_fork')).toEqual([]);
    second.honest();
    expect(await test.catchUp(watcher)).toBe('synced');
    expect(node.verdict).toBe('agrees');
    expect(await atoms('pi_fork')).toHaveLength(1);
  });

  it('nothing is believed while the second is down', async () => {
    const before = await cursor();
    await test.mine();
    second.plan([DOWN]);
    const node = checked();
    await expect(test.watcherOn(node).step()).rejects.toThrow('the second node does not answer');
    expect(node.verdict).toBe('silent');
    expect(await cursor()).toEqual(before);
  });

  it('nothing above the tip of the one that lags is believed, nor more of it safe or final', async () => {
    const lagging = new CheckedNode(new RpcNode(first.url), new Lagging(second.url));
    const before = await cursor();
    await test.send(await test.issue('pi_lag'), '0.1');
    await test.mine(Lagging.BLOCKS + 2);
    expect(await test.catchUp(test.watcherOn(lagging))).toBe('synced');
    expect((await cursor())!.height).toBe(before!.height + 2);
    const [{ finalized }] = await test.chains.dataSource.query<[{ finalized: number }]>(
      'SELECT finalized_height::int AS finalized FROM chain_cursor',
    );
    expect(finalized).toBe(before!.height + 2 - 4);
    expect(lagging.verdict).toBe('silent');
    expect(await atoms('pi_lag')).toHaveLength(1);
  });

  it.each([
    ['together', []],
    ['one by one', ['eth_getBlockReceipts']],
  ])('a second that refuses logs alone agrees by its receipts, told %s', async (how, alsoRefused) => {
    const subject = `pi_receipts ${how}`;
    await test.sendToken(await test.issue(subject), 5n);
    await test.mine(3);
    second.plan([refusing('eth_getLogs', ...alsoRefused)]);
    const node = checked();
    expect(await test.catchUp(test.watcherOn(node))).toBe('synced');
    expect(second.strikes).toBeGreaterThan(0);
    expect(await atoms(subject)).toEqual([5n]);
    expect(node.verdict).toBe('agrees');
  });

  it('a second that refuses logs and tells other receipts is said to disagree, one that refuses both to be silent', async () => {
    await test.sendToken(await test.issue('pi_other receipts'), 5n);
    await test.mine();
    const node = checked();
    second.plan([refusing('eth_getLogs'), ...CONSISTENT_LIES['that a token payment was of more']!]);
    await expect(test.watcherOn(node).step()).rejects.toThrow(NodesDisagree);
    expect(node.verdict).toBe('disagrees');
    second.plan([refusing('eth_getLogs', 'eth_getBlockReceipts', 'eth_getTransactionReceipt')]);
    await expect(test.watcherOn(node).step()).rejects.toThrow(SecondNodeSilent);
    expect(node.verdict).toBe('silent');
  });

  it('a payment that only one of them traces brings nothing to an address whose owner moves coin', async () => {
    const to = await test.issue('pi_traced by one');
    await test.send(to, '1');
    await test.mine();
    await test.catchUp();
    await test.anvil.testClient.impersonateAccount({ address: to });
    await test.send(BUYER, '0.5', to);
    await test.mine();
    first.plan([{ methods: ['debug_traceBlockByHash'], fault: lie('a call more', paying(to)) }]);
    expect(await test.catchUp(test.watcherOn(checked()))).toBe('synced');
    expect(first.strikes).toBeGreaterThan(0);
    expect(await atoms('pi_traced by one')).toEqual([parseEther('1')]);
  });

  it('a balance that only one of them tells brings nothing', async () => {
    const node = new CheckedNode(new RpcNode(first.url), new Generous(second.url));
    await test.issue('pi_rich');
    await test.mine();
    await expect(test.catchUp(test.watcherOn(node))).rejects.toThrow('do not agree about balances');
    expect(await atoms('pi_rich')).toEqual([]);
  });
});

describe.each([
  { liar: 'the first', of: () => first },
  { liar: 'the second', of: () => second },
])('while $liar of two nodes', ({ of }) => {
  it.each(Object.entries(CONSISTENT_LIES))(
    'says %s, nothing is credited and it is said',
    async (name, lies) => {
      const subject = `pi_${name} ${of() === first ? 1 : 2}`;
      const to = await test.issue(subject);
      await test.mine();
      await test.catchUp();
      await pay(to);
      await test.mine();
      of().plan(lies);
      const node = checked();
      const before = await cursor();
      await expect(test.catchUp(test.watcherOn(node))).rejects.toThrow('do not agree about');
      expect(of().strikes).toBeGreaterThan(0);
      expect(node.verdict).toBe('disagrees');
      expect(await cursor()).toEqual(before);
      expect(await atoms(subject)).toEqual([]);
      of().honest();
      expect(await test.catchUp(test.watcherOn(node))).toBe('synced');
      expect((await atoms(subject)).sort()).toEqual([parseEther('0.1'), 5n, 7n]);
    },
  );

  it('lists no transaction without value and tells no logs, what they paid is found by the other', async () => {
    const subject = `pi_unlisted ${of() === first ? 1 : 2}`;
    await test.sendToken(await test.issue(subject), 5n);
    await test.mine();
    of().plan([VALUE_ALONE, refusing('eth_getLogs', 'eth_getBlockReceipts')]);
    expect(await test.catchUp(test.watcherOn(checked()))).toBe('synced');
    expect(of().strikes).toBeGreaterThan(0);
    expect(await atoms(subject)).toEqual([5n]);
  });

  it('lists no transaction without value, what an address pays for its own is found by the other', async () => {
    const subject = `pi_own fee ${of() === first ? 1 : 2}`;
    const to = await test.issue(subject);
    await test.send(to, '1');
    await test.mine();
    await test.catchUp(test.watcherOn(checked()));
    of().plan([VALUE_ALONE]);
    await test.anvil.testClient.impersonateAccount({ address: to });
    await test.anvil.testClient.sendTransaction({ account: to, to: BUYER, value: 0n });
    await payInside(to, parseEther('0.1'));
    await test.mine();
    expect(await test.catchUp(test.watcherOn(checked()))).toBe('synced');
    expect(of().strikes).toBeGreaterThan(0);
    expect((await atoms(subject)).sort()).toEqual([parseEther('0.1'), parseEther('1')]);
  });

  it('has a receipt of a transaction that no block lists, both agree about the others', async () => {
    const subject = `pi_unlisted receipt ${of() === first ? 1 : 2}`;
    const to = await test.issue(subject);
    of().plan([{ methods: ['eth_getBlockReceipts'], fault: UNLISTED_RECEIPT }]);
    // Whose bloom may hold a payment of another token.
    await test.anvil.testClient.writeContract({
      account: BUYER,
      address: test.anvil.tokens.USDT.address,
      abi: erc20Abi,
      functionName: 'approve',
      args: [to, 1n],
    });
    await test.sendToken(to, 5n);
    await test.mine();
    const node = checked();
    expect(await test.catchUp(test.watcherOn(node))).toBe('synced');
    expect(of().strikes).toBeGreaterThan(0);
    expect(node.verdict).toBe('agrees');
    expect(await atoms(subject)).toEqual([5n]);
  });

  it('follows a fork of its own, nothing is credited and it is said', async () => {
    const subject = `pi_own fork ${of() === first ? 1 : 2}`;
    const to = await test.issue(subject);
    const before = await cursor();
    const node = checked();
    const watcher = test.watcherOn(node);
    await watcher.step();
    of().plan([elsewhere(other.rpcUrl)]);
    await pay(to);
    await test.mine(2);
    await expect(watcher.step()).rejects.toThrow('do not agree about block');
    expect(node.verdict).toBe('disagrees');
    expect(await cursor()).toEqual(before);
    of().honest();
    expect(await test.catchUp(watcher)).toBe('synced');
    expect(await atoms(subject)).toHaveLength(3);
  });

  it('tells a false time of its newest block, nothing is final by it, where neither knows tags', async () => {
    const untagged = [await HostileNode.start(first.url), await HostileNode.start(second.url)] as const;
    for (const node of untagged) node.plan([NO_TAGS]);
    try {
      const [one, two] = untagged.map(({ url }) => new RpcNode(url));
      const before = await cursor();
      const watcher = test.watcherOn(new CheckedNode(one!, two!));
      expect(await test.catchUp(watcher)).toBe('synced');
      of().plan([{ methods: ['eth_getBlockByNumber'], holding: '"latest"', fault: CONTRADICTIONS.tomorrow }]);
      await test.mine(2);
      // Whether it is caught depends on whose answer is looked at: what both have told is read of both.
      for (let i = 0; i < 4; i += 1) await watcher.step().catch(() => 'failed');
      expect(of().strikes).toBeGreaterThan(0);
      expect((await cursor())!.finalizedHeight).toBe(before!.finalizedHeight);
      of().honest();
      expect(await test.catchUp(watcher)).toBe('synced');
    } finally {
      await Promise.all(untagged.map((node) => node.stop()));
    }
  });

  it('calls final what is not yet, no more is final than the other says', async () => {
    await test.issue(`pi_early finality ${of() === first ? 1 : 2}`);
    await test.mine(8);
    await test.catchUp();
    const honest = (await test.anvil.testClient.getBlock({ blockTag: 'finalized' })).number;
    of().plan(earlyFinality(await rawBlock(honest + 3n)));
    expect(await test.catchUp(test.watcherOn(checked()))).toBe('synced');
    expect(of().strikes).toBeGreaterThan(0);
    expect((await cursor())!.finalizedHeight).toBe(Number(honest));
  });
});

/** Each transaction pays besides, in a call inside of it. */
const paying = (to: Address) => (trees: unknown) =>
  (trees as { result: object }[]).map(({ result, ...of }) => {
    const calls = [{ type: 'CALL', from: BUYER, to, value: `0x${parseEther('1000').toString(16)}` }];
    return { ...of, result: { ...result, calls } };
  });

function rawBlock(height: bigint): Promise<unknown> {
  const params = [`0x${height.toString(16)}`, false];
  return test.anvil.testClient.request({ method: 'eth_getBlockByNumber', params } as never);
}

/** In a token, in coin, and in coin that a contract sends on. */
async function pay(to: Address): Promise<void> {
  await test.sendToken(to, 5n);
  await test.send(to, '0.1');
  await payInside(to, 7n);
}

async function payInside(to: Address, value: bigint): Promise<void> {
  await test.anvil.testClient.writeContract({
    account: BUYER,
    address: contract,
    abi: payout.abi,
    functionName: 'pay',
    gas: 1_000_000n,
    args: [[to], [value]],
    value,
  });
}

/** As a node that is some blocks behind. */
class Lagging extends RpcNode {
  static readonly BLOCKS = 6;

  override async tips() {
    const { latest, safeHeight, finalizedHeight, tagged, ...told } = await super.tips();
    const headerBehind = async (height: number) => (await super.header(height - Lagging.BLOCKS))!;
    const tags = tagged.map(async ({ tag, height }) => ({ tag, ...(await headerBehind(height)) }));
    return {
      ...told,
      latest: await headerBehind(latest.height),
      tagged: await Promise.all(tags),
      safeHeight: safeHeight! - Lagging.BLOCKS,
      finalizedHeight: finalizedHeight! - Lagging.BLOCKS,
    };
  }
}

class Generous extends RpcNode {
  override async balances(addresses: readonly string[], blockHash: string) {
    return (await super.balances(addresses, blockHash))!.map((balance) => balance + 1n);
  }
}

describe('the job with two nodes', () => {
  let chains: Chains;

  beforeAll(async () => {
    const network = { ...test.network, rpcUrl: first.url, secondRpcUrl: second.url };
    chains = await startChains(test.database.url, [network]);
  });
  afterAll(() => chains?.app.close());

  const health = (state: string, crossCheck: string) =>
    eventually(
      async () => (await chains.health.all())[0]!,
      (seen) => seen.state === state && seen.crossCheck === crossCheck,
    );

  it('is disputed while they disagree, shows their silence, and opens by itself', async () => {
    chains.jobs.start();
    await health('open', 'agrees');
    second.plan([elsewhere(other.rpcUrl)]);
    await test.mine();
    await health('disputed', 'disagrees');
    second.plan([DOWN]);
    await test.mine();
    await eventually(
      async () => (await chains.health.all())[0]!.crossCheck,
      (seen) => seen === 'silent',
    );
    expect(chains.health.watchers()[0]!.lastError).toContain('the second node does not answer');
    second.honest();
    await test.mine();
    await health('open', 'agrees');
  });
});
