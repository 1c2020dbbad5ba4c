import { DataSource } from 'typeorm';
import { AlertsService } from '../../../src/modules/alerts/alerts.service.js';
import { ExtendedKeysService } from '../../../src/modules/chains/wallets/extended-keys.service.js';
import { GapsService } from '../../../src/modules/chains/wallets/gaps.service.js';
import { GAP_ALARM } from '../../../src/modules/chains/wallets/gaps.types.js';
import { WalletsService } from '../../../src/modules/chains/wallets/wallets.service.js';
import { IntentsService } from '../../../src/modules/intents/lifecycle/intents.service.js';
import { GapAlerts } from '../../../src/modules/intents/reporting/gap-alerts.js';
import { Metrics } from '../../../src/platform/observability/metrics.js';
import { choose } from '../../support/checkout/choose.js';
import { Staff } from '../../support/dashboard/staff.js';
import { by } from '../../support/intents/by.js';
import { Money } from '../../support/intents/money.js';
import { SILENT_CHAIN, xpubOf } from '../../support/nodes/wallet.js';
import { Service, type Shop } from '../../support/service/service.js';

// A wallet looks at some addresses behind the last that was paid. Buyers who look and leave use them up.

let service: Service;
let shop: Shop;

beforeAll(async () => {
  service = await Service.start({ chain: SILENT_CHAIN, standsAt: 1_000 });
  shop = await service.shop();
});
afterAll(async () => {
  await service.stop();
});

const picked = async (times: number, { merchantId }: Shop = shop) => {
  const ids: string[] = [];
  for (let i = 0; i < times; i += 1) ids.push(await new Money(service).picked(merchantId));
  return ids;
};
const unused = async ({ merchantId }: Shop = shop) =>
  (await service.app.get(GapsService).of(merchantId)).map((gap) => gap.unused);
const alerts = async ({ merchantId }: Shop = shop) => {
  await service.app.get(GapAlerts).look();
  const { items } = await service.app.get(AlertsService).list({ merchantId, open: true });
  return items.filter(({ kind }) => kind === 'wallet-gap');
};
/** What Prometheus reads of it. */
const measured = async () =>
  /rappen_alerts_open\{kind="wallet-gap"\} (\d+)/.exec((await service.app.get(Metrics).text()) ?? '')?.[1];
const wallets = async () =>
  (await Staff.of(service, { merchantId: shop.merchantId, role: 'owner' })).get(
    '/dashboard/settings/wallets',
  );

it('tells the merchant before its wallet stops looking, on its page too, until somebody has paid', async () => {
  expect(await unused()).toEqual([0]);
  await picked(GAP_ALARM - 1);
  expect(await alerts()).toEqual([]);
  const [last] = await picked(1);
  expect(await unused()).toEqual([GAP_ALARM]);
  const [alert, ...more] = await alerts();
  expect(more).toEqual([]);
  expect(alert).toMatchObject({ merchantId: shop.merchantId, data: { unused: 15, limit: 20 } });
  expect(alert!.summary).not.toContain('xpub6CUGRUonZSQ4TWtTMmzXdrXDtyp');
  expect(alert!.summary).toMatch(/^Your wallet xpub\S+ may soon not show what is paid on Ethereum$/);
  expect((await wallets()).html).toContain('15 unpaid in a row');
  expect(await measured()).toBe('1');
  const { items } = await service.app.get(AlertsService).list({ merchantId: null, open: true });
  expect(items.filter(({ kind }) => kind === 'wallet-gap')).toEqual([]);

  await picked(2);
  const money = new Money(service);
  await money.record(last!);
  expect(await unused()).toEqual([2]);
  expect(await alerts()).toEqual([]);
  expect(await measured()).toBeUndefined();
});

it('counts from where the key began, not from what it had used before', async () => {
  const { extendedKeyId } = (await service.app.get(WalletsService).list(shop.merchantId))[0] as {
    extendedKeyId: string;
  };
  const dataSource = service.app.get(DataSource);
  await dataSource.query('UPDATE extended_key SET first_index = 400, next_index = 400 WHERE id = $1', [
    extendedKeyId,
  ]);
  expect(await unused()).toEqual([0]);
});

it('tells of five buyers who look at three assets each, go back to the first, and leave', async () => {
  const other = await service.shop(undefined, 'Other Shop');
  const money = new Money(service);
  for (const id of await picked(5, other)) {
    for (const asset of ['USDT', 'ETH', 'USDC', 'USDT']) await choose(service, id, 'ethereum', asset);
    await money.endWindowIn(id, -1);
    expect((await service.app.get(IntentsService).get(other.merchantId, id)).status).toBe('expired');
  }
  expect(await unused(other)).toEqual([15]);
  expect(await alerts(other)).toHaveLength(1);
});

it('ends with the wallet that is replaced', async () => {
  const other = await service.shop(undefined, 'Another Shop');
  await picked(GAP_ALARM, other);
  expect(await alerts(other)).toHaveLength(1);
  const wallet = { merchantId: other.merchantId, network: 'ethereum', xpub: xpubOf('another wallet') };
  await service.app.get(ExtendedKeysService).set(wallet, by('test'));
  expect(await alerts(other)).toEqual([]);
});
