import type { TransferState } from '../../../src/modules/chains/chains.types.js';
import { IntentsService } from '../../../src/modules/intents/lifecycle/intents.service.js';
import { MerchantsService } from '../../../src/modules/merchants/merchants.service.js';
import { testNetwork } from '../../chain/bitcoin-fixture.js';
import { by } from '../../support/intents/by.js';
import { decidedAs, watchedUpTo } from '../../support/intents/decided.js';
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
  async function decided({ id }: Paid, state: TransferState): Promise<string> {
    await watchedUpTo(service, await node.rpc.call('getbestblockhash'));
    await decidedAs(service, [id], state);
    return money.status(id);
  }

  it('a block with a double spend fails nothing, and what is mined after all settles', async () => {
    const payment = await paid();
    const hash = await mineInstead(payment);
    expect(await decided(payment, 'orphaned')).toBe('pending');
    await node.mine(DEPTH - 2);
    expect(await decided(payment, 'orphaned')).toBe('pending');
    await node.rpc.call('invalidateblock', hash);
    await mineOnly(payment.raw);
    await node.mine(7);
    expect(await decided(payment, 'included')).toBe('settled');
  });

  it('three blocks on a double spend fail the payment', async () => {
    const payment = await paid();
    await mineInstead(payment);
    await node.mine(DEPTH - 2);
    expect(await decided(payment, 'orphaned')).toBe('pending');
    await node.mine();
    expect(await decided(payment, 'replaced')).toBe('failed');
  });
});
