import type { Family } from '../../../../src/config/config.types.js';
import { BITCOIN_GENESIS } from '../../../../src/config/genesis.js';
import { CoreNode } from '../../../../src/modules/chains/bitcoin/core-node.js';
import { CoreRpc } from '../../../../src/modules/chains/bitcoin/core-rpc.js';
import { bitcoinNetwork } from '../../../../src/modules/chains/domain/bitcoin-network.js';
import { ReconciliationService } from '../../../../src/modules/chains/reconciliation/reconciliation.service.js';
import { BitcoinTest } from '../../../chain/bitcoin-fixture.js';
import { MERCHANT } from '../../../chain/chains-fixture.js';
import { lie } from '../../../chain/hostile/hostile-faults.js';
import { HostileNode } from '../../../chain/hostile/hostile-node.js';
import type { Rule } from '../../../chain/hostile/hostile-plan.js';
import { by } from '../../../support/intents/by.js';
import { describeOnNode } from '../../../support/nodes/litecoind.js';
import { vpubOf } from '../../../support/nodes/wallet.js';

const STRANGER = 'does not know addresses that begin with';
const ANOTHER = 'serves a chain whose first block is abab';

describeOnNode()('a Bitcoin-like node', () => {
  let test: BitcoinTest;
  beforeAll(async () => {
    test = await BitcoinTest.start();
  });
  afterAll(() => test?.stop());

  async function behindAProxy(rules: readonly Rule[], work: (url: string) => Promise<void>): Promise<void> {
    const { rpcUrl } = test.network;
    const proxy = await HostileNode.start(rpcUrl);
    Object.assign(test.network, { rpcUrl: proxy.url });
    try {
      proxy.plan(rules);
      await work(proxy.url);
    } finally {
      Object.assign(test.network, { rpcUrl });
      await proxy.stop();
    }
  }

  async function mustBelieveNothing(why: string, key: string): Promise<void> {
    const { id: network } = test.network;
    const xpub = vpubOf(`${test.database.url} ${key}`);
    const set = await test.chains.extendedKeys.set({ merchantId: MERCHANT, network, xpub }, by('test'));
    expect([set.isSearched, set.scan.networks[0]!.reason]).toEqual([false, expect.stringContaining(why)]);
    const reconciliation = test.chains.app.get(ReconciliationService, { strict: false });
    const [verdict] = await reconciliation.check();
    expect(verdict).toMatchObject({ verdict: 'unasked', reason: expect.stringContaining(why) as string });
  }

  it('does not pass as that of another coin whose chains have the same names', async () => {
    const { rpcUrl } = test.node;
    const coin: Family = test.network.family === 'litecoin' ? 'bitcoin' : 'litecoin';
    const other = test.watcherOn(new CoreNode(new CoreRpc(rpcUrl)), {
      ...test.network,
      id: 'other',
      family: coin,
    });
    await expect(other.step()).rejects.toThrow('serves a chain whose first block is');
    expect(await test.chains.ledger.cursor('other')).toBeNull();
  });

  it('with another first block is believed neither by the search for used addresses nor by the comparison', async () => {
    const first: Rule = {
      methods: ['getblockhash'],
      asking: ({ params }) => params[0] === 0,
      fault: lie('another first block', () => 'ab'.repeat(32)),
    };
    await behindAProxy([first], () => mustBelieveNothing(ANOTHER, 'identity'));
  });

  it('of a coin that split off, which shares its first block, is known by its addresses', async () => {
    const { rpcUrl } = test.node;
    const node = new CoreNode(new CoreRpc(rpcUrl));
    const own = bitcoinNetwork(test.network).prefix;
    expect(await node.tip(own)).toMatchObject({ ownsPrefix: true });
    for (const prefix of ['bc', 'ltc', 'tb', 'tltc', 'bcrt', 'rltc'].filter((other) => other !== own))
      expect([prefix, (await node.tip(prefix)).ownsPrefix]).toEqual([prefix, false]);
    const cursor = await test.chains.ledger.cursor(test.network.id);
    await behindAProxy(
      [{ methods: ['validateaddress'], fault: lie('of another coin', () => ({ isvalid: false })) }],
      async (url) => {
        const watcher = test.watcherOn(new CoreNode(new CoreRpc(url)));
        await expect(watcher.step()).rejects.toThrow(STRANGER);
        await mustBelieveNothing(STRANGER, 'split');
      },
    );
    expect(await test.chains.ledger.cursor(test.network.id)).toEqual(cursor);
  });

  it('is held to the first block that its network has', async () => {
    const cursor = await test.chains.ledger.cursor(test.network.id);
    const { family } = test.network;
    if (family === 'evm') throw new Error('the test network is Bitcoin-like');
    expect(BITCOIN_GENESIS[family].regtest).toEqual([cursor!.genesisHash]);
    expect(cursor!.chainId).toBeNull();
  });

  it('makes nothing final by a height that it tells: depth is counted in blocks that were read', async () => {
    const { id } = test.network;
    await test.catchUp();
    const before = (await test.chains.ledger.cursor(id))!;
    await test.node.mine(20);
    const higher = (field: string) =>
      lie(`${field} 500 higher`, (told) => {
        const block = told as Record<string, number>;
        return { ...block, [field]: block[field]! + 500 };
      });
    const rules = [
      { methods: ['getblockchaininfo'], fault: higher('blocks') },
      { methods: ['getblockheader'], fault: higher('height'), untilCall: 1 },
    ];
    await behindAProxy(rules, async () => {
      await test.watcher().step();
    });
    const after = (await test.chains.ledger.cursor(id))!;
    expect(after.height).toBeGreaterThan(before.height);
    expect(after.finalizedHeight).toBe(Math.max(before.finalizedHeight, after.height - 100));
    expect(await test.catchUp()).toBe('synced');
  });
});
