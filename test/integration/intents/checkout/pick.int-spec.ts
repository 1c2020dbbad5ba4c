import { BuyerActionsService } from '../../../../src/modules/intents/checkout/buyer-actions.service.js';
import { IntentsService } from '../../../../src/modules/intents/lifecycle/intents.service.js';
import { choose } from '../../../support/checkout/choose.js';
import { ORDER } from '../../../support/intents/order.js';
import { startTestAnvil, type TestAnvil } from '../../../support/nodes/anvil.js';
import { Service } from '../../../support/service/service.js';

let anvil: TestAnvil;
let service: Service;
let merchantId: string;

beforeAll(async () => {
  anvil = await startTestAnvil({ blockTimeS: 1 });
  // Two connections: whoever waits for a lock with one must not be waited for with the other.
  service = await Service.start({ chain: anvil, env: { DATABASE_POOL_SIZE: '2' } });
  ({ merchantId } = await service.shop());
  // Offered from here on: right after a start an option is closed.
  for (const asset of ['USDC', 'ETH']) await choose(service, await create(), 'ethereum', asset);
});
afterAll(async () => {
  await service.stop();
  await anvil.stop();
});

async function create(): Promise<string> {
  return (await service.app.get(IntentsService).create(merchantId, ORDER)).intent.id;
}

it('makes one quote of twenty picks at once, on a pool of two connections', async () => {
  const checkout = service.app.get(BuyerActionsService);
  const id = await create();
  const picks = Array.from({ length: 20 }, () => checkout.pick(id, 'ethereum', 'USDC'));
  expect(new Set(await Promise.all(picks))).toEqual(new Set(['picked']));
  expect((await service.app.get(IntentsService).get(merchantId, id)).depositAddress).toMatch(/^0x/);
});

it('gives back the same address when an asset is picked again after another', async () => {
  const checkout = service.app.get(BuyerActionsService);
  const intents = service.app.get(IntentsService);
  const id = await create();
  await checkout.pick(id, 'ethereum', 'USDC');
  const first = await intents.get(merchantId, id);
  await checkout.pick(id, 'ethereum', 'ETH');
  const second = await intents.get(merchantId, id);
  expect(second).toMatchObject({ assetSymbol: 'ETH' });
  expect(second.depositAddress).not.toBe(first.depositAddress);
  await checkout.pick(id, 'ethereum', 'USDC');
  expect(await intents.get(merchantId, id)).toEqual(first);
});

it('refuses an asset that is not offered and changes nothing', async () => {
  const id = await create();
  expect(await service.app.get(BuyerActionsService).pick(id, 'ethereum', 'DOGE')).toBe('option-closed');
  expect(await service.app.get(IntentsService).get(merchantId, id)).toMatchObject({ assetSymbol: null });
});
