import type { Address } from 'viem';
import { depositSalt, forwarderAddress } from '../../../src/modules/chains/domain/forwarder-address.js';
import { DestinationsService } from '../../../src/modules/chains/wallets/destinations.service.js';
import { OwnAddressesService } from '../../../src/modules/chains/wallets/own-addresses.service.js';
import { BuyerActionsService } from '../../../src/modules/intents/checkout/buyer-actions.service.js';
import { CheckoutIntentsService } from '../../../src/modules/intents/checkout/checkout-intents.service.js';
import { IntentsService } from '../../../src/modules/intents/lifecycle/intents.service.js';
import { by } from '../../support/intents/by.js';
import { startTestAnvil, type TestAnvil } from '../../support/nodes/anvil.js';
import { eventually } from '../../support/servers/receiver.js';
import { Service } from '../../support/service/service.js';

const SAFE: Address = `0x${'5afe'.repeat(10)}`;

let anvil: TestAnvil;
let service: Service;
beforeAll(async () => {
  anvil = await startTestAnvil({ blockTimeS: 1 });
  service = await Service.start({ chain: anvil });
});
afterAll(async () => {
  await service?.stop();
  await anvil?.stop();
});

it('a way to pay whose only address somebody has named says so, for that payment alone', async () => {
  const { merchantId } = await service.shop();
  const wallet = { merchantId, network: 'ethereum', address: SAFE };
  await service.app.get(DestinationsService).set(wallet, by('test'));
  const create = async () => {
    const wanted = {
      amountMinor: 1000n,
      currency: 'CHF',
      title: null,
      idempotencyKey: null,
      returnUrl: null,
    } as const;
    return (await service.app.get(IntentsService).create(merchantId, wanted)).intent.id;
  };
  const [id, other] = [await create(), await create()];
  const named = forwarderAddress(SAFE, depositSalt({ subject: id, network: 'ethereum', asset: 'USDC' }));
  const { merchantId: stranger } = await service.shop();
  await service.app
    .get(OwnAddressesService)
    .add({ ...wallet, merchantId: stranger, address: named }, by('test'));

  const offered = async (of: string) => {
    const intent = await service.app.get(CheckoutIntentsService).find(of);
    return Object.fromEntries(intent!.options.map(({ asset, closed }) => [asset, closed]));
  };
  const open = { ETH: null, USDC: null, USDT: null };
  await eventually(
    () => offered(other),
    ({ ETH, USDC }) => ETH === null && USDC === null,
  );
  expect(await offered(other)).toEqual(open);
  expect(await offered(id)).toEqual({ ...open, USDC: 'address_named' });
  const pick = (of: string, asset: string) =>
    service.app.get(BuyerActionsService).pick(of, 'ethereum', asset);
  expect([await pick(id, 'USDC'), await pick(id, 'USDT'), await pick(other, 'USDC')]).toEqual([
    'option-closed',
    'picked',
    'picked',
  ]);
});
