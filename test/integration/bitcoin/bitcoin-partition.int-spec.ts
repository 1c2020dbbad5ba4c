import { formatUnits, parseUnits } from 'viem';
import { AlertsService } from '../../../src/modules/alerts/alerts.service.js';
import { IntentsService } from '../../../src/modules/intents/lifecycle/intents.service.js';
import { testNetwork } from '../../chain/bitcoin-fixture.js';
import { Partition } from '../../chain/partition.js';
import { choose } from '../../support/checkout/choose.js';
import { decidedAs, sweepAll } from '../../support/intents/decided.js';
import { Money } from '../../support/intents/money.js';
import { ORDER } from '../../support/intents/order.js';
import { describeOnNode, type Sent, TestNode } from '../../support/nodes/litecoind.js';
import { eventually } from '../../support/servers/receiver.js';
import { Service, type Shop } from '../../support/service/service.js';

interface Paid extends Sent {
  readonly id: string;
}

/** Settled one block deep, up to 100 of any currency; above that, not within these tests. */
describeOnNode('own-nodes')('through the service, a partition that the other side wins', () => {
  let near: TestNode;
  let far: TestNode;
  let network: Partition;
  let service: Service;
  let shop: Shop;
  let money: Money;

  beforeAll(async () => {
    near = await TestNode.start({ own: true });
    far = await TestNode.start({ funded: false, own: true });
    network = new Partition(near, far);
    await network.meet();
    const changes = { pollIntervalMs: 100, settlementDepths: [1, 100, 100, 100] as const };
    service = await Service.start({ networks: [testNetwork(near.rpcUrl, changes)] });
    shop = await service.shop();
    money = new Money(service);
  });
  afterAll(async () => {
    try {
      await service?.stop();
    } finally {
      await Promise.all([near?.stop(), far?.stop()]);
    }
  });

  const idsOf = (all: readonly Paid[]) => all.map(({ id }) => id);
  const statuses = (all: readonly Paid[]) => Promise.all(idsOf(all).map((id) => money.status(id)));
  const reach = (all: readonly Paid[], wanted: readonly string[]) =>
    eventually(
      () => statuses(all),
      (seen) => seen.join() === wanted.join(),
    );

  /** Whether each alert about it is over, newest first. */
  async function alerts({ id }: Paid): Promise<boolean[]> {
    const { items } = await service.app
      .get(AlertsService)
      .list({ merchantId: shop.merchantId, pageSize: 100 });
    return items
      .filter(({ kind, subject }) => kind === 'reorganised-after-settlement' && subject === id)
      .map(({ resolvedAt }) => resolvedAt !== null);
  }

  async function paid(amountMinor: bigint, percent = 100n): Promise<Paid> {
    const request = { ...ORDER, amountMinor };
    const intents = service.app.get(IntentsService);
    const { intent } = await intents.create(shop.merchantId, request);
    const [{ id, assets }] = service.config.networks as [(typeof service.config.networks)[number]];
    await choose(service, intent.id, id, assets[0]!.symbol);
    const { depositAddress, cryptoAmount } = await intents.get(shop.merchantId, intent.id);
    const amount = formatUnits((parseUnits(cryptoAmount!, 8) * percent) / 100n, 8);
    return { id: intent.id, ...(await near.send({ [depositAddress!]: amount })) };
  }

  it.each([1, 3, 12])(
    'over %s blocks moves no status back, before confirmed, after it and after settled, and alerts of the last',
    async (depth) => {
      await network.part();
      const all = [await paid(1_000n, 50n), await paid(15_000n), await paid(1_000n)];
      const reached = ['pending', 'confirmed', 'settled'];
      await near.mine(depth);
      await reach(all, reached);
      await far.mine(depth + 1);
      await network.meet();
      await decidedAs(service, idsOf(all), 'mempool');
      expect(await statuses(all)).toEqual(reached);
      expect(await Promise.all(all.map(alerts))).toEqual([[], [], [false]]);
      await near.mine();
      await decidedAs(service, idsOf(all), 'included');
      expect(await statuses(all)).toEqual(reached);
      expect(await Promise.all(all.map(alerts))).toEqual([[], [], [true]]);
      await network.sameTip();
    },
  );

  it('and that spent the same coins elsewhere fails what was confirmed, and leaves settled what was, with an alert', async () => {
    await near.mine();
    await network.sameTip();
    await network.part();
    const all = [await paid(1_000n, 50n), await paid(15_000n), await paid(1_000n)];
    // A wallet signs what it can still see unspent in the chain.
    const elsewhere = await Promise.all(all.map((sent) => near.sign(sent, {}, '0.01')));
    await near.mine(2);
    await reach(all, ['pending', 'confirmed', 'settled']);
    await money.endWindowIn(all[1]!.id, -1);
    for (const transaction of elsewhere) await far.rpc.call('sendrawtransaction', transaction, 0);
    await far.mine(4);
    await network.meet();
    await decidedAs(service, idsOf(all), 'replaced');
    await reach(all, ['pending', 'failed', 'settled']);
    expect(await alerts(all[2]!)).toEqual([false]);
    await money.endWindowIn(all[0]!.id, -1);
    await sweepAll(service);
    expect(await statuses(all)).toEqual(['expired', 'failed', 'settled']);
  });
});
