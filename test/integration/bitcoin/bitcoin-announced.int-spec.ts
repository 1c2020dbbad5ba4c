import { ANYBODYS } from '../../../src/database/by.js';
import { AlertsService } from '../../../src/modules/alerts/alerts.service.js';
import { CheckoutIntentsService } from '../../../src/modules/intents/checkout/checkout-intents.service.js';
import { IntentsService } from '../../../src/modules/intents/lifecycle/intents.service.js';
import { ReviewsService } from '../../../src/modules/intents/review/reviews.service.js';
import { WebhooksService } from '../../../src/modules/webhooks/webhooks.service.js';
import { testNetwork } from '../../chain/bitcoin-fixture.js';
import { choose } from '../../support/checkout/choose.js';
import { amountOf } from '../../support/intents/amount.js';
import { by } from '../../support/intents/by.js';
import { ORDER } from '../../support/intents/order.js';
import { describeOnNode, TestNode } from '../../support/nodes/litecoind.js';
import { eventually, Receiver } from '../../support/servers/receiver.js';
import { Service } from '../../support/service/service.js';

describeOnNode()('a second payment of an intent that has ended, on a Bitcoin-like network', () => {
  let node: TestNode;
  let service: Service;
  let receiver: Receiver;
  let merchantId: string;

  beforeAll(async () => {
    node = await TestNode.start();
    service = await Service.start({ networks: [testNetwork(node.rpcUrl, { pollIntervalMs: 100 })] });
    receiver = await Receiver.start();
    ({ merchantId } = await service.shop());
    const events = ['payment.money'];
    const { secret } = await service.app
      .get(WebhooksService)
      .createEndpoint({ merchantId, url: receiver.url, events }, by('test'));
    receiver.secret = secret;
  });
  afterAll(async () => {
    await receiver?.stop();
    try {
      await service?.stop();
    } finally {
      await node?.stop();
    }
  });

  async function settled(): Promise<{ id: string; address: string; amount: string }> {
    const intents = service.app.get(IntentsService);
    const { intent } = await intents.create(merchantId, ORDER);
    const [network] = service.config.networks;
    await choose(service, intent.id, network!.id, network!.assets[0]!.symbol);
    const { depositAddress, cryptoAmount } = await intents.get(merchantId, intent.id);
    const paid = { id: intent.id, address: depositAddress ?? '', amount: cryptoAmount ?? '' };
    await node.send({ [paid.address]: paid.amount });
    await node.mine(2);
    await eventually(
      () => intents.get(merchantId, intent.id).then(({ status }) => status),
      (status) => status === 'settled',
    );
    return paid;
  }

  const page = async (id: string) => (await service.app.get(CheckoutIntentsService).find(id))!;
  const seen = (id: string) =>
    eventually(
      () => page(id).then(({ quote }) => quote!.transfers),
      ({ length }) => length === 2,
    );
  const alertsOf = async (id: string) =>
    (await service.app.get(AlertsService).list({ merchantId, pageSize: 100 })).items.filter(
      ({ subject }) => subject === id,
    );
  const refund = (id: string, amount: string) =>
    service.app
      .get(ReviewsService)
      .refund({ whose: ANYBODYS, id, by: by('ann') }, { note: 'sent back', refund: { amount, txid: null } });

  it('is no money to anybody in the mempool, and is announced, refundable and booked at its depth', async () => {
    const { id, address, amount } = await settled();
    await node.send({ [address]: amount });
    expect((await seen(id)).map(({ final }) => final)).toEqual([true, false]);
    expect(await page(id)).toMatchObject({
      refunds: null,
      quote: { received: amountOf(amount), excess: null },
    });
    expect(await alertsOf(id)).toEqual([]);
    await expect(refund(id, amount)).rejects.toThrow('no final money');
    await node.mine(2);
    await eventually(
      () => receiver.eventsOf(id),
      ({ length }) => length === 1,
    );
    expect(receiver.eventsOf(id)).toMatchObject([
      { type: 'payment.money', sequence: 1, data: { money: { reason: 'after-settlement', amount } } },
    ]);
    expect(await alertsOf(id)).toMatchObject([{ kind: 'review-entry', resolvedAt: null }]);
    expect((await page(id)).refunds).toMatchObject({ open: true });
    await expect(refund(id, '1')).rejects.toThrow('No more than');
    await refund(id, amount);
    expect(receiver.refused).toBe(0);
  });

  it('that is spent twice before its depth was never announced', async () => {
    const { id, address, amount } = await settled();
    const sent = await node.send({ [address]: amount });
    await seen(id);
    await node.spend(sent, {}, '0.01');
    await node.mine(3);
    const transfers = await eventually(
      () => page(id).then(({ quote }) => quote!.transfers),
      ({ length }) => length === 1,
    );
    expect(transfers).toMatchObject([{ final: true }]);
    expect(await alertsOf(id)).toEqual([]);
    expect(receiver.eventsOf(id)).toEqual([]);
  });
});
