import type { Family } from '../../src/config/config.types.js';
import { BITCOIN_GENESIS } from '../../src/config/genesis.js';
import { CoreNode } from '../../src/modules/chains/bitcoin/core-node.js';
import { CoreRpc } from '../../src/modules/chains/bitcoin/core-rpc.js';
import { BitcoinTest } from '../chain/bitcoin-fixture.js';
import { describeOnNode } from '../support/litecoind.js';

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

  it('is held to the first block that its network has', async () => {
    const cursor = await test.chains.ledger.cursor(test.network.id);
    const { family } = test.network;
    if (family === 'evm') throw new Error('the test network is Bitcoin-like');
    expect(BITCOIN_GENESIS[family].regtest).toEqual([cursor!.genesisHash]);
    expect(cursor!.chainId).toBeNull();
  });
});
