import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { launchChromium } from '../support/browser/chromium.js';
import { CLIPBOARD, clipboard, complaintsOf } from '../support/browser/reading.js';
import { Staff } from '../support/dashboard/staff.js';
import { eventually, Receiver } from '../support/servers/receiver.js';
import { Service } from '../support/service/service.js';

let service: Service;
let browser: Browser;
let receiver: Receiver;

beforeAll(async () => {
  service = await Service.start();
  receiver = await Receiver.start();
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  await service.stop();
  await receiver.stop();
});

/** A person at a desk, signed in with the form. */
async function signedIn(staff: Staff, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  await page.goto(`${service.url}/dashboard`);
  await page.getByLabel('E-mail').fill(staff.email);
  await page.getByLabel('Password').fill(Staff.PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { level: 1 }).waitFor();
  return page;
}

/** A merchant's server: `curl`, and nothing of ours. @returns the status */
async function curl(key: string): Promise<number> {
  const { stdout } = await promisify(execFile)('curl', [
    '--silent',
    '--output',
    '/dev/null',
    '--write-out',
    '%{http_code}',
    '-H',
    `Authorization: Bearer ${key}`,
    '-H',
    'Content-Type: application/json',
    '-d',
    '{"amount": 49.90, "currency": "CHF"}',
    `${service.url}/api/v1/intents`,
  ]);
  return Number(stdout);
}

it('a developer makes a key and an endpoint, uses both, and revokes the key; another merchant sees nothing of it', async () => {
  const { merchantId } = await service.shop();
  const page = await signedIn(await Staff.of(service, { merchantId, role: 'developer' }));
  const complaints = complaintsOf(page);

  await page.getByRole('link', { name: 'Developers' }).click();
  await page.getByRole('link', { name: 'Create a key' }).click();
  await page.getByLabel('Label').fill('Walked shop');
  await page.getByRole('button', { name: 'Create the key' }).click();
  const key = (await page.locator('#key').textContent())!;
  expect(await curl(key)).toBe(201);

  await page.getByRole('link', { name: 'Developers' }).click();
  await page.getByRole('link', { name: 'Webhooks' }).click();
  await page.getByRole('link', { name: 'Add an endpoint' }).click();
  await page.getByLabel('URL').fill(receiver.url);
  await page.getByRole('button', { name: 'Add the endpoint' }).click();
  receiver.secret = (await page.locator('#secret').textContent())!;
  await page.getByRole('link', { name: 'go to the endpoint' }).click();
  await page.getByRole('button', { name: 'Send a test event' }).click();
  await page.getByText('The test event was sent: answered 204.').waitFor();
  expect([receiver.events.map(({ type }) => type), receiver.refused]).toEqual([['webhook.test'], 0]);
  expect(await curl(key)).toBe(201);
  await eventually(
    () => receiver.events.map(({ type }) => type),
    (types) => types.includes('payment.status'),
  );

  await page.getByRole('link', { name: 'Requests' }).click();
  await eventually(
    async () => {
      await page.reload();
      return page.getByRole('row').filter({ hasText: 'Walked shop' }).count();
    },
    (rows) => rows === 2,
  );

  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByRole('link', { name: 'Revoke Walked shop' }).click();
  await page.getByRole('button', { name: 'Revoke the key' }).click();
  await page.getByText('The key is revoked').waitFor();
  expect(await curl(key)).toBe(401);
  expect(complaints).toEqual([]);

  const other = await service.shop();
  const stranger = await signedIn(await Staff.of(service, { merchantId: other.merchantId, role: 'owner' }));
  for (const place of ['', '/webhooks', '/requests']) {
    await stranger.goto(`${service.url}/dashboard/developers${place}`);
    const text = await stranger.locator('main').innerText();
    for (const ours of ['Walked shop', receiver.url, merchantId]) expect(text).not.toContain(ours);
  }
});

it.each([
  ['', ''],
  [', as on plain http', 'Clipboard.prototype.writeText = undefined'],
])('a button copies a new key, and each block of code in the documentation has one%s', async (_, script) => {
  const { merchantId } = await service.shop();
  const page = await signedIn(await Staff.of(service, { merchantId, role: 'developer' }), CLIPBOARD);
  await page.addInitScript({ content: script });
  const complaints = complaintsOf(page);
  await page.goto(`${service.url}/dashboard/developers/keys/new`);
  await page.getByLabel('Label').fill('Copied');
  await page.getByRole('button', { name: 'Create the key' }).click();
  const key = (await page.locator('#key').textContent())!;
  await page.getByRole('button', { name: /^Copy/ }).click();
  await page.locator('[data-copy].copied').waitFor();
  expect(await clipboard(page)).toBe(key);

  await page.goto(`${service.url}/docs`);
  const blocks = page.locator('pre');
  expect(await blocks.count()).toBeGreaterThan(5);
  expect(await page.locator('pre + .copy').count()).toBe(await blocks.count());
  const shown = page.locator('pre:visible');
  await page.locator('.copy:visible').first().click();
  await page.locator('.copy.copied').waitFor();
  expect(await clipboard(page)).toBe(await shown.first().textContent());
  expect(complaints).toEqual([]);
});

it('a key is made and revoked without JavaScript', async () => {
  const { merchantId } = await service.shop();
  const staff = await Staff.of(service, { merchantId, role: 'owner' });
  const page = await signedIn(staff, { javaScriptEnabled: false });
  await page.goto(`${service.url}/dashboard/developers/keys/new`);
  await page.getByLabel('Label').fill('Plain');
  await page.getByRole('button', { name: 'Create the key' }).click();
  const key = (await page.locator('#key').textContent())!;
  expect(await curl(key)).toBe(201);
  await page.getByRole('link', { name: 'I have stored it' }).click();
  await page.getByRole('link', { name: 'Revoke Plain' }).click();
  await page.getByRole('button', { name: 'Revoke the key' }).click();
  await page.getByText('The key is revoked').waitFor();
  expect(await curl(key)).toBe(401);
});
