import type { Browser, Page } from 'playwright-core';
import type { CheckoutIntent } from '../../../src/modules/intents/checkout.types.js';
import { reach } from '../../support/browser/buyer.js';
import { launchChromium } from '../../support/browser/chromium.js';
import { complaintsOf } from '../../support/browser/reading.js';
import { checkoutStates } from '../../support/checkout/checkout-states.js';
import { Pages } from '../../support/checkout/pages.js';

/** Shorter than what a stream may be silent before it is opened anew, which would tell of the change as well. */
const SOON_MS = 20_000;

/** The one payment, as it is now. */
const now: Record<string, CheckoutIntent> = {};
let pages: Pages;
let browser: Browser;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  pages = await Pages.start(now);
  browser = await launchChromium();
});

beforeEach(async () => {
  now.it = checkoutStates.waiting!;
  page = await browser.newPage();
  complaints = complaintsOf(page);
});

afterEach(() => page.close());

afterAll(async () => {
  await browser.close();
  await pages.stop();
});

it('goes on asking in a browser that has no streams', async () => {
  await page.addInitScript('delete globalThis.EventSource');
  await page.goto(`${pages.url}/pay/it`);
  const asked = () => page.waitForResponse(/\/status$/);
  await asked();
  await asked();
  now.it = checkoutStates.seen!;
  await reach(page, 'seen', SOON_MS);
  expect(complaints).toEqual([]);
});

it.each([
  ['what has changed', /\/status$/],
  ['the page', /\/pay\/it$/],
])('asks again where the question for %s is never answered', async (_what, address) => {
  // As long as the page waits, forty times as fast.
  await page.addInitScript(`
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    AbortSignal.timeout = (ms) => timeout(ms / 40);
  `);
  await page.goto(`${pages.url}/pay/it`);
  const hangs = page.waitForRequest(address);
  // Never answered: its network is gone.
  await page.route(address, () => undefined, { times: 1 });
  now.it = checkoutStates.seen!;
  await page.evaluate("dispatchEvent(new Event('online'))");
  await hangs;
  await reach(page, 'seen', SOON_MS);
  expect(complaints).toEqual([]);
});
