import type { Family } from '../../src/config/config.types.js';
import { BITCOIN_GENESIS } from '../../src/config/genesis.js';
import { CoreNode } from '../../src/modules/chains/bitcoin/core-node.js';
import { CoreRpc } from '../../src/modules/chains/bitcoin/core-rpc.js';
import { ReconciliationService } from '../../src/modules/chains/reconciliation/reconciliation.service.js';
import { BitcoinTest } from '../chain/bitcoin-fixture.js';
import { MERCHANT } from '../chain/chains-fixture.js';
import { lie } from '../chain/hostile-faults.js';
import { HostileNode } from '../chain/hostile-node.js';
import { describeOnNode } from '../support/litecoind.js';
import { vpubOf } from '../support/wallet.js';
import { by } from '../support/by.js';

const ANOTHER = 'serves a chain whose first block is abab';

describeOnNode()('a Bitcoin-like node', () => {
  let test: BitcoinTest;
  beforeAll(async () => {
    test = await BitcoinTest.start();
  });
  afterAll(() => test?.stop());

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
    const proxy = await HostileNode.start(test.network.rpcUrl);
    const { rpcUrl, id: network } = test.network;
    Object.assign(test.network, { rpcUrl: proxy.url });
    try {
      proxy.plan([
        {
          methods: ['getblockhash'],
          asking: ({ params }) => params[0] === 0,
          fault: lie('another first block', () => 'ab'.repeat(32)),
        },
      ]);
      const xpub = vpubOf(`${test.database.url} identity`);
      const set = await test.chains.service.setWallet({ merchantId: MERCHANT, network, xpub }, by('test'));
      expect([set.isSearched, set.scan.networks[0]!.reason]).toEqual([
        false,
        expect.stringContaining(ANOTHER),
      ]);
      const reconciliation = test.chains.app.get(ReconciliationService, { strict: false });
      const [verdict] = await reconciliation.check();
      expect(verdict).toMatchObject({
        verdict: 'unasked',
        reason: expect.stringContaining(ANOTHER) as string,
      });
    } finally {
      Object.assign(test.network, { rpcUrl });
      await proxy.stop();
    }
  });

  it('is held to the first block that its network has', async () => {
    const cursor = await test.chains.ledger.cursor(test.network.id);
    const { family } = test.network;
    if (family === 'evm') throw new Error('the test network is Bitcoin-like');
    expect(BITCOIN_GENESIS[family].regtest).toEqual([cursor!.genesisHash]);
    expect(cursor!.chainId).toBeNull();
  });
});
