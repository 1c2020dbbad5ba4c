import type { Browser, BrowserContext, Page } from 'playwright-core';
import { en } from '../../../src/modules/checkout/catalogue/en.js';
import { launchChromium } from '../../support/browser/chromium.js';
import { goOffline } from '../../support/browser/offline.js';
import { checkoutStates } from '../../support/checkout/checkout-states.js';
import { Pages } from '../../support/checkout/pages.js';

const { away, unanswered, often } = en.unsent;

let pages: Pages;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  pages = await Pages.start(checkoutStates);
  browser = await launchChromium();
});

beforeEach(async () => {
  context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true });
  page = await context.newPage();
});

afterEach(() => context.close());

afterAll(async () => {
  await browser.close();
  await pages.stop();
});

async function open(path: string): Promise<void> {
  await page.goto(`${pages.url}/pay/${path}`);
  await page.evaluate('globalThis.neverReloaded = true');
}

const hasStayed = () => page.evaluate<boolean>("'neverReloaded' in globalThis");
const unsent = () => page.locator('#unsent');
const pickFirst = () => page.locator('.option').first().click();

it('says it where it covers nothing that can be tapped, at the end of the page as well', async () => {
  await open('choose');
  await goOffline(page);
  await pickFirst();
  await unsent().getByText(away).waitFor();
  await page.evaluate('scrollTo(0, document.body.scrollHeight)');
  const bar = (await unsent().boundingBox())!;
  for (const link of await page.locator('.languages a').all()) {
    const { y, height } = (await link.boundingBox())!;
    expect(y + height).toBeLessThanOrEqual(bar.y);
  }
  // And in sight wherever one is.
  await page.evaluate('scrollTo(0, 0)');
  expect(await unsent().isVisible()).toBe(true);
  const { y, height } = (await unsent().boundingBox())!;
  expect(y + height).toBe(page.viewportSize()!.height);
});

it('says nothing of it any more once the connection is back', async () => {
  await open('choose');
  await goOffline(page);
  await pickFirst();
  await unsent().getByText(away).waitFor();
  await context.setOffline(false);
  await unsent().waitFor({ state: 'hidden', timeout: 60_000 });
  expect(await page.locator('#offline').isVisible()).toBe(false);
});

describe('a form', () => {
  it.each([
    ['whose answer is lost', null, unanswered],
    ['that meets an error of ours', 500, unanswered],
    ['that is sent too often', 429, often],
    ['that is refused', 403, 'The server did not accept the request. Nothing was changed.'],
  ])('%s says what is known of it, and no more', async (_which, status, words) => {
    await page.route('**/asset', (route) =>
      status === null ? route.abort('connectionreset') : route.fulfill({ status, body: '' }),
    );
    await open('choose');
    await pickFirst();
    await unsent().getByText(words).waitFor();
    expect(await hasStayed()).toBe(true);
  });

  it('that was done, and whose page could not be shown, is not said to be undone', async () => {
    const location = `${pages.url}/pay/error/429`;
    await page.route('**/asset', (route) => route.fulfill({ status: 303, headers: { location } }));
    await open('choose');
    await pickFirst();
    await unsent().getByText(unanswered).waitFor();
  });

  it.each([
    [429, often],
    [500, unanswered],
  ])('that was answered with %i: it is said until the next tap', async (status, words) => {
    await page.route('**/asset', (route) => route.fulfill({ status, body: '' }));
    await open('choose');
    await pickFirst();
    await unsent().getByText(words).waitFor();
    // Longer than what is said of a connection that is back.
    await page.waitForTimeout(7_000);
    expect(await unsent().isVisible()).toBe(true);
    await page.locator('#record summary').click();
    await unsent().waitFor({ state: 'hidden' });
  });
});

describe('a link', () => {
  it('to a question is answered in place, and Back leads from it to the payment', async () => {
    await open('waiting');
    await page.locator('#go-cancel').click();
    await page.locator('#confirm-cancel').waitFor();
    expect([new URL(page.url()).search, await hasStayed()]).toEqual(['?cancel=1', true]);
    await page.goBack();
    await page.locator('#address').waitFor();
    expect([new URL(page.url()).search, await hasStayed()]).toEqual(['', true]);
  });

  it('back to a payment is kept until it can be followed', async () => {
    await open('waiting');
    await page.locator('#go-cancel').click();
    await page.locator('#confirm-cancel').waitFor();
    await goOffline(page);
    await page.goBack();
    await page.locator('#confirm-cancel').waitFor();
    await context.setOffline(false);
    await page.locator('#address').waitFor({ timeout: 60_000 });
    expect(await hasStayed()).toBe(true);
  });

  it('to another language loads the page as a whole', async () => {
    await open('waiting');
    await page.getByRole('link', { name: 'Deutsch' }).click();
    await page.locator('html[lang=de-CH]').waitFor();
    expect(await hasStayed()).toBe(false);
  });

  it.each([
    [429, often],
    [500, 'Something went wrong on our side. Nothing was changed.'],
  ])('that is answered with %i leaves the payment where it is', async (status, words) => {
    await open('waiting');
    await page.route('**/*?cancel=1', (route) => route.fulfill({ status, body: '' }));
    await page.locator('#go-cancel').click();
    await unsent().getByText(words).waitFor();
    expect(await page.locator('#address').isVisible()).toBe(true);
  });

  it('of an app is left to the phone', async () => {
    await open('waiting');
    await page.locator('#open-wallet').click();
    await goOffline(page);
    await page.locator('[data-app=other]').evaluate((link: { click(): void }) => link.click());
    expect(await unsent().isVisible()).toBe(false);
  });
});
