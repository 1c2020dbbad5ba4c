import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { DataSource } from 'typeorm';
import { type Address, parseUnits } from 'viem';
import { DestinationsService } from '../../../src/modules/chains/wallets/destinations.service.js';
import { RefundRequestsService } from '../../../src/modules/intents/checkout/refund-requests.service.js';
import { IntentsService } from '../../../src/modules/intents/lifecycle/intents.service.js';
import { RefundsService } from '../../../src/modules/intents/review/refunds.service.js';
import { ReviewsService } from '../../../src/modules/intents/review/reviews.service.js';
import { anvilAccount } from '../../../src/modules/sandbox/local/evm/tokens.js';
import { BUYER, ERC20 } from '../../chain/chains-fixture.js';
import { BrowserWallet } from '../../support/browser/browser-wallet.js';
import { launchChromium } from '../../support/browser/chromium.js';
import { AXE_FILE, axeFindings } from '../../support/browser/inspection.js';
import { complaintsOf, overflow } from '../../support/browser/reading.js';
import { Staff } from '../../support/dashboard/staff.js';
import { by } from '../../support/intents/by.js';
import { Money } from '../../support/intents/money.js';
import { startTestAnvil, type TestAnvil } from '../../support/nodes/anvil.js';
import { eventually } from '../../support/servers/receiver.js';
import { Service, type Shop } from '../../support/service/service.js';

/** An account that is not the merchant's: what it sends is found by the transaction's id alone. */
const PAYS = anvilAccount(6).address;
const HOME = anvilAccount(8).address;

let anvil: TestAnvil;
let service: Service;
let shop: Shop;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let complaints: string[];
let wallet: BrowserWallet;

beforeAll(async () => {
  anvil = await startTestAnvil({ blockTimeS: 1 });
  service = await Service.start({ chain: anvil });
  shop = await service.shop();
  await service.app
    .get(DestinationsService)
    .set({ merchantId: shop.merchantId, network: 'ethereum', address: anvilAccount(7).address }, by('test'));
  browser = await launchChromium();
  context = await browser.newContext({ reducedMotion: 'reduce', viewport: { width: 360, height: 740 } });
  wallet = new BrowserWallet(anvil.rpcUrl, PAYS);
  wallet.refusals.set('eth_sendTransaction', { code: 4001 });
  await wallet.announceIn(context);
  await context.addInitScript({ path: AXE_FILE });
  const staff = await Staff.of(service, { merchantId: shop.merchantId, role: 'owner' });
  await context.addCookies([{ ...staff.sessionCookie, url: service.url }]);
  page = await context.newPage();
  complaints = complaintsOf(page);
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await anvil?.stop();
});

/** Too little money of an intent that has expired, final, and a buyer who says where it may go. */
async function underpaid(): Promise<string> {
  const money = new Money(service);
  const id = await money.picked(shop.merchantId);
  const { depositAddress } = await service.app.get(IntentsService).get(shop.merchantId, id);
  await money.endWindowIn(id, -1);
  expect(await money.status(id)).toBe('expired');
  await anvil.testClient.writeContract({
    account: BUYER,
    address: anvil.tokens.USDC.address,
    abi: ERC20,
    functionName: 'transfer',
    args: [depositAddress as Address, parseUnits('5', 6)],
  });
  await eventually(
    () =>
      service.app
        .get(ReviewsService)
        .show(shop.merchantId, id)
        .catch(() => null),
    (entry) => (entry?.refundable.length ?? 0) > 0,
    60_000,
  );
  const wish = { network: 'ethereum', address: HOME, note: 'wrong amount' };
  expect(await service.app.get(RefundRequestsService).ask(id, wish)).toBe('stored');
  return id;
}

const main = async () => (await page.locator('main').textContent()) ?? '';
const findings = async () => {
  const excess = await overflow(page);
  return [...(await axeFindings(page)), ...(excess > 0 ? [`${excess} px too wide`] : [])];
};

it('goes from the queue to the buyer by a wallet in the browser, and the page says when it is final', async () => {
  const id = await underpaid();
  await page.goto(`${service.url}/dashboard/review/${id}`);
  await page.getByRole('link', { name: 'Send money back' }).click();
  expect(await page.getByLabel('Amount in this asset').inputValue()).toBe('5');
  expect(await page.getByLabel('To this address').inputValue()).toBe(HOME);
  expect(await main()).toContain('Unverified');
  expect(await findings()).toEqual([]);
  await page.getByLabel('Why').fill('too little');
  await page.getByRole('button', { name: 'Continue' }).click();

  await page.getByRole('button', { name: 'Pay it' }).click();
  // Who comes after that is told, and is not shown how to pay it.
  const colleague = await Staff.of(service, { merchantId: shop.merchantId, role: 'owner' });
  const path = new URL(page.url()).pathname;
  const { html } = await colleague.get(path);
  expect(html).toContain('has opened it before you');
  expect(html).not.toMatch(/data-call|class="qr"/);
  const send = page.getByRole('button', { name: 'Send with Test Wallet' });
  await send.click();
  await page.getByText('You refused in your wallet. Nothing was sent.').waitFor();
  expect(await findings()).toEqual([]);
  wallet.refusals.clear();
  await send.click();
  // What was sent is not offered once more.
  await page
    .getByText('It was another transaction')
    .or(page.getByText('not final yet'))
    .or(page.getByText('Final'))
    .first()
    .waitFor();
  expect(await send.count()).toBe(0);
  await page.locator('.state', { hasText: /^Final$/ }).waitFor({ timeout: 60_000 });
  expect(wallet.sent).toBe(2);
  expect(await findings()).toEqual([]);

  await service.app
    .get(DataSource)
    .query(
      `UPDATE refund SET undone_at = now(), search_ended_at = now(), again_txid = txid, again_output = 'log:9'`,
    );
  await page.reload();
  await page.getByText('Left the chain after it was final', { exact: true }).waitFor();
  expect(await main()).toContain('Another transaction pays the same once more');
  expect(await findings()).toEqual([]);
  await page.getByRole('button', { name: 'Look for another 30 days' }).click();
  await page.getByText('It is looked for again.').waitFor();
  await service.app
    .get(DataSource)
    .query(`UPDATE refund SET undone_at = NULL, again_txid = NULL, again_output = NULL`);

  await page.goto(`${service.config.checkoutUrl}/pay/${id}`);
  expect(await main()).toContain('Sent back to you');
  expect(complaints).toEqual([]);
});

describe('one that is opened to be paid', () => {
  const lost = `0x${'0a'.repeat(32)}`;
  let id: string;
  let path: string;
  let tab: Page;

  beforeAll(async () => {
    const wanted = { network: 'ethereum', asset: 'USDC', amount: '5', address: HOME, note: 'too little' };
    const refunds = service.app.get(RefundsService);
    ({ id } = await refunds.ask(shop.merchantId, await underpaid(), wanted, by('test')));
    path = `/dashboard/refunds/${id}`;
    await page.goto(service.url + path);
    await page.getByRole('button', { name: 'Pay it' }).click();
    await sendIn(page).waitFor();
    wallet.refusals.clear();
    wallet.loses = true;
  });
  beforeEach(async () => {
    await page.evaluate('localStorage.clear()');
    tab = await opened();
  });
  afterEach(async () => {
    wallet.meanwhile.clear();
    await tab.close();
  });

  const sendIn = (of: Page) => of.getByRole('button', { name: 'Send with Test Wallet' });
  async function opened(of = context): Promise<Page> {
    const one = await of.newPage();
    await one.goto(service.url + path);
    return one;
  }

  it('is sent once, however long its answer takes, and in another tab as well', async () => {
    const before = wallet.sent;
    const other = await opened();
    await sendIn(other).waitFor();
    let lose = (): void => undefined;
    const held = new Promise<void>((resolve) => (lose = resolve));
    await tab.route('**/sent', (route) => held.then(() => route.abort()));
    // Told by way of the other tab: of a page that is being left nothing can be asked.
    await tab.evaluate(`setInterval(() =>
      localStorage.setItem('held', document.querySelector('[data-wallets] button').disabled), 50)`);
    await sendIn(tab).click();
    await other.getByText(`Sent from this browser: ${lost}. Press “Look for it”.`).waitFor();
    await sleep(500);
    expect(await other.evaluate("localStorage.getItem('held')")).toBe('true');
    lose();
    expect(await sendIn(other).isVisible()).toBe(false);
    expect(await other.getByLabel('Its id').inputValue()).toBe(lost);
    expect(wallet.sent).toBe(before + 1);
    await other.close();
  });

  it('is not sent where it was sent while the wallet was asked for the account', async () => {
    const before = wallet.sent;
    // A page is not told of what is kept by itself.
    const keep = `localStorage.setItem('rappen.refund.${id}', '${lost}')`;
    wallet.meanwhile.set('eth_requestAccounts', () => tab.evaluate(keep));
    await sendIn(tab).click();
    await tab.getByText(`Sent from this browser: ${lost}`).waitFor();
    expect(await sendIn(tab).isVisible()).toBe(false);
    expect(wallet.sent).toBe(before);
  });

  describe('and looked at', () => {
    let own: BrowserContext;
    let watched: Page;
    let asked: string[];

    beforeEach(async () => {
      own = await browser.newContext();
      await own.addCookies(await context.cookies());
      await own.clock.install();
      watched = await opened(own);
      asked = [];
      watched.on('request', (request) => asked.push(new URL(request.url()).pathname));
    });
    afterEach(() => own.close());

    const looks = () => asked.filter((each) => each === `${path}/state.json`).length;
    /** Lets time pass, and the page act on it. */
    async function pass(time: string): Promise<void> {
      await watched.clock.fastForward(time);
      await sleep(500);
    }

    it('asks less often the longer nothing happens, and at last no more', async () => {
      await pass('20:00');
      const before = looks();
      expect(before).toBeGreaterThan(0);
      await sleep(5_000);
      expect(looks()).toBe(before);
      await pass('11:00');
      expect(looks()).toBe(before + 1);
      await pass('11:00');
      expect(looks()).toBe(before + 1);
    });

    it('asks nothing while nobody sees it, and then at once', async () => {
      await watched.evaluate(`
        globalThis.isHidden = true;
        Object.defineProperty(document, 'hidden', { get: () => isHidden });
      `);
      await pass('00:30');
      const before = looks();
      await pass('00:30');
      expect(looks()).toBe(before);
      await watched.evaluate(`
        isHidden = false;
        document.dispatchEvent(new Event('visibilitychange'));
      `);
      await eventually(looks, (count) => count === before + 1);
    });

    it('asks nothing more once its session is over', async () => {
      await own.clearCookies();
      await watched.waitForResponse((response) => response.status() === 303);
      await sleep(500);
      asked.length = 0;
      await pass('01:00');
      expect(asked).toEqual([]);
    });
  });

  it('shows what is new at its own address, not as the answer to a form once more', async () => {
    await tab.getByLabel('Its id').fill('none');
    await tab.getByRole('button', { name: 'Look for it' }).click();
    await tab.waitForURL(`**${path}/sent`);
    await tab.evaluate('document.activeElement.blur()');
    const refunds = service.app.get(RefundsService);
    const { openedAt } = await refunds.get(shop.merchantId, id);
    await refunds.open({ whose: shop.merchantId, id, by: by('a colleague') }, openedAt);
    await tab.waitForURL(service.url + path);
    await tab.getByText('has opened it before you').waitFor();
  });
});
