import { Rappen } from '@rappen/client';
import type { Browser, Page } from 'playwright-core';
import { type Address, erc20Abi, parseUnits } from 'viem';
import { WebhooksService } from '../../../src/modules/webhooks/webhooks.service.js';
import { type Prism, startPrism } from '../../contract/client/prism.js';
import { judgedFetch } from '../../support/api/api-contract.js';
import { launchChromium } from '../../support/browser/chromium.js';
import { by } from '../../support/intents/by.js';
import { startTestAnvil, type TestAnvil } from '../../support/nodes/anvil.js';
import { eventually, Receiver } from '../../support/servers/receiver.js';
import { Service } from '../../support/service/service.js';

let anvil: TestAnvil;
let service: Service;
let receiver: Receiver;
let browser: Browser;
let prism: Prism;
let rappen: Rappen;

beforeAll(async () => {
  anvil = await startTestAnvil({ blockTimeS: 1 });
  service = await Service.start({ chain: anvil });
  receiver = await Receiver.start();
  const shop = await service.shop();
  const webhooks = service.app.get(WebhooksService);
  receiver.secret = (
    await webhooks.createEndpoint({ merchantId: shop.merchantId, url: receiver.url }, by('test'))
  ).secret;
  prism = await startPrism(service.url);
  rappen = new Rappen({ baseUrl: prism.url, apiKey: shop.key, fetch: judgedFetch(service.url) });
  browser = await launchChromium();
});

afterAll(async () => {
  await browser.close();
  await prism.stop();
  await service.stop();
  await receiver.stop();
  await anvil.stop();
});

/** The main job: our client, Prism between it and the service, a browser, a chain, signed webhooks. Nothing is mocked. */
it('takes a payment from its creation to settled before the buyer’s eyes', async () => {
  const { intent } = await rappen.createIntent({ amount: 49.9, currency: 'CHF', title: 'Order 1001' });
  const page = await browser.newPage();
  await page.goto(intent.checkoutUrl);
  await page.evaluate(() => Object.assign(globalThis, { neverReloaded: true }));

  await page.getByRole('button', { name: /USDC/ }).click();
  await page.locator('main[data-state="waiting"]').waitFor();
  const picked = await rappen.getIntent(intent.id);
  expect(picked).toMatchObject({ status: 'initiated', assetSymbol: 'USDC', cryptoAmount: '62.37500000' });
  expect(picked.payment).toEqual({
    network: 'ethereum',
    received: '0.00000000',
    missing: '62.37500000',
    transfers: [],
  });
  expect(await shownAddress(page)).toBe(picked.depositAddress);

  const [account] = await anvil.testClient.getAddresses();
  await anvil.testClient.writeContract({
    account: account!,
    address: anvil.tokens.USDC.address,
    abi: erc20Abi,
    functionName: 'transfer',
    args: [picked.depositAddress as Address, parseUnits('62.375', 6)],
  });
  await page.locator('main[data-state="settled"]').waitFor();
  expect(await page.evaluate(() => 'neverReloaded' in globalThis)).toBe(true);

  const { payment, ...settled } = await rappen.getIntent(intent.id);
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
  expect(settled.idempotencyKey).toBe(intent.idempotencyKey);
  const { confirmations = 0, ...transfer } = last?.data.payment?.transfers[0] ?? {};
  expect(payment).toEqual({
    ...last?.data.payment,
    transfers: [{ ...transfer, confirmations: expect.any(Number) as number }],
  });
  expect(payment?.transfers[0]?.confirmations).toBeGreaterThanOrEqual(confirmations);
  expect(receiver.refused).toBe(0);

  expect(await rappen.listIntents({ status: ['settled'] })).toMatchObject({ items: [settled], total: 1 });
  const another = intent.id.slice(0, -1) + (intent.id.endsWith('0') ? '1' : '0');
  await expect(rappen.getIntent(another)).rejects.toMatchObject({ code: 'intent-not-found' });
});

it('has a judge between client and service that refuses what the contract does not know', async () => {
  const unjudged = new Rappen({ baseUrl: prism.url, apiKey: 'svc_live_x' });
  const refusal = (await unjudged
    .createIntent({ amount: 1, currency: 'JPY' as 'CHF' })
    .catch(String)) as string;
  expect(refusal).toMatch(/422/);
});

async function shownAddress(page: Page): Promise<string> {
  const text = await page.locator('#address').textContent();
  return (text ?? '').trim();
}
