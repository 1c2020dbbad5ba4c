import type { AssetConfig } from '../../../src/config/config.types.js';
import { KEPT_BLOCKS } from '../../../src/modules/chains/data/ledger.repository.js';
import { publicReason } from '../../../src/modules/chains/watching/node-failure.js';
import { BUYER, ChainTest, ERC20 } from '../../chain/chains-fixture.js';
import { HostileNode } from '../../chain/hostile/hostile-node.js';
import { startTestAnvil, type TestAnvil } from '../../support/nodes/anvil.js';

let test: ChainTest;

beforeAll(async () => {
  test = await ChainTest.start();
});
afterAll(() => test?.stop());

const amounts = async (subject: string) =>
  (await test.transfers(subject)).map(({ amountAtoms }) => amountAtoms);
const closed = async () => (await test.chains.health.all())[0]!.closedAssets;

describe('an asset that the leader does not know', () => {
  it('is closed while the cursor passes it by, caught up by one that knows it, and then open', async () => {
    const assets = test.network.assets.filter(({ symbol }) => symbol !== 'USDT');
    const [old, current] = [test.watcher(test.anvil.rpcUrl, { assets }), test.watcher()];
    const to = await test.issue('pi_1');
    await test.sendToken(to, 7n, test.anvil.tokens.USDT.address);
    await test.sendToken(to, 9n);
    await test.mine(60);
    await test.catchUp(old);
    expect(await amounts('pi_1')).toEqual([9n]);
    expect(await closed()).toEqual({ USDT: 'catching-up' });
    await test.catchUp(current);
    expect(await closed()).toEqual({});
    expect([...(await amounts('pi_1'))].sort()).toEqual([7n, 9n]);
    expect((await test.chains.facts.changes(10)).map(({ subject }) => subject)).toContain('pi_1');
  });

  it('and that is the coin is caught up without being credited twice', async () => {
    const assets = test.network.assets.filter(({ contract }) => contract !== null);
    const to = await test.issue('pi_2');
    await test.mine();
    await test.catchUp();
    await test.send(to, '0.5');
    await test.mine(3);
    await test.catchUp(test.watcher(test.anvil.rpcUrl, { assets }));
    expect(await closed()).toEqual({ ETH: 'catching-up' });
    await test.catchUp();
    await test.mine(2);
    await test.catchUp();
    expect(await amounts('pi_2')).toEqual([500_000_000_000_000_000n]);
    expect(await closed()).toEqual({});
  });

  it('is caught up anew from where a reorganisation left the cursor', async () => {
    const assets = test.network.assets.filter(({ symbol }) => symbol !== 'USDT');
    const old = test.watcher(test.anvil.rpcUrl, { assets });
    const to = await test.issue('pi_3');
    await test.mine(3);
    await test.catchUp();
    await test.reorganise(2);
    await test.sendToken(to, 3n, test.anvil.tokens.USDT.address);
    await test.mine(2);
    await test.catchUp(old);
    expect(await amounts('pi_3')).toEqual([]);
    await test.catchUp();
    expect(await amounts('pi_3')).toEqual([3n]);
  });
});

/** Blocks up to the present one are both chains', those to come are not. */
async function fork(of: TestAnvil, to: TestAnvil): Promise<void> {
  const state = await of.testClient.request({ method: 'anvil_dumpState' } as never);
  await to.testClient.request({ method: 'anvil_loadState', params: [state] } as never);
  await to.testClient.increaseTime({ seconds: 3 });
}

it.each([
  ['another chain', false],
  ['a fork that begins among them', true],
])('is not searched for in blocks of %s, however far below what is kept', async (name, isFork) => {
  const subject = `pi_${name}`;
  const [other, proxy] = await Promise.all([startTestAnvil(), HostileNode.start(test.anvil.rpcUrl)]);
  try {
    const to = await test.issue(subject);
    await test.mine(3);
    await test.catchUp();
    const { USDT } = test.anvil.tokens;
    await test.mine(4);
    if (isFork) await fork(test.anvil, other);
    const ahead = Number(await test.anvil.testClient.getBlockNumber());
    expect(other.tokens.USDT.address).toBe(USDT.address);
    const missing = ahead - Number(await other.testClient.getBlockNumber());
    if (missing > 0) await other.testClient.mine({ blocks: missing });
    // On the other chain alone, at the same address, of the same token.
    await other.testClient.writeContract({
      account: BUYER,
      address: USDT.address,
      abi: ERC20,
      functionName: 'transfer',
      args: [to, 777n],
    });
    for (let mined = 0; mined < KEPT_BLOCKS + 100; mined += 200) {
      await other.testClient.mine({ blocks: 200 });
      await test.mine(200);
    }
    const assets = test.network.assets.filter(({ symbol }) => symbol !== 'USDT');
    const old = test.watcher(test.anvil.rpcUrl, { assets });
    for (let look = 0; look < 3; look++) {
      await test.catchUp(old);
      // What is kept reaches down to what was final before a look.
      await test.mine();
      await other.testClient.mine({ blocks: 1 });
    }
    await test.catchUp(old);
    const covered = async () =>
      (await test.chains.ledger.cursor('ethereum'))!.covered.get(USDT.address.toLowerCase());
    const before = await covered();
    const watcher = test.watcher(proxy.url);
    const elsewhere = { kind: 'elsewhere', url: other.rpcUrl } as const;
    proxy.plan([
      { methods: ['eth_getBlockByNumber'], holding: ',true]', fault: elsewhere },
      { methods: ['eth_getLogs', 'eth_getTransactionReceipt', 'eth_getBlockReceipts'], fault: elsewhere },
    ]);
    // All blocks are searched before the first that the watcher has read contradicts them.
    await test.catchUp(watcher);
    expect(proxy.strikes).toBeGreaterThan(0);
    expect(await amounts(subject)).toEqual([]);
    expect(await closed()).toEqual({ USDT: 'catching-up' });
    expect(await covered()).toBe(before);
    await test.catchUp();
    expect(await amounts(subject)).toEqual([]);
    expect(await closed()).toEqual({});
  } finally {
    await Promise.all([other.stop(), proxy.stop()]);
  }
});

describe('an asset that is new to the list', () => {
  it('begins where the cursor stands, and is closed until then', async () => {
    await test.chains.dataSource.query('DELETE FROM cursor_asset WHERE asset_key = $1', [
      test.anvil.tokens.USDC.address.toLowerCase(),
    ]);
    expect(await closed()).toEqual({ USDC: 'catching-up' });
    await test.mine();
    await test.catchUp();
    expect(await closed()).toEqual({});
  });
});

describe('a token', () => {
  /** The network as if one of its tokens stood in the configuration otherwise. */
  const configured = (change: Partial<AssetConfig>) =>
    test.network.assets.map((asset) => (asset.symbol === 'USDC' ? { ...asset, ...change } : asset));
  const REFUSES_EVERYTHING = '0x6005600c60003960056000f360006000fd';

  it.each([
    ['divided otherwise than is configured', { decimals: 18 }, 'configured with 18 decimals', 'has 6'],
    [
      'where no contract is',
      { contract: `0x${'12'.repeat(20)}` },
      `0x${'12'.repeat(20)}`,
      'no token answers',
    ],
  ])('%s keeps its network from being watched', async (_how, change, ...said) => {
    const before = await test.chains.ledger.cursor('ethereum');
    await test.mine();
    const failed = await test
      .watcher(test.anvil.rpcUrl, { assets: configured(change) })
      .step()
      .catch(publicReason);
    for (const words of said) expect(failed).toContain(words);
    expect(await test.chains.ledger.cursor('ethereum')).toEqual(before);
    expect(await test.catchUp()).toBe('synced');
  });

  it('whose code does not tell, as it may, is taken as configured', async () => {
    const contract = await test.deploy({ abi: [], bytecode: REFUSES_EVERYTHING });
    await test.mine();
    const step = test.watcher(test.anvil.rpcUrl, { assets: configured({ contract }) }).step();
    await expect(step).resolves.toBeDefined();
    await test.catchUp();
  });
});
