import { type Address, type Hex, parseEther } from 'viem';
import type { TransferState } from '../../../../src/modules/chains/chains.types.js';
import { IntentsService } from '../../../../src/modules/intents/lifecycle/intents.service.js';
import { MerchantsService } from '../../../../src/modules/merchants/merchants.service.js';
import { BUYER } from '../../../chain/chains-fixture.js';
import { by } from '../../../support/intents/by.js';
import { decidedAs, watchedUpTo } from '../../../support/intents/decided.js';
import { Money } from '../../../support/intents/money.js';
import { reorganise, startTestAnvil, type TestAnvil } from '../../../support/nodes/anvil.js';
import { eventually } from '../../../support/servers/receiver.js';
import { Service } from '../../../support/service/service.js';

const DEPTH = 3;

interface Paid {
  readonly id: string;
  readonly raw: Hex;
  /** Uses up the same nonce, and pays somebody else. */
  readonly other: unknown;
}

describe('where a merchant confirms three blocks deep on an EVM chain', () => {
  let anvil: TestAnvil;
  let service: Service;
  let money: Money;
  let merchantId: string;

  beforeAll(async () => {
    anvil = await startTestAnvil();
    await anvil.testClient.mine({ blocks: 20 });
    service = await Service.start({ chain: anvil, network: { pollIntervalMs: 100 } });
    money = new Money(service);
    ({ merchantId } = await service.shop());
    const terms = { assets: {}, confirmationDepth: DEPTH, settlementDepths: [6, 6, 6, 6] };
    const networkTerms = { ethereum: terms };
    await service.app.get(MerchantsService).set(merchantId, { networkTerms }, by('test'));
  });
  afterAll(async () => {
    try {
      await service?.stop();
    } finally {
      await anvil?.stop();
    }
  });

  /** A payment in the last block that completes its intent, whose window is over. */
  async function paid(): Promise<Paid> {
    const id = await money.picked(merchantId, 'ethereum', 'ETH');
    const { depositAddress, cryptoAmount } = await service.app.get(IntentsService).get(merchantId, id);
    const nonce = await anvil.testClient.getTransactionCount({ address: BUYER });
    const hash = await anvil.testClient.sendTransaction({
      account: BUYER,
      to: depositAddress as Address,
      value: parseEther(cryptoAmount!),
    });
    await anvil.testClient.mine({ blocks: 1 });
    await eventually(
      () => money.status(id),
      (status) => status === 'pending',
    );
    await money.endWindowIn(id, -1);
    const raw = await anvil.testClient.request<{ Parameters: [Hex]; ReturnType: Hex; Method: string }>({
      method: 'eth_getRawTransactionByHash',
      params: [hash],
    });
    const other = { from: BUYER, to: BUYER, value: '0x5', nonce: `0x${nonce.toString(16)}` };
    return { id, raw, other };
  }

  /** What the intent is once the watcher stands at the tip and all that it found has been decided. */
  async function decided(id: string, state: TransferState): Promise<string> {
    const { hash } = await anvil.testClient.getBlock();
    await watchedUpTo(service, hash);
    await decidedAs(service, [id], state);
    return money.status(id);
  }

  it('a block with another transaction of the nonce fails nothing, and what is mined after all settles', async () => {
    const { id, raw, other } = await paid();
    await reorganise(anvil.testClient, 1, [[other, 0]]);
    expect(await decided(id, 'orphaned')).toBe('pending');
    await anvil.testClient.mine({ blocks: DEPTH - 2 });
    expect(await decided(id, 'orphaned')).toBe('pending');
    await reorganise(anvil.testClient, DEPTH - 1, [[raw, 0]]);
    expect(await decided(id, 'included')).toBe('pending');
    await anvil.testClient.mine({ blocks: 8 });
    expect(await decided(id, 'included')).toBe('settled');
  });

  it('three blocks on another transaction of the nonce fail the payment', async () => {
    const { id, other } = await paid();
    await reorganise(anvil.testClient, 1, [[other, 0]]);
    await anvil.testClient.mine({ blocks: DEPTH - 2 });
    expect(await decided(id, 'orphaned')).toBe('pending');
    await anvil.testClient.mine({ blocks: 1 });
    expect(await decided(id, 'replaced')).toBe('failed');
  });
});
