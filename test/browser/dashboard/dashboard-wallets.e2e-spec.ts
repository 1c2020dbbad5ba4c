import type { Browser, Page } from 'playwright-core';
import { DataSource } from 'typeorm';
import { WalletsService } from '../../../src/modules/chains/wallets/wallets.service.js';
import { MerchantsService } from '../../../src/modules/merchants/merchants.service.js';
import { launchChromium } from '../../support/browser/chromium.js';
import { AXE_FILE, axeFindings, htmlFindings } from '../../support/browser/inspection.js';
import { complaintsOf, overflow } from '../../support/browser/reading.js';
import { Staff } from '../../support/dashboard/staff.js';
import { by } from '../../support/intents/by.js';
import { Money } from '../../support/intents/money.js';
import { sayNothingUsed, SILENT_CHAIN, xpubOf } from '../../support/nodes/wallet.js';
import { Service } from '../../support/service/service.js';

let service: Service;
let browser: Browser;
let page: Page;
let complaints: string[];
/** The page as it was sent; what a browser makes of it is another text. */
let sent: Promise<string>;
let merchantId: string;

beforeAll(async () => {
  service = await Service.start({ chain: SILENT_CHAIN, standsAt: 1_000 });
  ({ id: merchantId } = await service.app
    .get(MerchantsService)
    .create({ name: 'Alpine Coffee' }, 'approved', by('test')));
  browser = await launchChromium();
  const context = await browser.newContext({
    reducedMotion: 'reduce',
    viewport: { width: 360, height: 740 },
  });
  await context.addInitScript({ path: AXE_FILE });
  page = await context.newPage();
  complaints = complaintsOf(page);
  page.on('response', (response) => {
    if (response.request().resourceType() === 'document' && response.status() !== 303) sent = response.text();
  });
  const owner = await Staff.of(service, { merchantId, role: 'owner' });
  await context.addCookies([{ ...owner.sessionCookie, url: service.url }]);
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

/** What is wrong with the page that is shown; `dashboard-pages` has no networks, so these are looked at here. */
async function findings(): Promise<string[]> {
  const excess = await overflow(page);
  const found = [...(await axeFindings(page)), ...(await htmlFindings(await sent))];
  return [...found, ...(excess > 0 ? [`${excess} px too wide`] : [])];
}

it('walks a key from the wallet into the settings, and the first buyer gets its first address', async () => {
  const xpub = xpubOf('the walk');
  await page.goto(`${service.url}/dashboard/settings`);
  await page.getByRole('link', { name: 'Wallets' }).click();
  expect(await page.locator('main').textContent()).toContain('none yet');
  await page.getByRole('link', { name: 'Set a wallet' }).click();
  await page.getByRole('link', { name: 'extended public key instead' }).click();
  await page.getByLabel('Extended public key').fill(`0x${'ab'.repeat(32)}`);
  await page.getByRole('button', { name: 'Show its addresses' }).click();
  expect(await page.locator('#xpub-flaw').textContent()).toContain('This is a private key');
  expect(await page.getByLabel('Extended public key').inputValue()).toBe('');
  expect(await findings()).toEqual([]);
  await page.getByLabel('Extended public key').fill(xpub);
  await page.getByRole('button', { name: 'Show its addresses' }).click();
  const shown = await page.locator('.compare .address').allTextContents();
  expect(shown).toHaveLength(3);
  expect(await findings()).toEqual([]);
  expect(await service.app.get(WalletsService).list(merchantId)).toEqual([]);
  await page.getByRole('button', { name: 'They are the same: save' }).click();
  expect(await page.getByRole('status').first().textContent()).toContain('Saved.');
  expect(await findings()).toEqual([]);

  await sayNothingUsed(service.app.get(DataSource));
  const id = await new Money(service).picked(merchantId);
  await page.getByRole('link', { name: 'Issued addresses' }).click();
  const row = page.getByRole('row').filter({ has: page.locator(`a[href$="${id}"]`) });
  expect(await row.locator('code').first().textContent()).toBe(shown[0]);
  expect(await findings()).toEqual([]);
  // The refused form is an answer with status 422, which the console reports.
  expect(complaints.filter((text) => !text.includes('status of 422'))).toEqual([]);
});

it('is paid to one address after its owner has compared it, and says how to verify what it gives to buyers', async () => {
  const address = `0x5aFE${'5afe'.repeat(9)}`;
  await page.goto(`${service.url}/dashboard/settings/wallets`);
  await page.getByRole('link', { name: 'Set a wallet' }).click();
  expect(await findings()).toEqual([]);
  await page.getByLabel('Your address').fill(address);
  await page.getByRole('button', { name: 'Look at it' }).click();
  expect(await page.locator('#address-flaw').textContent()).toContain('its checksum is wrong');
  await page.getByLabel('Your address').fill(address.toLowerCase());
  await page.getByRole('button', { name: 'Look at it' }).click();
  expect((await page.locator('.address').textContent())?.toLowerCase()).toBe(address.toLowerCase());
  await page.locator('main summary').click();
  expect(await page.locator('main pre').textContent()).toContain('pi_example/ethereum/USDC');
  expect(await findings()).toEqual([]);
  await page.getByRole('button', { name: 'It is the same: save' }).click();
  expect(await page.getByRole('status').first().textContent()).toContain('This is change 2 of this wallet');
  expect(await findings()).toEqual([]);
  expect(await service.app.get(WalletsService).list(merchantId)).toMatchObject([{ kind: 'address' }]);
  const id = await new Money(service).picked(merchantId);
  await page.getByRole('link', { name: 'Issued addresses' }).click();
  expect(
    await page
      .getByRole('row')
      .filter({ has: page.locator(`a[href$="${id}"]`) })
      .count(),
  ).toBe(1);
  expect(await findings()).toEqual([]);
  await page.goto(`${service.url}/dashboard/payments/${id}`);
  expect(await page.locator('main').textContent()).toMatch(/can pay out to 0x[0-9a-fA-F]{40} alone/);
  expect(await findings()).toEqual([]);
  expect(complaints.filter((text) => !text.includes('status of 422'))).toEqual([]);
});

it.each(['payments', 'wallets/skip', 'people', 'audit'])(
  '%s is accessible and valid with something in it',
  async (path) => {
    await page.goto(`${service.url}/dashboard/settings/${path}`);
    for (const summary of await page.locator('main summary').all()) await summary.click();
    expect(await findings()).toEqual([]);
  },
);
