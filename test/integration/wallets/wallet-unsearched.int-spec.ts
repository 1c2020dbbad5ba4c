import { DataSource } from 'typeorm';
import { type Address, parseEther } from 'viem';
import { deriveAddress } from '../../../src/modules/chains/domain/addresses/derive-address.js';
import { BuyerActionsService } from '../../../src/modules/intents/checkout/buyer-actions.service.js';
import { CheckoutIntentsService } from '../../../src/modules/intents/checkout/checkout-intents.service.js';
import { IntentsService } from '../../../src/modules/intents/lifecycle/intents.service.js';
import { MerchantsService } from '../../../src/modules/merchants/merchants.service.js';
import { anvilAccount } from '../../../src/modules/sandbox/local/evm/tokens.js';
import { HostileNode } from '../../chain/hostile/hostile-node.js';
import { Staff } from '../../support/dashboard/staff.js';
import { by } from '../../support/intents/by.js';
import { startTestAnvil, type TestAnvil } from '../../support/nodes/anvil.js';
import { xpubOf } from '../../support/nodes/wallet.js';
import { eventually } from '../../support/servers/receiver.js';
import { Service } from '../../support/service/service.js';

const WALLETS = '/dashboard/settings/wallets';

let anvil: TestAnvil;
let proxy: HostileNode;
let service: Service;

beforeAll(async () => {
  anvil = await startTestAnvil({ blockTimeS: 1 });
  proxy = await HostileNode.start(anvil.rpcUrl);
  service = await Service.start({ chain: { rpcUrl: proxy.url, tokens: anvil.tokens } });
});
afterAll(async () => {
  await service?.stop();
  await proxy?.stop();
  await anvil?.stop();
});

async function pick(merchantId: string) {
  const wanted = { amountMinor: 1000n, currency: 'CHF', title: null } as const;
  const { intent } = await service.app
    .get(IntentsService)
    .create(merchantId, { ...wanted, idempotencyKey: null, returnUrl: null });
  const outcome = await service.app.get(BuyerActionsService).pick(intent.id, 'ethereum', 'ETH');
  return { id: intent.id, outcome };
}

async function ether(id: string) {
  const shown = await service.app.get(CheckoutIntentsService).find(id);
  return shown!.options.find(({ asset }) => asset === 'ETH')!;
}

it('gives no buyer an address of a key whose node was away when it was set, until the node has told which were used', async () => {
  const { id: merchantId } = await service.app
    .get(MerchantsService)
    .create({ name: 'A Shop' }, 'approved', by('test'));
  const owner = await Staff.of(service, { merchantId, role: 'owner' });
  const xpub = xpubOf(merchantId);
  const used = deriveAddress({ family: 'evm' }, xpub, 4).address as Address;
  const hash = await anvil.testClient.sendTransaction({
    account: anvilAccount(5).address,
    to: used,
    value: parseEther('1'),
  });
  await anvil.testClient.waitForTransactionReceipt({ hash });

  proxy.plan([{ fault: { kind: 'cut' } }]);
  const saved = await owner.post(WALLETS, { network: 'ethereum', xpub });
  expect([saved.status, saved.location]).toEqual([303, WALLETS]);
  const { id, outcome } = await pick(merchantId);
  expect(outcome).toBe('option-closed');
  expect((await ether(id)).closed).toBe('wallet_unsearched');
  const page = (await owner.get(WALLETS)).html;
  expect(page).toContain('Nobody can pay on Ethereum yet');
  expect(page).toContain('used addresses are being searched: not offered yet');

  proxy.honest();
  await eventually(
    () => ether(id),
    ({ closed }) => closed === null,
  );
  expect((await pick(merchantId)).outcome).toBe('picked');
  const issued = await service.app
    .get(DataSource)
    .query('SELECT derivation_index AS index FROM address WHERE subject LIKE $1', ['pi_%']);
  expect(issued).toEqual([{ index: 5 }]);
  expect((await owner.get(WALLETS)).html).not.toContain('not offered yet');
});
