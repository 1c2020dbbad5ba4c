import { DataSource } from 'typeorm';
import { CheckedBitcoinNode } from '../../../../src/modules/chains/bitcoin/checked-bitcoin-node.js';
import { CoreNode } from '../../../../src/modules/chains/bitcoin/core-node.js';
import { CoreRpc } from '../../../../src/modules/chains/bitcoin/core-rpc.js';
import { NetworkHealthService } from '../../../../src/modules/chains/network-health.service.js';
import { IntentsService } from '../../../../src/modules/intents/lifecycle/intents.service.js';
import { PaymentDetailsService } from '../../../../src/modules/intents/reporting/payment-details.service.js';
import { BitcoinTest, testNetwork } from '../../../chain/bitcoin-fixture.js';
import { lie, REFUSALS, TRANSPORT, WRONG_TYPES } from '../../../chain/hostile/hostile-faults.js';
import { HostileNode } from '../../../chain/hostile/hostile-node.js';
import type { Fault } from '../../../chain/hostile/hostile-plan.js';
import { Partition } from '../../../chain/partition.js';
import { Money } from '../../../support/intents/money.js';
import { describeOnNode, TestNode } from '../../../support/nodes/litecoind.js';
import { eventually } from '../../../support/servers/receiver.js';
import { Service } from '../../../support/service/service.js';

/** Its tip is not old within this test, and it counts as watched for two minutes after a look. */
const SLOW = { pollIntervalMs: 100, blockIntervalS: 600, isOffline: false } as const;

describeOnNode('own-nodes')('through the service, a node that has lost its peers', () => {
  let near: TestNode;
  let far: TestNode;
  let network: Partition;
  let service: Service;

  beforeAll(async () => {
    near = await TestNode.start({ own: true });
    far = await TestNode.start({ funded: false, own: true });
    network = new Partition(near, far);
    await network.meet();
    service = await Service.start({ networks: [testNetwork(near.rpcUrl, SLOW)] });
  });
  afterAll(async () => {
    try {
      await service?.stop();
    } finally {
      await Promise.all([near?.stop(), far?.stop()]);
    }
  });

  const health = async () => (await service.app.get(NetworkHealthService).all())[0]!;

  it('is said and not offered, and nobody is late whose money was mined in time meanwhile', async () => {
    const { merchantId } = await service.shop();
    const money = new Money(service);
    const { id, assets } = service.config.networks[0]!;
    const paid = await money.picked(merchantId, id, assets[0]!.symbol);
    const { depositAddress, cryptoAmount } = await service.app.get(IntentsService).get(merchantId, paid);
    await near.send({ [await far.newAddress()]: '10' });
    await near.mine();
    await network.sameTip();
    await network.part();
    await far.send({ [depositAddress!]: cryptoAmount! });
    await far.mine(3);

    await eventually(
      health,
      ({ reason }) => reason === 'the node has no peers, so nobody tells it of new blocks',
    );
    await service.app
      .get(DataSource)
      .query(`UPDATE chain_cursor SET synced_at = clock_timestamp() - interval '121 seconds'`);
    expect((await health()).state).toBe('lagging');
    await money.endWindowIn(paid, -1);

    await network.meet();
    await eventually(health, ({ state, reason }) => state === 'open' && reason === null);
    await near.mine(8);
    await eventually(
      () => money.status(paid),
      (status) => status === 'settled',
    );
    const { transfers } = await service.app.get(PaymentDetailsService).get(merchantId, paid);
    expect(transfers).toMatchObject([{ state: 'included' }]);
  });
});

describeOnNode()('how many peers a node has', () => {
  let test: BitcoinTest;
  let node: HostileNode;
  beforeAll(async () => {
    test = await BitcoinTest.start();
    node = await HostileNode.start(test.node.rpcUrl);
  });
  afterAll(async () => {
    await node?.stop();
    await test?.stop();
  });

  const forbidden: Fault = { kind: 'http', status: 403, body: '' };
  const syncedAt = () => test.chains.dataSource.query('SELECT synced_at FROM chain_cursor');
  const step = (fault: Fault | null) => {
    node.plan(fault ? [{ fault, methods: ['getconnectioncount'] }] : []);
    const rpc = new CoreRpc(node.url, { timeoutMs: fault?.kind === 'hang' ? 1_000 : 60_000 });
    return test.watcherOn(new CoreNode(rpc, { needsPeers: true })).step();
  };

  it.each([
    ['not on the whitelist of its user', forbidden],
    ['not a method that it has', REFUSALS.noMethod],
    ['one', lie('a peer', () => 1)],
  ])('%s: it is believed', async (_, fault) => {
    const before = await syncedAt();
    expect(await step(fault)).toBe('synced');
    expect(await syncedAt()).not.toEqual(before);
    expect(node.strikes).toBeGreaterThan(0);
  });

  it.each([
    ['none', null, 'no peers'],
    ['a text', WRONG_TYPES.text, 'getconnectioncount'],
    ['an error of the server', TRANSPORT.serverError, 'answered 500'],
    ['silence', { kind: 'hang', ms: Infinity } as const, ''],
  ])('%s: nothing that it says counts as a look', async (_, fault, reason) => {
    const before = await syncedAt();
    await expect(step(fault)).rejects.toThrow(reason);
    expect(await syncedAt()).toEqual(before);
  });

  it('none at the second of two: nothing is checked', async () => {
    const { rpcUrl } = test.node;
    const first = new CoreNode(new CoreRpc(rpcUrl));
    const checked = new CheckedBitcoinNode(first, new CoreNode(new CoreRpc(rpcUrl), { needsPeers: true }));
    await expect(test.watcherOn(checked).step()).rejects.toThrow('the second node does not answer');
    expect(checked.verdict).toBe('silent');
  });
});
