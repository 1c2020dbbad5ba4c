import { ReconciliationService } from '../../../../src/modules/chains/reconciliation/reconciliation.service.js';
import { accountXpub, type Chains, ChainTest, MERCHANT, startChains } from '../../../chain/chains-fixture.js';
import { lie } from '../../../chain/hostile/hostile-faults.js';
import { HostileNode } from '../../../chain/hostile/hostile-node.js';
import { by } from '../../../support/intents/by.js';
import { startTestAnvil, type TestAnvil } from '../../../support/nodes/anvil.js';
import { eventually } from '../../../support/servers/receiver.js';

let test: ChainTest;
let other: TestAnvil;
let proxy: HostileNode;

beforeAll(async () => {
  test = await ChainTest.start();
  await new Promise((resolve) => setTimeout(resolve, 1_100)); // the second of the start is in an anvil's first block
  other = await startTestAnvil();
  proxy = await HostileNode.start(test.anvil.rpcUrl);
});
afterAll(async () => {
  await Promise.all([proxy?.stop(), other?.stop()]);
  await test?.stop();
});

describe('a network', () => {
  it('is held to the first block of its chain, though another has the same id', async () => {
    await other.testClient.mine({ blocks: 100 });
    const before = await test.chains.ledger.cursor('ethereum');
    await expect(test.watcher(other.rpcUrl).step()).rejects.toThrow('until now it was that of');
    expect(await test.chains.ledger.cursor('ethereum')).toEqual(before);
    expect(await test.catchUp()).toBe('synced');
  });

  it('with another first block is believed neither by the search for used addresses nor by the comparison', async () => {
    const { rpcUrl, id: network } = test.network;
    const reason = expect.stringContaining('until now it was that of') as string;
    Object.assign(test.network, { rpcUrl: other.rpcUrl });
    try {
      const xpub = accountXpub(7);
      const set = await test.chains.extendedKeys.set({ merchantId: MERCHANT, network, xpub }, by('test'));
      expect(set).toMatchObject({ isSearched: false, scan: { networks: [{ reason }] } });
      const [verdict] = await test.chains.app.get(ReconciliationService, { strict: false }).check();
      expect(verdict).toMatchObject({ verdict: 'unasked', reason });
    } finally {
      Object.assign(test.network, { rpcUrl });
      await test.chains.extendedKeys.set({ merchantId: MERCHANT, network, xpub: accountXpub() }, by('test'));
    }
  });

  it('is not watched on a node whose first block is not the configured one', async () => {
    const genesisHash = `0x${'12'.repeat(32)}`;
    const watcher = test.watcher(test.anvil.rpcUrl, { genesisHash });
    await expect(watcher.step()).rejects.toThrow(`not ${genesisHash}`);
  });

  it('remembers its chain where the cursor is from before chains were remembered', async () => {
    const query = (text: string) => test.chains.dataSource.query<{ genesis_hash: string | null }[]>(text);
    const [before] = await query('SELECT genesis_hash FROM chain_cursor');
    await query('UPDATE chain_cursor SET genesis_hash = NULL, chain_id = NULL');
    await test.catchUp();
    expect(await query('SELECT genesis_hash FROM chain_cursor')).toEqual([before]);
    expect(before!.genesis_hash).toMatch(/^0x[0-9a-f]{64}$/);
  });
});

describe('two networks of one chain', () => {
  it('are refused by the database: the second is not watched, and the readiness of every instance says why', async () => {
    const twin = { ...test.network, id: 'base', name: 'Base' };
    const [watching, looking] = await Promise.all([
      startChains(test.database.url, [twin]),
      startChains(test.database.url, [twin]),
    ]);
    try {
      watching.jobs.start();
      const health = await eventually(
        async () => (await looking.health.all())[0]!,
        ({ reason }) => reason !== null,
      );
      expect(health).toMatchObject({ state: 'starting', reason: expect.stringContaining('the same chain') });
    } finally {
      await Promise.all([watching.app.close(), looking.app.close()]);
    }
  });
});

describe('a node of another chain id', () => {
  let chains: Chains;
  afterAll(() => chains?.app.close());

  it('is named in the health until a right one answers', async () => {
    proxy.plan([{ methods: ['eth_chainId'], fault: lie('another chain', () => '0x2105') }]);
    chains = await startChains(test.database.url, [{ ...test.network, rpcUrl: proxy.url }]);
    chains.jobs.start();
    const reason = async () => (await chains.health.all())[0]!.reason;
    await eventually(reason, (said) => said?.includes('serves chain 8453, not 31337') ?? false);
    proxy.honest();
    expect(await eventually(reason, (said) => said === null)).toBeNull();
  });

  it('that takes the place of the right one, with the same blocks up to now, is not followed', async () => {
    const { testClient } = test.anvil;
    const cursor = async () =>
      Number(
        (await test.chains.dataSource.query<{ height: string }[]>('SELECT height FROM chain_cursor'))[0]!
          .height,
      );
    const tip = await testClient.getBlockNumber();
    await eventually(cursor, (height) => height >= Number(tip));
    proxy.plan([{ methods: ['eth_chainId'], fault: lie('another chain', () => '0x2105') }]);
    await testClient.mine({ blocks: 2 });
    const reason = async () => (await chains.health.all())[0]!.reason;
    await eventually(reason, (said) => said?.includes('serves chain 8453, not 31337') ?? false);
    expect(await cursor()).toBe(Number(tip));
    proxy.honest();
    await eventually(cursor, (height) => height >= Number(tip) + 2);
  });
});
