import { DataSource } from 'typeorm';
import { type Address, type Hex, parseUnits } from 'viem';
import { AlertsService } from '../../../../src/modules/alerts/alerts.service.js';
import { IntentsService } from '../../../../src/modules/intents/lifecycle/intents.service.js';
import { BUYER, ERC20 } from '../../../chain/chains-fixture.js';
import { choose } from '../../../support/checkout/choose.js';
import { decidedAs } from '../../../support/intents/decided.js';
import { ORDER } from '../../../support/intents/order.js';
import { reorganise, startTestAnvil, type TestAnvil } from '../../../support/nodes/anvil.js';
import { eventually } from '../../../support/servers/receiver.js';
import { Service, type Shop } from '../../../support/service/service.js';

const DEPTHS = Array.from({ length: 12 }, (_, i) => i + 1);

/** Settled one block deep, up to CHF 100; above that, not within these tests. */
describe('through the service, a reorganisation', () => {
  let anvil: TestAnvil;
  let service: Service;
  let shop: Shop;

  beforeAll(async () => {
    anvil = await startTestAnvil();
    const network = { pollIntervalMs: 100, settlementDepths: [1, 100, 100, 100] as const };
    await anvil.testClient.mine({ blocks: 20 });
    service = await Service.start({ chain: anvil, network });
    shop = await service.shop();
  });
  afterAll(async () => {
    try {
      await service?.stop();
    } finally {
      await anvil?.stop();
    }
  });

  const statuses = (ids: readonly string[]) =>
    Promise.all(
      ids.map(async (id) => (await service.app.get(IntentsService).get(shop.merchantId, id)).status),
    );

  const reach = (ids: readonly string[], wanted: readonly string[]) =>
    eventually(
      () => statuses(ids),
      (seen) => seen.join() === wanted.join(),
    );

  /** A picked intent, and the transaction that pays so much of it. */
  async function paid(amountMinor: bigint, percent: bigint): Promise<{ id: string; txid: Hex }> {
    const request = { ...ORDER, amountMinor };
    const intents = service.app.get(IntentsService);
    const { intent } = await intents.create(shop.merchantId, request);
    await choose(service, intent.id, 'ethereum', 'USDC');
    const { depositAddress, cryptoAmount } = await intents.get(shop.merchantId, intent.id);
    const value = (parseUnits(cryptoAmount!, 6) * percent) / 100n;
    const txid = await anvil.testClient.writeContract({
      account: BUYER,
      address: anvil.tokens.USDC.address,
      abi: ERC20,
      functionName: 'transfer',
      args: [depositAddress as Address, value] as const,
    });
    return { id: intent.id, txid };
  }

  /** Whether each alert about a settlement without its money is over. */
  async function alerts(id: string): Promise<boolean[]> {
    const { items } = await service.app
      .get(AlertsService)
      .list({ merchantId: shop.merchantId, pageSize: 100 });
    return items
      .filter(({ kind, subject }) => kind === 'reorganised-after-settlement' && subject === id)
      .map(({ resolvedAt }) => resolvedAt !== null);
  }

  const settlements = (id: string) =>
    service.app.get(DataSource).query<unknown[]>('SELECT * FROM settlement WHERE intent_id = $1', [id]);

  it.each(DEPTHS)(
    'of %s blocks moves no status back: neither before confirmed, nor after it, nor after settled',
    async (depth) => {
      const all = [await paid(1_000n, 50n), await paid(15_000n, 100n), await paid(1_000n, 100n)];
      const ids = all.map(({ id }) => id);
      await anvil.testClient.mine({ blocks: depth });
      const reached = ['pending', 'confirmed', 'settled'];
      await reach(ids, reached);
      const record = await settlements(ids[2]!);
      const raw = await Promise.all(
        all.map(({ txid }) =>
          anvil.testClient.request({ method: 'eth_getRawTransactionByHash', params: [txid] } as never),
        ),
      );
      await reorganise(anvil.testClient, depth);
      await decidedAs(service, ids, 'orphaned');
      expect(await statuses(ids)).toEqual(reached);
      expect(await Promise.all(ids.map(alerts))).toEqual([[], [], [false]]);
      // Found again in the last of the new blocks: of the second a settlement depth is still missing.
      await reorganise(
        anvil.testClient,
        1,
        raw.map((transaction) => [transaction, 0] as const),
      );
      await decidedAs(service, ids, 'included');
      expect(await statuses(ids)).toEqual(reached);
      expect(await Promise.all(ids.map(alerts))).toEqual([[], [], [true]]);
      expect(await settlements(ids[2]!)).toEqual(record);
      expect(record).toHaveLength(1);
      expect(await settlements(ids[1]!)).toEqual([]);
    },
  );

  it('goes on counting the blocks of what the chain calls final already', async () => {
    const { id } = await paid(15_000n, 100n);
    await anvil.testClient.mine({ blocks: 80 }); // final on this chain, and not 100 deep
    await reach([id], ['confirmed']);
    await decidedAs(service, [id], 'included');
    await anvil.testClient.mine({ blocks: 30 });
    await reach([id], ['settled']);
  });
});
