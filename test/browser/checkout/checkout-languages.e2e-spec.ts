import { readFileSync } from 'node:fs';
import type { Browser, BrowserContext, Page, Route } from 'playwright-core';
import { catalogues } from '../../../src/modules/checkout/catalogue/catalogues.js';
import { PATHS } from '../../support/browser/checkout-paths.js';
import { launchChromium } from '../../support/browser/chromium.js';
import { cutText } from '../../support/browser/cut-text.js';
import { AXE_FILE, axeFindings, htmlFindings } from '../../support/browser/inspection.js';
import { unfold } from '../../support/browser/keyboard.js';
import { complaintsOf, movingParts, overflow, scan, smallTargets } from '../../support/browser/reading.js';
import { checkoutStates } from '../../support/checkout/checkout-states.js';
import { Pages } from '../../support/checkout/pages.js';

/** Where the longest words stand. `npm run prove:languages` looks at every page in every language, with axe. */
const LONG_WORDS = [
  'choose-some-closed',
  'waiting',
  'part',
  'confirmed',
  'settled-overpaid',
  'expired-asked',
  'waiting?cancel=1',
  'refused/address-wrong',
  'nothing-of-this-name',
];
const IS_FULL = process.env.CHECKOUT_LANGUAGES === 'all';
const WITH_AXE = IS_FULL ? PATHS : ['part'];
const OTHERS = Object.values(catalogues).filter(({ language }) => language !== 'en');

const SMALLEST = { viewport: { width: 320, height: 568 }, hasTouch: true, reducedMotion: 'reduce' } as const;

let pages: Pages;
let browser: Browser;
const contexts: BrowserContext[] = [];
/** Draws nothing. */
let measuring: Browser;
/** One for all pages that are only measured, since a new one is a new process of the browser's. */
let measured: Page;
const complaints: string[] = [];

beforeAll(async () => {
  pages = await Pages.start(checkoutStates);
  [browser, measuring] = await Promise.all([launchChromium(), launchChromium({ draws: false })]);
  measured = await measuring.newPage(SMALLEST);
  complaintsOf(measured, complaints);
});

afterEach(() => Promise.all(contexts.splice(0).map((context) => context.close())));

afterAll(async () => {
  await Promise.all([browser.close(), measuring.close()]);
  await pages.stop();
});

async function phone(options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
  const context = await browser.newContext({ ...SMALLEST, ...options });
  contexts.push(context);
  return context.newPage();
}

const langOf = (page: Page) => page.locator('html').getAttribute('lang');
const heading = (page: Page) => page.locator('#heading').textContent();

/** What comes nearer to the right edge than the copy buttons do: words that did not fit. */
function outside(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`
    [...document.querySelectorAll('main *, .languages *')]
      .filter((each) => !each.closest('.unseen, svg') && each.getBoundingClientRect().right > innerWidth - 6)
      .map((each) => each.textContent.trim())`);
}

/** As it is when it has just come, on a screen of this size. */
async function measure(path: string, language: string, viewport: { width: number; height: number }) {
  complaints.length = 0;
  await measured.setViewportSize(viewport);
  return measured.goto(`${pages.url}/pay/${path}${path.includes('?') ? '&' : '?'}lang=${language}`);
}

describe.each(Object.values(catalogues))('in $name', ({ language }) => {
  it('breaks no number and no word, and is not too wide, on any page, on phones of 320 to 390 px', async () => {
    const findings: string[] = [];
    for (const path of PATHS) {
      await measure(path, language, { width: 320, height: 844 });
      await unfold(measured);
      for (const width of [320, 360, 390]) {
        await measured.setViewportSize({ width, height: 844 });
        findings.push(...(await cutText(measured)).map((text) => `${path} at ${width} px: ${text}`));
        const excess = await overflow(measured);
        if (excess > 0) findings.push(`${path} at ${width} px: ${excess} px too wide`);
      }
    }
    expect(findings).toEqual([]);
  });
});

describe.each(OTHERS)('in $name', ({ language, locale }) => {
  it.each(IS_FULL ? PATHS : LONG_WORDS)('/pay/%s fits the smallest phone, folded out', async (path) => {
    const response = await measure(path, language, SMALLEST.viewport);
    expect(await langOf(measured)).toBe(locale);
    const findings = [...(await movingParts(measured)), ...(await smallTargets(measured))];
    if (WITH_AXE.includes(path)) {
      await measured.evaluate(readFileSync(AXE_FILE, 'utf8'));
      findings.push(...(await axeFindings(measured)));
      const html = (await response?.text()) ?? '';
      findings.push(...(await htmlFindings(html.replace(/<noscript>.*<\/noscript>\n/, ''))));
    }
    await unfold(measured);
    const excess = await overflow(measured);
    if (excess > 0) findings.push(`${excess} px too wide`);
    findings.push(...(await outside(measured)).map((text) => `did not fit: ${text}`));
    const status = response?.status() ?? 0;
    findings.push(...complaints.filter((text) => status < 400 || !text.includes(`status of ${status}`)));
    expect(findings).toEqual([]);
  });

  it('says within a phone’s first view what to send, where and how', async () => {
    for (const name of ['waiting', 'waiting-face', 'waiting-btc', 'waiting-face-btc', 'part']) {
      await measure(name, language, { width: 390, height: 844 });
      const banner = (await measured.locator('.sandbox-banner').boundingBox())!.height;
      const parts = ['.countdown', '#heading', '#amount', '.never', '#address', '#open-wallet', '#exchange'];
      for (const part of [...parts, ...(name.startsWith('waiting') ? ['#record summary'] : [])]) {
        const { y, height } = (await measured.locator(part).boundingBox())!;
        // Down to the details without the sandbox's banner, which no buyer of a real shop sees.
        const end = y + height - (part.startsWith('#record') ? banner : 0);
        expect([name, part, end <= 844]).toEqual([name, part, true]);
      }
    }
  });
});

it('speaks the browser’s language, and the one that was chosen from then on, without JavaScript', async () => {
  const page = await phone({ locale: 'fr-CH', javaScriptEnabled: false });
  await page.goto(`${pages.url}/pay/waiting`);
  expect([await langOf(page), await heading(page)]).toEqual([
    'fr-CH',
    catalogues.fr.states.waiting(NOTHING).title,
  ]);
  expect(await page.context().cookies()).toEqual([]);

  await page.getByRole('link', { name: 'Rumantsch' }).click();
  expect([await langOf(page), await heading(page)]).toEqual([
    'rm-CH',
    catalogues.rm.states.waiting(NOTHING).title,
  ]);
  await page.goto(`${pages.url}/pay/expired-short?refund=1`);
  expect(await langOf(page)).toBe('rm-CH');
  await page.getByRole('link', { name: 'Deutsch' }).click();
  expect([await langOf(page), await heading(page)]).toEqual([
    'de-CH',
    catalogues.de.states.refund(NOTHING).title,
  ]);
  await page.goto(`${pages.url}/pay/nothing-of-this-name`);
  expect(await page.locator('h1').textContent()).toBe(catalogues.de.errors.notFound.title);

  expect(await page.context().cookies()).toMatchObject([
    { name: `language-${new URL(pages.url).port}`, value: 'de', path: '/', httpOnly: true, sameSite: 'Lax' },
  ]);
});

const refreshAfter = (seconds: number) => `http-equiv="refresh" content="${seconds}"`;

/** By itself, which it does every 15 s, and no fragment of its address keeps it from; of these only one passes here. */
async function loadsAgain(page: Page): Promise<void> {
  let html = '';
  const sooner = async (route: Route) => {
    const response = await route.fetch();
    html = await response.text();
    await route.fulfill({ response, body: html.replace(refreshAfter(15), refreshAfter(1)) });
  };
  await page.route(page.url(), sooner, { times: 1 });
  await page.reload();
  await page.waitForEvent('load', { timeout: 60_000 });
  expect(html).toContain(refreshAfter(15));
}

it('keeps open what is being read, though the page loads itself again without JavaScript', async () => {
  const page = await phone({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
  await page.goto(`${pages.url}/pay/waiting`);
  for (const id of ['exchange', 'sent', 'record']) {
    await page.locator(`#${id} summary`).click();
    await page.locator(`#${id}[open]`).waitFor();
    expect(new URL(page.url()).search).toBe(`?open=${id}`);
  }
  await loadsAgain(page);
  expect(await page.locator('#record').getAttribute('open')).toBe('');
  expect(await smallTargets(page)).toEqual([]);
  await page.locator('#record summary').click();
  await page.locator('#record:not([open])').waitFor();
});

it('keeps the code and the list of wallets open too, which are no folded text', async () => {
  const page = await phone({
    javaScriptEnabled: false,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
  });
  await page.goto(`${pages.url}/pay/waiting-btc`);
  const quote = checkoutStates['waiting-btc']!.quote!;
  await page.locator('#open-wallet').tap();
  await page.locator('#apps[open]').waitFor();
  expect(new URL(page.url()).search).toBe('?open=apps');
  expect(await smallTargets(page)).toEqual([]);
  await page.locator('#open-wallet').tap();
  await page.locator('#apps:not([open])').waitFor();
  expect(await page.locator('.codes').isVisible()).toBe(false);
  expect(await scan(page, 'amount')).toBe(quote.uri);
  expect(await scan(page, 'address')).toBe(quote.addressUri);
  await loadsAgain(page);
  expect(await scan(page, 'address')).toBe(quote.addressUri);
  expect(await smallTargets(page)).toEqual([]);
  await page.locator('#go-other-code').tap();
  await page.locator('#qr-amount:checked').waitFor({ state: 'attached' });
  expect(await scan(page, 'amount')).toBe(quote.uri);
  await page.locator('#go-code').tap();
  await page.locator('.codes').waitFor({ state: 'hidden' });
});

it('follows a choice that was made in another tab, as a whole', async () => {
  const page = await phone({ locale: 'en-GB' });
  await page.goto(`${pages.url}/pay/choose`);
  await page.evaluate("history.pushState(null, '', location.href)");
  const other = await page.context().newPage();
  await other.goto(`${pages.url}/pay/waiting?lang=it`);
  // Back is a reason to ask the server again.
  await page.evaluate('history.back()');
  await page.locator('html[lang=it-CH]').waitFor();
  expect(await heading(page)).toBe(catalogues.it.states.choose(NOTHING).title);
});

it.each([
  ['de-CH', 'Zeit zum Bezahlen endete um 15:32,', '21.11.2026, 15:40'],
  ['rm-CH', 'Il temp per pajar è finì a las 15:32,', '21.11.2026, 15:40'],
  ['en-GB', 'The time to pay ended at 15:32,', '21 Nov 2026, 15:40'],
])('tells times in the reader’s zone, and the server’s on hover (%s)', async (locale, sentence, saved) => {
  const page = await phone({ locale, timezoneId: 'Europe/Zurich' });
  await page.goto(`${pages.url}/pay/expired-asked?lang=${locale.slice(0, 2)}`);
  expect(await page.locator('.said').first().textContent()).toContain(sentence);
  const time = page.locator('[data-region=later] time');
  expect(await time.textContent()).toBe(saved);
  expect(await time.getAttribute('title')).toMatch(/2026, 14:40\u00a0UTC$/);
});

/** For titles, which name nothing. */
const NOTHING = {} as Parameters<(typeof catalogues.en.states)['waiting']>[0];
