import { CoreNode } from '../../../../src/modules/chains/bitcoin/core-node.js';
import { CoreRpc } from '../../../../src/modules/chains/bitcoin/core-rpc.js';
import { BitcoinTest } from '../../../chain/bitcoin-fixture.js';
import { forgetting } from '../../../chain/hostile/hostile-faults.js';
import { HostileNode } from '../../../chain/hostile/hostile-node.js';
import { describeOnNode } from '../../../support/nodes/litecoind.js';

describeOnNode()('a node that lists what waits and does not tell it', () => {
  let test: BitcoinTest;
  let node: HostileNode;
  beforeEach(async () => {
    test = await BitcoinTest.start();
    node = await HostileNode.start(test.node.rpcUrl);
  });
  afterEach(async () => {
    await node?.stop();
    await test?.stop();
  });

  it('shows no whole view, and no other look at once; what it tells later counts as it waits', async () => {
    const watcher = test.watcherOn(new CoreNode(new CoreRpc(node.url)));
    const syncedAt = () => test.chains.dataSource.query('SELECT synced_at FROM chain_cursor');
    const address = await test.issue('pi_1');
    await test.catchUp(watcher);
    node.plan([forgetting('getrawtransaction')]);
    await test.node.send({ [address]: '0.5' });
    const before = await syncedAt();
    expect(await watcher.step()).toBe('waiting');
    expect(node.strikes).toBeGreaterThan(0);
    expect(await syncedAt()).toEqual(before);
    expect(await test.transfers('pi_1')).toEqual([]);
    node.honest();
    expect(await watcher.step()).toBe('synced');
    expect(await test.transfers('pi_1')).toMatchObject([{ state: 'mempool' }]);
  });
});
