import { DataSource } from 'typeorm';
import { FactsService } from '../../../src/modules/chains/facts.service.js';
import { IntentsService } from '../../../src/modules/intents/lifecycle/intents.service.js';
import { MerchantsService } from '../../../src/modules/merchants/merchants.service.js';
import { testNetwork } from '../../chain/bitcoin-fixture.js';
import { by } from '../../support/intents/by.js';
import { Money } from '../../support/intents/money.js';
import { describeOnNode, type Sent, TestNode } from '../../support/nodes/litecoind.js';
import { eventually } from '../../support/servers/receiver.js';
import { Service } from '../../support/service/service.js';

const DEPTH = 3;

interface Paid extends Sent {
  readonly id: string;
  readonly raw: string;
}

describeOnNode('own-nodes')('where a merchant confirms three blocks deep', () => {
  let node: TestNode;
  let service: Service;
  let money: Money;
  let merchantId: string;

  beforeAll(async () => {
    node = await TestNode.start({ own: true });
    service = await Service.start({ networks: [testNetwork(node.rpcUrl, { pollIntervalMs: 100 })] });
    money = new Money(service);
    ({ merchantId } = await service.shop());
    const terms = { assets: {}, confirmationDepth: DEPTH, settlementDepths: [6, 6, 6, 6] };
    const networkTerms = { [service.config.networks[0]!.id]: terms } as const;
    await service.app.get(MerchantsService).set(merchantId, { networkTerms }, by('test'));
  });
  afterAll(async () => {
    try {
      await service?.stop();
    } finally {
      await node?.stop();
    }
  });

  /** A payment in the mempool that completes its intent, whose window is over. */
  async function paid(): Promise<Paid> {
    const { id: network, assets } = service.config.networks[0]!;
    const id = await money.picked(merchantId, network, assets[0]!.symbol);
    const { depositAddress, cryptoAmount } = await service.app.get(IntentsService).get(merchantId, id);
    const sent = await node.send({ [depositAddress!]: cryptoAmount! });
    const raw = await node.rpc.call<string>('getrawtransaction', sent.txid);
    await eventually(
      () => money.status(id),
      (status) => status === 'pending',
    );
    await money.endWindowIn(id, -1);
    return { ...sent, id, raw };
  }

  /** A block of a miner who may have other transactions than we know. @returns its hash */
  async function mineOnly(raw: string): Promise<string> {
    const miner = await node.newAddress();
    const { hash } = await node.rpc.call<{ hash: string }>('generateblock', miner, [raw]);
    return hash;
  }

  const mineInstead = async (of: Paid) => mineOnly(await node.sign(of, {}, '0.01'));

  /** What the intent is once the watcher stands at the node's tip and all that it found has been decided. */
  async function decided({ id }: Paid): Promise<string> {
    const hash = await node.rpc.call('getbestblockhash');
    const dataSource = service.app.get(DataSource);
    await eventually(
      async () => {
        const [row] = await dataSource.query<[{ hash: string; open: number }]>(
          `SELECT hash, (SELECT count(*)::int FROM fact_change WHERE subject = $1) AS open FROM chain_cursor`,
          [id],
        );
        return row;
      },
      (row) => row.hash === hash && row.open === 0,
    );
    return money.status(id);
  }

  const states = async ({ id }: Paid) =>
    (await service.app.get(FactsService).of(service.app.get(DataSource), id)).transfers.map(
      ({ state }) => state,
    );

  it('a block with a double spend fails nothing, and what is mined after all settles', async () => {
    const payment = await paid();
    const hash = await mineInstead(payment);
    expect([await decided(payment), await states(payment)]).toEqual(['pending', ['orphaned']]);
    await node.mine(DEPTH - 2);
    expect([await decided(payment), await states(payment)]).toEqual(['pending', ['orphaned']]);
    await node.rpc.call('invalidateblock', hash);
    await mineOnly(payment.raw);
    await node.mine(7);
    expect(await decided(payment)).toBe('settled');
  });

  it('three blocks on a double spend fail the payment', async () => {
    const payment = await paid();
    await mineInstead(payment);
    await node.mine(DEPTH - 2);
    expect(await decided(payment)).toBe('pending');
    await node.mine();
    expect([await decided(payment), await states(payment)]).toEqual(['failed', ['replaced']]);
  });
});
