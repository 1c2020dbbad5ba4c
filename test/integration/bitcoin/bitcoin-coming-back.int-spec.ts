import { DataSource } from 'typeorm';
import { IntentsService } from '../../../src/modules/intents/lifecycle/intents.service.js';
import { PaymentDetailsService } from '../../../src/modules/intents/reporting/payment-details.service.js';
import { testNetwork } from '../../chain/bitcoin-fixture.js';
import { choose } from '../../support/checkout/choose.js';
import { Money } from '../../support/intents/money.js';
import { describeOnNode, TestNode } from '../../support/nodes/litecoind.js';
import { eventually } from '../../support/servers/receiver.js';
import { Service } from '../../support/service/service.js';

// A buyer who was short in time, and lets what was replaced come back beside what has taken its place.

interface Coin {
  readonly txid: string;
  readonly vout: number;
  readonly amount: number;
}

describeOnNode('own-nodes')('a merchant who takes what is short by five percent', () => {
  let node: TestNode;
  let service: Service;
  let money: Money;
  let merchantId: string;
  let coins: readonly [Coin, Coin];
  let id: string;
  let address: string;
  let price: number;

  beforeAll(async () => {
    node = await TestNode.start({ own: true });
    service = await Service.start({ networks: [testNetwork(node.rpcUrl, { pollIntervalMs: 100 })] });
    money = new Money(service);
    ({ merchantId } = await service.shop());
    await query('UPDATE merchant SET accept_short_bps = 500 WHERE id = $1', [merchantId]);
  });
  afterAll(async () => {
    try {
      await service?.stop();
    } finally {
      await node?.stop();
    }
  });

  beforeEach(async () => {
    const intents = service.app.get(IntentsService);
    const wanted = { amountMinor: 4_990n, currency: 'CHF', title: null } as const;
    const { intent } = await intents.create(merchantId, { ...wanted, idempotencyKey: null, returnUrl: null });
    const { id: network, assets } = service.config.networks[0]!;
    await choose(service, intent.id, network, assets[0]!.symbol);
    const picked = await intents.get(merchantId, intent.id);
    [id, address, price] = [intent.id, picked.depositAddress ?? '', Number(picked.cryptoAmount)];
    const unspent = await node.wallet.call<Coin[]>('listunspent', 1);
    const [x, y] = unspent.sort((a, b) => b.amount - a.amount);
    coins = [x!, y!];
  });

  const query = <Row>(text: string, values: unknown[]): Promise<Row[]> =>
    service.app.get(DataSource).query(text, values);

  /** Of these coins to the deposit address, as a share of the price; the rest goes back. */
  async function sign(from: readonly Coin[], share: number, fee: number): Promise<string> {
    const total = from.reduce((sum, { amount }) => sum + amount, 0);
    const pays = share * price;
    const outputs = {
      [address]: pays.toFixed(8),
      [await node.newAddress()]: (total - pays - fee).toFixed(8),
    };
    const inputs = from.map(({ txid, vout }) => ({ txid, vout, sequence: 0xfffffffd }));
    const raw = await node.wallet.call<string>('createrawtransaction', inputs, outputs);
    return (await node.wallet.call<{ hex: string }>('signrawtransactionwithwallet', raw)).hex;
  }

  /** @returns when the service has it in the mempool */
  async function send(hex: string): Promise<void> {
    const txid = await node.rpc.call<string>('sendrawtransaction', hex, 0);
    const details = service.app.get(PaymentDetailsService);
    await eventually(
      async () => (await details.get(merchantId, id)).transfers,
      (all) => all.some((transfer) => transfer.txid === txid && transfer.state === 'mempool'),
    );
  }

  async function endOfWindow(): Promise<void> {
    await money.endWindowIn(id, -1);
    await eventually(
      () => money.status(id),
      (status) => status === 'expired',
    );
  }

  /** What has become of the intent once its money is final: settled by it, or told of it. */
  async function outcome(): Promise<{ status: string; told: number }> {
    await node.mine(6);
    const look = async () => {
      const [row] = await query<{ told: number }>(
        'SELECT count(*)::int AS told FROM unsettled_money WHERE intent_id = $1',
        [id],
      );
      return { status: await money.status(id), told: row!.told };
    };
    return eventually(look, ({ status, told }) => status === 'settled' || told > 0);
  }

  it('asks a person where only 80 % came in time, and one half is sent again beside the heir of both', async () => {
    const [one, two] = [await sign([coins[0]], 0.4, 0.001), await sign([coins[1]], 0.4, 0.001)];
    await send(one);
    await send(two);
    await endOfWindow();
    await send(await sign(coins, 0.8, 0.01));
    await send(await sign([coins[1]], 0.56, 0.05));
    await send(one);
    expect(await outcome()).toEqual({ status: 'expired', told: 2 });
  });

  it('asks a person where dust came in time, and was made to grow by replacements that come and go', async () => {
    const hexes = [await sign([coins[0]], 0.01, 0.001), await sign([coins[1]], 0.01, 0.001)];
    for (const hex of hexes) await send(hex);
    await endOfWindow();
    const live = [0.01, 0.01];
    let fee = 0.002;
    for (let round = 0; live[0]! + live[1]! < 0.95; round += 1) {
      const grown = (round + 1) % 2;
      const kept = 1 - grown;
      const total = live[0]! + live[1]!;
      live[grown] = Math.min(total, 0.985 - live[kept]!);
      fee = fee * 1.6 + 0.0005;
      await send(await sign(coins, total, fee));
      fee = fee * 1.05 + 0.0005;
      hexes[grown] = await sign([coins[grown]!], live[grown], fee);
      await send(hexes[grown]);
      await send(hexes[kept]!);
    }
    expect(await outcome()).toEqual({ status: 'expired', told: 2 });
  });

  it('takes what is replaced by as much after the end', async () => {
    await send(await sign([coins[0]], 0.96, 0.001));
    await endOfWindow();
    await send(await sign([coins[0]], 0.96, 0.01));
    expect(await outcome()).toEqual({ status: 'settled', told: 0 });
  });

  it('asks a person where nobody mined it for ten days', async () => {
    await send(await sign([coins[0]], 0.96, 0.001));
    await endOfWindow();
    const before = `interval '10 days'`;
    await query(
      `UPDATE intent SET created_at = created_at - ${before}, expires_at = expires_at - ${before} WHERE id = $1`,
      [id],
    );
    await query(`UPDATE transfer SET first_seen_at = first_seen_at - ${before} WHERE subject = $1`, [id]);
    expect(await outcome()).toEqual({ status: 'expired', told: 1 });
  });
});
