import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { DataSource } from 'typeorm';
import { WebhookDeliveriesService } from '../../../src/modules/webhooks/webhook-deliveries.service.js';
import { WebhooksService } from '../../../src/modules/webhooks/webhooks.service.js';
import { Api } from '../../support/api/api.js';
import { launchChromium } from '../../support/browser/chromium.js';
import { choose } from '../../support/checkout/choose.js';
import { Staff } from '../../support/dashboard/staff.js';
import { by } from '../../support/intents/by.js';
import { applyAllChanges } from '../../support/intents/decided.js';
import { Money } from '../../support/intents/money.js';
import { SILENT_CHAIN } from '../../support/nodes/wallet.js';
import { Service, type Shop } from '../../support/service/service.js';

// Twelve things that staff does, from Home to the end, by somebody who knows the way: each click and each choice counts one,
// what is typed counts nothing.

const TIP = 1_000;
const GONE = `state = 'replaced', block_height = NULL, block_hash = NULL, block_time = NULL, missing_since = NULL`;
const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';
/** The table that people read; each row is a task, with what it took before and what it takes. */
const TABLE = join(import.meta.dirname, '../../../src/modules/dashboard/README.md');

let service: Service;
let browser: Browser;
let shop: Shop;
let money: Money;
let page: Page;
let clicks: number;

beforeAll(async () => {
  service = await Service.start({
    chain: SILENT_CHAIN,
    standsAt: TIP,
  });
  money = new Money(service);
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

beforeEach(async () => {
  shop = await service.shop();
  const staff = await Staff.of(service, { merchantId: shop.merchantId, role: 'owner', isEmailProven: true });
  const context = await browser.newContext({
    locale: 'en-GB',
    reducedMotion: 'reduce',
    acceptDownloads: true,
  });
  await context.addCookies([{ ...staff.sessionCookie, url: service.url }]);
  page = await context.newPage();
  clicks = 0;
});
afterEach(() => page.context().close());

async function click(target: Locator): Promise<void> {
  await target.click();
  clicks++;
}
const follow = (name: string | RegExp) => click(page.getByRole('link', { name }).first());
const press = (name: string | RegExp) => click(page.getByRole('button', { name }).first());
const place = (name: string) => click(page.locator('.place').getByText(name, { exact: true }));
const tab = (name: string) => click(page.locator('.tabs').getByRole('link', { name, exact: true }));
const says = (text: string | RegExp) => page.locator('main').getByText(text).first().waitFor();

const home = () => page.goto(`${service.url}/dashboard`);

/** A payment that the buyer has picked USDC for. */
async function order(title: string): Promise<string> {
  const { body } = await new Api(service, shop.key).create({ amount: 10, currency: 'CHF', title });
  await choose(service, body.id, 'ethereum', 'USDC');
  return body.id;
}

/** One that came late and whole. */
async function late(title: string): Promise<string> {
  const id = await order(title);
  await money.endWindowIn(id, -1);
  await money.status(id);
  await money.record(id);
  await applyAllChanges(service);
  return id;
}

async function endpoint() {
  const url = 'http://localhost:9/hook';
  return service.app.get(WebhooksService).createEndpoint({ merchantId: shop.merchantId, url }, by('test'));
}

const merchant = async () =>
  (
    await service.app
      .get(DataSource)
      .query<[{ tolerance_bps: number }]>('SELECT tolerance_bps FROM merchant WHERE id = $1', [
        shop.merchantId,
      ])
  )[0];

const TASKS: Readonly<Record<string, () => Promise<void>>> = {
  'Find a payment by its order number': async () => {
    await order('Order 1031');
    await home();
    await place('Payments');
    await page.getByRole('searchbox').fill('1031');
    await press('Search');
    await follow('Order 1031');
    await page.getByRole('heading', { name: 'Order 1031' }).waitFor();
  },
  'Send money back': async () => {
    await late('Order 1032');
    await home();
    await follow('1 payment waits for your decision');
    await follow('Send money back');
    await page.getByLabel('To this address').fill(ADDRESS);
    await page.getByLabel('Why').fill('It came too late.');
    await press('Continue');
    await press('Pay it');
    await says('With a wallet on a phone');
  },
  'Accept a late payment': async () => {
    const id = await late('Order 1033');
    await home();
    await follow('1 payment waits for your decision');
    await page.locator('#accept-note').fill('Known customer.');
    await press(/^Accept 12\.5/);
    await says('Accepted: the payment is settled.');
    expect(await money.status(id)).toBe('settled');
  },
  'Decide about an entry of the queue': async () => {
    for (const number of [1034, 1035]) await late(`Order ${number}`);
    await home();
    await follow('2 payments wait for your decision');
    await follow('Order 1034');
    await page.locator('#dismiss-note').fill('Paid in the shop.');
    await press('Dismiss and settle nothing');
    await says('Dismissed. New money would bring it back.');
  },
  'Invite a colleague': async () => {
    await home();
    await place('Settings');
    await tab('People');
    await follow('Invite somebody');
    await page.getByLabel('E-mail address').fill('ann@shop.example');
    await press('Invite');
    await page.getByRole('heading', { name: 'Invited' }).waitFor();
  },
  'Revoke an API key': async () => {
    await home();
    await place('Developers');
    await follow(/^Revoke/);
    await press('Revoke the key');
    await says('The key is revoked.');
    const { status } = await new Api(service, shop.key).get('pi_none');
    expect(status).toBe(401);
  },
  'Replace the secret of a webhook': async () => {
    await endpoint();
    await home();
    await place('Developers');
    await tab('Webhooks');
    await follow('http://localhost:9/hook');
    await follow('Replace the secret');
    await press('Replace the secret');
    await says('The secret is shown only now.');
  },
  'Send an event again': async () => {
    const { endpoint: made } = await endpoint();
    await service.app
      .get(WebhookDeliveriesService)
      .sendTest({ merchantId: shop.merchantId, endpointId: made.id }, by('test'));
    await home();
    await place('Developers');
    await tab('Webhooks');
    await follow('http://localhost:9/hook');
    await click(page.locator('main').getByRole('link', { name: 'webhook.test' }));
    await press('Send it again');
    await says(/^Sent again: /);
  },
  'Export the books of a month': async () => {
    await order('Order 1036');
    await home();
    await place('Payments');
    const asked = lastMonth();
    await follow('Export for accounting');
    const download = page.waitForEvent('download');
    await press('Download the books as CSV');
    // The page may have been made on either side of a month's end.
    const names = [asked, lastMonth()].map(({ first, last }) => `books-${first}-to-${last}.csv`);
    expect(names).toContain((await download).suggestedFilename());
  },
  'Change the tolerance': async () => {
    await home();
    await place('Settings');
    await tab('Payments');
    await page.locator('#tolerance').fill('0.5');
    await press('Save');
    await says('Saved. Quotes made from now on go by it.');
    expect(await merchant()).toEqual({ tolerance_bps: 50 });
  },
  'Set the wallet of a network': async () => {
    await home();
    await place('Settings');
    await tab('Wallets');
    await follow(/^(Add|Replace) the wallet for Ethereum/);
    await page.getByLabel('Your address').fill(ADDRESS);
    await press('Look at it');
    await press('It is the same: save');
    await says(/^Saved\./);
  },
  'See why a payment failed': async () => {
    const id = await order('Order 1037');
    const seen = await money.record(id, { blockHeight: TIP });
    await applyAllChanges(service);
    await money.endWindowIn(id, -1);
    await money.change(id, seen, GONE);
    await applyAllChanges(service);
    expect(await money.status(id)).toBe('failed');
    await home();
    await place('Payments');
    await page.getByRole('searchbox').fill('1037');
    await press('Search');
    await follow('Order 1037');
    await says('The money left the chain and did not come back');
  },
};

function lastMonth(): { first: string; last: string } {
  const now = new Date();
  const day = (month: number, date: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), month, date)).toISOString().slice(0, 10);
  return { first: day(now.getUTCMonth() - 1, 1), last: day(now.getUTCMonth(), 0) };
}

/** "| Invite a colleague | 4 | 4 |" of the table. */
function limits(): Map<string, number> {
  const rows = readFileSync(TABLE, 'utf8').matchAll(/^\| ([A-Z][^|]+?) \| [^|]+ \| (\d) \|/gm);
  return new Map([...rows].map(([, task, after]) => [task!, Number(after)]));
}

it('the table that people read has these tasks, and none takes more than five', () => {
  expect([...limits().keys()]).toEqual(Object.keys(TASKS));
  expect(Math.max(...limits().values())).toBeLessThanOrEqual(5);
});

it.each(Object.entries(TASKS))('%s: as many clicks as the table says', async (task, walk) => {
  await walk();
  expect(clicks).toBe(limits().get(task));
});
