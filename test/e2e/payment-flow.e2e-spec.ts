import type { Browser, Page } from 'playwright-core';
import { erc20Abi, parseUnits, type Address } from 'viem';
import { WebhooksService } from '../../src/modules/webhooks/webhooks.service.js';
import { startTestAnvil, type TestAnvil } from '../support/anvil.js';
import { Api } from '../support/api.js';
import { launchChromium } from '../support/chromium.js';
import { eventually, Receiver } from '../support/receiver.js';
import { Service } from '../support/service.js';

let anvil: TestAnvil;
let service: Service;
let receiver: Receiver;
let browser: Browser;
let api: Api;

beforeAll(async () => {
  anvil = await startTestAnvil({ blockTimeS: 1 });
  service = await Service.start({ chain: anvil });
  receiver = await Receiver.start();
  const shop = await service.shop();
  const webhooks = service.app.get(WebhooksService);
  receiver.secret = (
    await webhooks.createEndpoint({ merchantId: shop.merchantId, url: receiver.url })
  ).secret;
  api = new Api(service, shop.key);
  browser = await launchChromium();
});

afterAll(async () => {
  await browser.close();
  await service.stop();
  await receiver.stop();
  await anvil.stop();
});

/** The main job: REST, a real browser, a real chain, signed webhooks. Nothing is mocked. */
it('takes a payment from its creation to settled before the buyer’s eyes', async () => {
  const { body: intent } = await api.create({ amount: 49.9, currency: 'CHF', title: 'Order 1001' });
  const page = await browser.newPage();
  await page.goto(intent.checkoutUrl);
  await page.evaluate(() => Object.assign(globalThis, { neverReloaded: true }));

  await page.getByRole('button', { name: /USDC/ }).click();
  await page.locator('main[data-state="waiting"]').waitFor();
  const picked = (await api.get(intent.id)).body;
  expect(picked).toMatchObject({ status: 'initiated', assetSymbol: 'USDC', cryptoAmount: '62.37500000' });
  expect(await shownAddress(page)).toBe(picked.depositAddress);

  const [account] = await anvil.testClient.getAddresses();
  await anvil.testClient.writeContract({
    account: account!,
    address: anvil.tokens.USDC.address,
    abi: erc20Abi,
    functionName: 'transfer',
    args: [picked.depositAddress as Address, parseUnits('62.375', 6)],
  });
  await page.locator('main[data-state="settled"]').waitFor({ timeout: 30_000 });
  expect(await page.evaluate(() => 'neverReloaded' in globalThis)).toBe(true);

  const settled = (await api.get(intent.id)).body;
  expect(settled).toMatchObject({ status: 'settled', confirmedAt: expect.any(String) as string });
  const events = await eventually(
    () => receiver.eventsOf(intent.id),
    (seen) => seen.length === 4,
  );
  expect(events.map(({ sequence, data }) => [sequence, data.previousStatus, data.intent.status])).toEqual([
    [1, null, 'initiated'],
    [2, 'initiated', 'pending'],
    [3, 'pending', 'confirmed'],
    [4, 'confirmed', 'settled'],
  ]);
  const [created, pending, confirmed, last] = events;
  expect(created?.data.payment).toBeNull();
  expect(pending?.data.payment).toMatchObject({
    network: 'ethereum',
    received: '62.37500000',
    missing: '0.00000000',
  });
  expect(pending?.data.intent.confirmedAt).toBeNull();
  expect(confirmed?.data.intent).toMatchObject({ confirmedAt: settled.confirmedAt, settledAt: null });
  expect(last?.data.intent).toEqual(settled);
  expect(receiver.refused).toBe(0);
});

async function shownAddress(page: Page): Promise<string> {
  const text = await page.locator('#address').textContent();
  return (text ?? '').trim();
}
