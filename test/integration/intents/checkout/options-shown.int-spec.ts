import { DataSource } from 'typeorm';
import { pageState } from '../../../../src/modules/checkout/domain/page-state.js';
import { pageVersion } from '../../../../src/modules/checkout/domain/page-version.js';
import type { CheckoutIntent } from '../../../../src/modules/intents/checkout.types.js';
import { CheckoutIntentsService } from '../../../../src/modules/intents/checkout/checkout-intents.service.js';
import { PaymentOptions } from '../../../../src/modules/intents/checkout/payment-options.js';
import { Money } from '../../../support/intents/money.js';
import { SILENT_CHAIN } from '../../../support/nodes/wallet.js';
import { Service } from '../../../support/service/service.js';

let service: Service;
let pages: CheckoutIntentsService;
let id: string;

beforeAll(async () => {
  service = await Service.start({ chain: SILENT_CHAIN, standsAt: 1_000 });
  pages = service.app.get(CheckoutIntentsService);
  const { merchantId } = await service.shop();
  id = await new Money(service).picked(merchantId);
});
afterAll(() => service?.stop());

/** The page of the payment as it is loaded, and as the feed reads it: they have to be the same. */
async function loaded(): Promise<CheckoutIntent> {
  const [page, fed] = [await pages.find(id), (await pages.findAll([id])).get(id)];
  expect(pageVersion(fed!)).toBe(pageVersion(page!));
  return page!;
}

const html = async (query: string) => (await fetch(`${service.config.checkoutUrl}/pay/${id}${query}`)).text();

it('nobody asks what could be picked where a quote can be paid, unless the page is about that', async () => {
  const asked = jest.spyOn(service.app.get(PaymentOptions), 'standing');
  const page = await loaded();
  expect([pageState(page), page.maySwitch, page.options]).toEqual(['waiting', true, []]);
  expect(await html('')).not.toContain('name="asset"');
  expect(asked).not.toHaveBeenCalled();
  expect(await html('?change=1')).toContain('name="asset"');
  expect(await html('?notice=option-closed')).toContain('has just closed');
  expect(asked).toHaveBeenCalledTimes(2);
});

it('where what is sent now would not be seen, the page and its feed have the options', async () => {
  const before = await loaded();
  const seen = (when: string) =>
    service.app.get(DataSource).query(`UPDATE chain_cursor SET synced_at = ${when}`);
  await seen(`now() - interval '1 hour'`);
  const page = await loaded();
  expect([pageState(page), page.unseen]).toEqual(['blind', true]);
  expect(page.options.map(({ closed }) => closed)).toEqual(page.options.map(() => 'network_unavailable'));
  expect(page.options.length).toBeGreaterThan(1);
  expect(await html('')).toContain('cannot be seen right now');
  await seen(`now() + interval '1 day'`);
  expect(pageVersion(await loaded())).toBe(pageVersion(before));
});
