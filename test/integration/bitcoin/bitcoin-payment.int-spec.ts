import { CheckoutIntentsService } from '../../../src/modules/intents/checkout/checkout-intents.service.js';
import { IntentsService } from '../../../src/modules/intents/lifecycle/intents.service.js';
import { WebhooksService } from '../../../src/modules/webhooks/webhooks.service.js';
import { testNetwork } from '../../chain/bitcoin-fixture.js';
import { choose } from '../../support/checkout/choose.js';
import { by } from '../../support/intents/by.js';
import { ORDER } from '../../support/intents/order.js';
import { describeOnNode, TestNode } from '../../support/nodes/litecoind.js';
import { eventually, Receiver } from '../../support/servers/receiver.js';
import { Service, type Shop } from '../../support/service/service.js';

describeOnNode()('a payment on a Bitcoin-like network', () => {
  let node: TestNode;
  let service: Service;
  let receiver: Receiver;
  let shop: Shop;
  let intents: IntentsService;

  beforeAll(async () => {
    node = await TestNode.start();
    service = await Service.start({ networks: [testNetwork(node.rpcUrl, { pollIntervalMs: 100 })] });
    receiver = await Receiver.start();
    shop = await service.shop();
    intents = service.app.get(IntentsService);
    const { merchantId } = shop;
    const hook = await service.app
      .get(WebhooksService)
      .createEndpoint({ merchantId, url: receiver.url }, by('test'));
    receiver.secret = hook.secret;
  });
  afterAll(async () => {
    await receiver?.stop();
    try {
      await service?.stop();
    } finally {
      await node?.stop();
    }
  });

  async function picked(amountMinor: bigint): Promise<{ id: string; address: string; amount: string }> {
    const request = { ...ORDER, amountMinor };
    const { intent } = await intents.create(shop.merchantId, request);
    const [network] = service.config.networks;
    const { id, assets } = network!;
    await choose(service, intent.id, id, assets[0]!.symbol);
    const { depositAddress, cryptoAmount } = await intents.get(shop.merchantId, intent.id);
    return { id: intent.id, address: depositAddress ?? '', amount: cryptoAmount ?? '' };
  }

  const reaches = (id: string, status: string) =>
    eventually(
      () => intents.get(shop.merchantId, id).then((intent) => intent.status),
      (seen) => seen === status,
    );

  it('is pending while it waits for a block, confirmed in one, settled at its depth, with an event each', async () => {
    const { id, address, amount } = await picked(4_990n);
    await node.send({ [address]: amount });
    await reaches(id, 'pending');
    await node.mine();
    await reaches(id, 'confirmed');
    await node.mine();
    await reaches(id, 'settled');
    const events = await eventually(
      () => receiver.eventsOf(id),
      (seen) => seen.length === 4,
    );
    expect(events.map(({ data }) => data.intent.status)).toEqual([
      'initiated',
      'pending',
      'confirmed',
      'settled',
    ]);
    expect(events[1]?.data.payment).toMatchObject({ received: amount, missing: '0.00000000' });
    expect(events[1]?.data.payment?.transfers).toMatchObject([{ amount, confirmations: 0 }]);
    expect(events[3]?.data.payment?.transfers).toMatchObject([{ amount, confirmations: 2 }]);
  });

  it('waits for more blocks the more it is worth', async () => {
    const { id, address, amount } = await picked(20_000n);
    await node.send({ [address]: amount });
    await node.mine(2);
    await reaches(id, 'confirmed');
    await node.mine();
    await reaches(id, 'settled');
  });

  it('of a batch settles every intent that it pays', async () => {
    const all = [await picked(1_000n), await picked(2_000n), await picked(3_000n)];
    await node.send(Object.fromEntries(all.map(({ address, amount }) => [address, amount])));
    await Promise.all(all.map(({ id }) => reaches(id, 'pending')));
    await node.mine(2);
    await Promise.all(all.map(({ id }) => reaches(id, 'settled')));
  });

  it('that is spent twice leaves its intent pending, to be paid again', async () => {
    const { id, address, amount } = await picked(1_000n);
    const sent = await node.send({ [address]: amount });
    await reaches(id, 'pending');
    await node.spend(sent, {}, '0.01');
    await node.mine();
    const checkout = service.app.get(CheckoutIntentsService);
    const received = async () => (await checkout.find(id))?.quote?.received;
    await eventually(received, (seen) => seen?.atoms === 0n);
    expect((await intents.get(shop.merchantId, id)).status).toBe('pending');
    await node.send({ [address]: amount });
    await node.mine(2);
    await reaches(id, 'settled');
  });
});
