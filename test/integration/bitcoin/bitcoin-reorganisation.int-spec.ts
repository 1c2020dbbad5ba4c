import { CheckedBitcoinNode } from '../../../src/modules/chains/bitcoin/checked-bitcoin-node.js';
import { CoreNode } from '../../../src/modules/chains/bitcoin/core-node.js';
import { CoreRpc } from '../../../src/modules/chains/bitcoin/core-rpc.js';
import { BitcoinTest } from '../../chain/bitcoin-fixture.js';
import { Partition } from '../../chain/partition.js';
import { describeOnNode, TestNode } from '../../support/nodes/litecoind.js';

describeOnNode()('a reorganisation by invalidateblock', () => {
  let test: BitcoinTest;

  beforeEach(async () => {
    test = await BitcoinTest.start();
  });
  afterEach(() => test?.stop());

  it('puts a deposit back into the mempool, and the next block takes the same row again', async () => {
    await test.node.send({ [await test.issue('pi_1')]: '0.5' });
    const [block] = await test.node.mine();
    await test.catchUp();
    const [before] = await test.transfers('pi_1');
    await test.woken();
    await test.node.rpc.call('invalidateblock', block);
    const miner = await test.node.newAddress();
    await test.node.rpc.call('generateblock', miner, []);
    await test.catchUp();
    const [waiting, ...more] = await test.transfers('pi_1');
    expect(more).toEqual([]);
    expect(waiting).toMatchObject({ id: before?.id, state: 'mempool', blockHash: null, missingSince: null });
    expect(waiting!.firstSeenAt <= before!.firstSeenAt).toBe(true);
    expect(await test.woken()).toEqual(['pi_1']);
    await test.node.mine();
    await test.catchUp();
    const [again] = await test.transfers('pi_1');
    expect(again).toMatchObject({ id: before?.id, state: 'included', blockHeight: before!.blockHeight! + 1 });
  });

  it('in the term of another leader brings back what that one took for replaced', async () => {
    const [leader, other] = [test.watcher(), test.watcher()];
    const takeOver = () => test.chains.dataSource.query('UPDATE watch_lease SET term = term + 1');
    const sent = await test.node.send({ [await test.issue('pi_1')]: '0.5' });
    const raw = await test.node.rpc.call('getrawtransaction', sent.txid);
    await test.catchUp(leader);
    await takeOver();
    const elsewhere = await test.node.sign(sent, {}, '0.0001');
    const miner = await test.node.newAddress();
    const { hash } = await test.node.rpc.call<{ hash: string }>('generateblock', miner, [elsewhere]);
    await test.catchUp(other);
    expect(await test.states('pi_1')).toEqual(['replaced']);
    await test.node.rpc.call('invalidateblock', hash);
    await test.node.rpc.call('sendrawtransaction', raw, 0);
    await test.node.rpc.call('generateblock', await test.node.newAddress(), []);
    // It walks back, and has not looked at the mempool yet.
    expect(await other.step()).toBe('more');
    await takeOver();
    await test.catchUp(leader);
    expect(await test.states('pi_1')).toEqual(['mempool']);
  });

  it('right after the first start needs no operator', async () => {
    const [block] = await test.node.mine();
    for (const table of ['chain_block', 'cursor_asset', 'chain_cursor'])
      await test.chains.dataSource.query(`DELETE FROM ${table}`);
    test.restart();
    await test.catchUp();
    await test.node.rpc.call('invalidateblock', block);
    await test.node.mine(2);
    expect(await test.catchUp()).toBe('synced');
  });

  it('to a shorter chain is followed, and so is the longer one after it', async () => {
    await test.node.send({ [await test.issue('pi_1')]: '0.5' });
    const [first] = await test.node.mine(5);
    await test.catchUp();
    await test.node.rpc.call('invalidateblock', first);
    await test.node.rpc.call('generateblock', await test.node.newAddress(), []);
    await test.catchUp();
    expect(await test.states('pi_1')).toEqual(['mempool']);
    await test.node.mine(5);
    expect(await test.catchUp()).toBe('synced');
    expect(await test.states('pi_1')).toEqual(['included']);
  });

  it('is survived by two watchers at once, without a gap or a double', async () => {
    const address = await test.issue('pi_1');
    const [one, other] = [test.watcher(), test.watcher()];
    for (let round = 0; round < 12; round += 1) {
      await test.node.send({ [address]: '0.01' });
      const [block] = await test.node.mine();
      await Promise.all([test.catchUp(one), test.catchUp(other)]);
      if (round % 4 !== 3) continue;
      await test.node.rpc.call('invalidateblock', block);
      await test.node.mine(2);
      await Promise.all([test.catchUp(one), test.catchUp(other)]);
    }
    const transfers = await test.transfers('pi_1');
    expect(transfers.map(({ state }) => state)).toEqual(Array<string>(12).fill('included'));
    expect(new Set(transfers.map(({ txid }) => txid)).size).toBe(12);
  });
});

describeOnNode('own-nodes')('a partition of the network', () => {
  let test: BitcoinTest;
  let far: TestNode;
  let network: Partition;

  beforeEach(async () => {
    test = await BitcoinTest.start({}, true);
    far = await TestNode.start({ funded: false, own: true });
    network = new Partition(test.node, far);
    await network.meet();
  });
  afterEach(async () => {
    await far?.stop();
    await test?.stop();
  });

  it('that the other side wins takes a deposit out of its block and back into the mempool, at any depth', async () => {
    for (const depth of [1, 2, 6, 12]) {
      const subject = `pi_${depth}`;
      await network.part();
      await test.node.send({ [await test.issue(subject)]: '0.5' });
      await test.node.mine(depth);
      await test.catchUp();
      const [before] = await test.transfers(subject);
      expect(before?.state).toBe('included');
      await far.mine(depth + 2);
      await network.meet();
      expect(await test.catchUp()).toBe('synced');
      expect(await test.transfers(subject)).toMatchObject([{ id: before?.id, state: 'mempool' }]);
      await test.node.mine();
      await test.catchUp();
      const [after] = await test.transfers(subject);
      expect(after).toMatchObject({ id: before?.id, state: 'included' });
      expect(after!.firstSeenAt <= before!.firstSeenAt).toBe(true);
      expect(after?.blockHash).not.toBe(before?.blockHash);
      await network.sameTip();
    }
  });

  it('in which the other side mined a double spend leaves the deposit replaced', async () => {
    const address = await test.issue('pi_1');
    const coin = await test.node.send({ [await test.node.newAddress()]: '0.1' });
    await test.node.mine();
    const vouts = await test.node.wallet.call<{ txid: string; vout: number; amount: number }[]>(
      'listunspent',
      1,
    );
    const change = vouts.find(({ txid, amount }) => txid === coin.txid && amount > 1)!;
    const input = { input: { txid: change.txid, vout: change.vout }, inputValue: change.amount.toFixed(8) };
    await network.sameTip();
    const [paying, stealing] = [
      await test.node.sign(input, { [address]: '0.5' }, '0.001'),
      await test.node.sign(input, {}, '0.001'),
    ];
    await network.part();
    await test.node.rpc.call('sendrawtransaction', paying, 0);
    await test.node.mine(3);
    await test.catchUp();
    expect(await test.states('pi_1')).toEqual(['included']);
    await far.rpc.call('sendrawtransaction', stealing, 0);
    await far.mine(5);
    await network.meet();
    await test.catchUp();
    expect(await test.transfers('pi_1')).toMatchObject([{ state: 'replaced', blockHash: null }]);
  });

  it('halts a network that both sides are asked for, until they are one again', async () => {
    const nodes = [test.node, far].map(({ rpcUrl }) => new CoreNode(new CoreRpc(rpcUrl))) as [
      CoreNode,
      CoreNode,
    ];
    const checked = new CheckedBitcoinNode(...nodes);
    const watcher = test.watcherOn(checked);
    await test.node.mine();
    await network.sameTip();
    expect(await test.catchUp(watcher)).toBe('synced');
    const before = await test.chains.ledger.cursor(test.network.id);
    await network.part();
    await test.node.send({ [await test.issue('pi_1')]: '0.5' });
    await test.node.mine(3);
    // The other side has not seen a block more: nothing above its tip is believed, nor what is in one's mempool alone.
    expect(await test.catchUp(watcher)).toBe('waiting');
    expect(await test.transfers('pi_1')).toEqual([]);
    await far.mine(2);
    await expect(test.catchUp(watcher)).rejects.toThrow('do not agree about block');
    expect(checked.verdict).toBe('disagrees');
    expect(await test.chains.ledger.cursor(test.network.id)).toEqual(before);
    await network.meet();
    expect(await test.catchUp(watcher)).toBe('synced');
    expect(checked.verdict).toBe('agrees');
    expect(await test.states('pi_1')).toEqual(['included']);
  });
});
