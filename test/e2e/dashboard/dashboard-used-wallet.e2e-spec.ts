import { mnemonicToAccount } from 'viem/accounts';
import { AuditLog } from '../../../src/modules/accounts/audit/audit-log.service.js';
import { MerchantsService } from '../../../src/modules/merchants/merchants.service.js';
import { Staff } from '../../support/dashboard/staff.js';
import { by } from '../../support/intents/by.js';
import { startTestAnvil, type TestAnvil } from '../../support/nodes/anvil.js';
import { Service } from '../../support/service/service.js';

const WALLETS = '/dashboard/settings/wallets';
/** Its first ten addresses hold anvil's coins: somebody's wallet. */
const USED = mnemonicToAccount('test test test test test test test test test test test junk', {
  path: "m/44'/60'/0'",
}).getHdKey().publicExtendedKey;

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

it('shows which indexes of a key were used before it is saved, begins behind them, and says so in the audit log', async () => {
  const { id: merchantId } = await service.app
    .get(MerchantsService)
    .create({ name: 'A Shop' }, 'approved', by('test'));
  const owner = await Staff.of(service, { merchantId, role: 'owner' });
  const found = 'The last used index is 9 (on Ethereum)';
  const preview = await owner.post(`${WALLETS}/new`, { network: 'ethereum', xpub: USED });
  expect(preview.status).toBe(200);
  expect(preview.html).toContain(found);
  expect(preview.html).not.toContain('Not everything could be asked');
  const saved = await owner.post(WALLETS, { network: 'ethereum', xpub: USED });
  expect([saved.status, saved.location]).toEqual([303, WALLETS]);
  expect((await owner.get(WALLETS)).html).toContain('index 10');
  const [entry] = await service.app.get(AuditLog).list(merchantId, 10);
  expect(entry).toMatchObject({ action: 'wallet.set', detail: { nextIndex: 10 } });
  expect(entry!.detail['searched']).toContain(found);
  for (const page of [WALLETS, `${WALLETS}/skip`])
    expect((await owner.get(page)).html).toContain('<code>rappen wallet recover</code>');
});
