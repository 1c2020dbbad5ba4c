import { DataSource } from 'typeorm';
import { ANYBODYS } from '../../../src/database/by.js';
import { IntentsService } from '../../../src/modules/intents/lifecycle/intents.service.js';
import { PaymentDetailsService } from '../../../src/modules/intents/reporting/payment-details.service.js';
import { ReviewsService } from '../../../src/modules/intents/review/reviews.service.js';
import { testNetwork } from '../../chain/bitcoin-fixture.js';
import { choose } from '../../support/checkout/choose.js';
import { Money } from '../../support/intents/money.js';
import { coinKeyOf } from '../../support/nodes/coin-key.js';
import { describeOnNode, TestNode } from '../../support/nodes/litecoind.js';
import { eventually } from '../../support/servers/receiver.js';
import { Service } from '../../support/service/service.js';

/** By the rules as every merchant begins with them: money in time that was seen late is accepted. */
describeOnNode('own-nodes')('on a Bitcoin-like network', () => {
  let node: TestNode;
  let service: Service;
  let money: Money;
  let merchantId: string;

  beforeAll(async () => {
    node = await TestNode.start({ own: true });
    service = await Service.start({ networks: [testNetwork(node.rpcUrl, { pollIntervalMs: 100 })] });
    money = new Money(service);
    ({ merchantId } = await service.shop());
  });
  afterAll(async () => {
    try {
      await service?.stop();
    } finally {
      await node?.stop();
    }
  });

  async function picked(): Promise<{ id: string; address: string; amount: string }> {
    const intents = service.app.get(IntentsService);
    const wanted = { amountMinor: 4_990n, currency: 'CHF', title: null } as const;
    const { intent } = await intents.create(merchantId, {
      ...wanted,
      idempotencyKey: null,
      returnUrl: null,
    });
    const { id: network, assets } = service.config.networks[0]!;
    await choose(service, intent.id, network, assets[0]!.symbol);
    const { depositAddress, cryptoAmount } = await intents.get(merchantId, intent.id);
    return { id: intent.id, address: depositAddress ?? '', amount: cryptoAmount ?? '' };
  }

  const reaches = (id: string, status: string) =>
    eventually(
      () => money.status(id),
      (seen) => seen === status,
    );
  const transfersOf = async (id: string) =>
    (await service.app.get(PaymentDetailsService).get(merchantId, id)).transfers;
  const finalOf = async (id: string, txid: string) =>
    eventually(
      () => transfersOf(id),
      (seen) => seen.some((transfer) => transfer.txid === txid && transfer.final),
    );

  it('dust in time that is replaced by the whole amount after the window is late, and no rule takes it', async () => {
    const { id, address, amount } = await picked();
    const dust = await node.send({ [address]: '0.0001' });
    await reaches(id, 'pending');
    await money.endWindowIn(id, -1);
    await reaches(id, 'expired');
    const txid = await node.spend(dust, { [address]: amount }, '0.01');
    await eventually(
      () => transfersOf(id),
      (seen) => seen.some((transfer) => transfer.txid === txid),
    );
    await node.mine(6);
    await finalOf(id, txid);
    const entry = await eventually(
      () => service.app.get(ReviewsService).show(ANYBODYS, id),
      ({ final }) => final,
    );
    expect(entry).toMatchObject({ reason: 'late', missing: { atoms: 0n } });
    expect(await money.walkOf(id)).toEqual(['initiated', 'pending', 'expired']);
  });

  it('what the merchant spends from one issued address to another completes nothing', async () => {
    const [paid, open] = [await picked(), await picked()];
    const { txid } = await node.send({ [paid.address]: paid.amount });
    await node.mine(6);
    await reaches(paid.id, 'settled');
    const { family } = service.config.networks[0]!;
    const { details } = await node.wallet.call<{ details: { address: string; vout: number }[] }>(
      'gettransaction',
      txid,
    );
    const coin = { txid, vout: details.find(({ address }) => address === paid.address)!.vout };
    const rest = (Number(paid.amount) - 0.001).toFixed(8);
    const outputs = { [open.address]: rest };
    const raw = await node.rpc.call<string>('createrawtransaction', [coin], outputs);
    const [{ index }] = await service.app
      .get(DataSource)
      .query<[{ index: number }]>('SELECT derivation_index AS index FROM address WHERE address = $1', [
        paid.address,
      ]);
    const key = coinKeyOf(`${merchantId} ${family}`, index);
    const signed = await node.rpc.call<{ hex: string }>('signrawtransactionwithkey', raw, [key]);
    const moved = await node.rpc.call<string>('sendrawtransaction', signed.hex, 0);
    await eventually(
      () => transfersOf(open.id),
      (seen) => seen.some((transfer) => transfer.txid === moved && transfer.own),
    );
    await node.mine(6);
    await finalOf(open.id, moved);
    expect(await money.walkOf(open.id)).toEqual(['initiated']);
  });

  it('a header from before the end makes nobody punctual whom we saw after it', async () => {
    const { id, address, amount } = await picked();
    const [coin] = await node.wallet.call<{ txid: string; vout: number; amount: number }[]>('listunspent', 1);
    const input = { txid: coin!.txid, vout: coin!.vout };
    const payment = await node.sign(
      { input, inputValue: coin!.amount.toFixed(8) },
      { [address]: amount },
      '0.001',
    );
    // A header is later than the median of those before it, which blocks that were mined at once may have run ahead of time.
    await eventually(
      () => node.rpc.call<{ mediantime: number }>('getblockchaininfo'),
      (chain) => chain.mediantime + 2 < Date.now() / 1000,
    );
    await money.endWindowIn(id, -1);
    await reaches(id, 'expired');
    const miner = await node.newAddress();
    const [{ ends }] = await service.app
      .get(DataSource)
      .query<[{ ends: Date }]>('SELECT expires_at AS ends FROM intent WHERE id = $1', [id]);
    await node.at(ends.getTime() - 2_000, () => node.rpc.call('generateblock', miner, [payment]));
    await node.mine(6);
    const entry = await eventually(
      () =>
        service.app
          .get(ReviewsService)
          .show(ANYBODYS, id)
          .catch(() => null),
      (seen) => seen?.final === true,
    );
    const [times] = await service.app.get(DataSource).query<unknown[]>(
      `SELECT t.block_time < i.expires_at AS "headerInTime", t.observed_at > i.expires_at AS "seenLate"
         FROM transfer t JOIN intent i ON i.id = t.subject WHERE i.id = $1`,
      [id],
    );
    expect(times).toEqual({ headerInTime: true, seenLate: true });
    expect(entry).toMatchObject({ reason: 'late' });
    expect(await money.walkOf(id)).toEqual(['initiated', 'expired']);
  });
});
