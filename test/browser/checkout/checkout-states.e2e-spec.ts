import type { Browser, CDPSession, Page } from 'playwright-core';
import { ungroupedWireText } from '../../../src/modules/checkout/domain/formats.js';
import { BrowserWallet } from '../../support/browser/browser-wallet.js';
import { PATHS } from '../../support/browser/checkout-paths.js';
import { launchChromium } from '../../support/browser/chromium.js';
import { forcedColourFindings } from '../../support/browser/forced-colours.js';
import { AXE_FILE, axeFindings, htmlFindings } from '../../support/browser/inspection.js';
import { enlargedFindings, keyboardFindings, unfold } from '../../support/browser/keyboard.js';
import {
  complaintsOf,
  movingParts,
  overflow,
  scan,
  selected,
  smallTargets,
} from '../../support/browser/reading.js';
import { checkoutStates } from '../../support/checkout/checkout-states.js';
import { Pages } from '../../support/checkout/pages.js';

/**
 * The smallest phone, a common one at night, and a desk by day and night. Contrast and what is there to be named depend on
 * the colours and on what a screen has room for, so axe looks at both ends of both.
 */
const SCREENS = [
  { width: 320, height: 568, colorScheme: 'light', axe: true },
  { width: 390, height: 844, colorScheme: 'dark', axe: false },
  { width: 1280, height: 900, colorScheme: 'light', axe: false },
  { width: 1280, height: 900, colorScheme: 'dark', axe: true },
] as const;

/** A desk's 1280 × 1024 at 400 %. */
const ENLARGED = { width: 320, height: 256 };

/**
 * A page that loads itself again is a nuisance (WCAG 2.2.1); without a script it is the only way to hear of the
 * money, nothing that was typed is lost by it, and pages that ask a question leave it out.
 */
const REFRESH = /<noscript><meta http-equiv="refresh" content="(15|60)"><\/noscript>\n/;

let pages: Pages;
let browser: Browser;
let page: Page;
/** Draws nothing: for what is only measured. */
let measuring: Browser;
let measured: Page;
const devtools = new Map<Page, CDPSession>();
let complaints: string[];

beforeAll(async () => {
  pages = await Pages.start(checkoutStates);
  [browser, measuring] = await Promise.all([launchChromium(), launchChromium({ draws: false })]);
  page = await browser.newPage({ reducedMotion: 'reduce' });
  measured = await measuring.newPage({ reducedMotion: 'reduce' });
  await measured.context().addInitScript({ path: AXE_FILE });
  for (const each of [page, measured]) devtools.set(each, await each.context().newCDPSession(each));
  complaints = complaintsOf(measured);
});

afterAll(async () => {
  await Promise.all([browser.close(), measuring.close()]);
  await pages.stop();
});

/** A phone has a finger, a desk a mouse: by that, and not by its width, a page offers the wallets on the phone. */
async function setScreen(size: { width: number; height: number }, on = page): Promise<void> {
  await on.setViewportSize(size);
  await devtools.get(on)!.send('Emulation.setTouchEmulationEnabled', { enabled: size.width < 700 });
}

describe.each(PATHS)('/pay/%s', (path) => {
  it('is accessible, valid, and fits every screen', async () => {
    complaints.length = 0;
    const response = await measured.goto(`${pages.url}/pay/${path}`);
    const html = (await response?.text()) ?? '';
    const findings = await htmlFindings(html.replace(REFRESH, ''));
    for (const { colorScheme, axe, ...size } of SCREENS) {
      await setScreen(size, measured);
      await measured.emulateMedia({ colorScheme });
      const where = `${size.width} ${colorScheme}`;
      if (axe) findings.push(...(await axeFindings(measured)).map((text) => `${where}: ${text}`));
      findings.push(...(await movingParts(measured)).map((text) => `${where}: ${text}`));
      const excess = await overflow(measured);
      if (excess > 0) findings.push(`${where}: ${excess} px too wide`);
      if (size.width === 320)
        findings.push(...(await smallTargets(measured)).map((text) => `too small: ${text}`));
    }
    findings.push(...(await forcedColourFindings(measured)).map((text) => `forced colours, desk: ${text}`));
    await measured.setViewportSize(ENLARGED);
    await unfold(measured);
    findings.push(...(await forcedColourFindings(measured)).map((text) => `forced colours: ${text}`));
    findings.push(...(await enlargedFindings(measured)).map((text) => `at 400 %: ${text}`));
    findings.push(...(await keyboardFindings(measured)).map((text) => `by keyboard: ${text}`));
    // The console reports the status of an error page itself; nothing else may be there.
    const status = response?.status() ?? 0;
    findings.push(...complaints.filter((text) => status < 400 || !text.includes(`status of ${status}`)));
    expect(findings).toEqual([]);
  });
});

describe.each(['light', 'dark'] as const)('in the %s', (colorScheme) => {
  it.each(['waiting', 'waiting-btc', 'waiting-large', 'part'])(
    'the page "%s" can be copied by hand and scanned, exactly',
    async (name) => {
      await setScreen({ width: 390, height: 844 });
      await page.emulateMedia({ colorScheme });
      await page.goto(`${pages.url}/pay/${name}`);
      const quote = checkoutStates[name]!.quote!;
      expect(await selected(page.locator('#address'))).toBe(quote.address);
      expect(await selected(page.locator('#amount'))).toBe(ungroupedWireText(quote.missing));
      expect(await scan(page, 'amount')).toBe(quote.uri);
      expect(await scan(page, 'address')).toBe(quote.addressUri);
      await page.emulateMedia({ forcedColors: 'active' });
      expect(await scan(page, 'amount')).toBe(quote.uri);
      await page.emulateMedia({ forcedColors: 'none' });
    },
  );
});

it.each(['waiting', 'waiting-btc', 'part'])(
  'says on %s within a phone’s first view what to send, where and how',
  async (name) => {
    await setScreen({ width: 390, height: 844 });
    await page.goto(`${pages.url}/pay/${name}`);
    for (const part of [
      '.countdown',
      '#heading',
      '#amount',
      '.never',
      '#address',
      '#open-wallet',
      '#exchange',
    ]) {
      const { y, height } = (await page.locator(part).boundingBox())!;
      expect([part, y + height <= 844]).toEqual([part, true]);
    }
  },
);

it.each(['expired-unpaid', 'failed', 'expired-asked', 'settled-overpaid-asked', 'all-closed'])(
  'says the payment’s id on %s on one line where there is room, apart from what is above it',
  async (name) => {
    for (const width of [360, 390, 1280]) {
      await setScreen({ width, height: 844 });
      await page.goto(`${pages.url}/pay/${name}`);
      const { lines, gap } = await page.evaluate<{ lines: number; gap: number }>(`(() => {
        const reference = document.querySelector('.reference');
        const { bottom } = document.querySelector('.support').getBoundingClientRect();
        const id = document.createRange();
        id.selectNodeContents(reference.querySelector('code'));
        const lines = new Set([...id.getClientRects()].map((box) => Math.round(box.bottom))).size;
        return { lines, gap: reference.getBoundingClientRect().top - bottom };
      })()`);
      expect([width, lines]).toEqual([width, 1]);
      expect(gap).toBeGreaterThanOrEqual(8);
    }
  },
);

it('names money that came on another network above everything that is asked', async () => {
  await page.goto(`${pages.url}/pay/waiting-other-network`);
  const [found, back, asked] = await Promise.all(
    ['#heading', '#go-refund', '.send'].map((each) => page.locator(each).boundingBox()),
  );
  expect(found!.y).toBeLessThan(back!.y);
  expect(back!.y + back!.height).toBeLessThan(asked!.y + 12); // its room for a finger, which no line grows by
  expect(await page.locator('#heading').textContent()).toBe('We found 25\u00a0USDC on Polygon');
  await page.locator('#record summary').click();
  expect(await page.locator('#record .transfers').textContent()).toContain('25\u00a0USDC on Polygon');
});

it('shows a merchant’s hostile texts as text, in their order, and links to nothing that acts', async () => {
  await page.goto(`${pages.url}/pay/hostile`);
  expect(await page.locator('h1').textContent()).toMatch(
    /^<script>alert\(1\)<\/script> Order�1042� "&' x{90}$/,
  );
  expect(await page.locator('.payee').textContent()).toBe('Evil�Corp�<b>');
  expect(await page.locator('script').count()).toBe(1);
  expect(await page.locator('a[href^="javascript:"], h1 *:not(bdi), .payee *:not(bdi)').count()).toBe(0);
  expect(await page.title()).not.toMatch(/[\u202e\u2066]/);
});

it('prints a receipt: black on white even at night, with the payment’s id and without the links', async () => {
  // On a page of its own: that of the others emulates a finger too, and then no paper.
  const sheet = await browser.newPage();
  await sheet.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await sheet.goto(`${pages.url}/pay/settled`);
  const style = 'getComputedStyle(document.body)';
  expect(await sheet.evaluate(`[${style}.backgroundColor, ${style}.color]`)).toEqual([
    'rgb(255, 255, 255)',
    'rgb(0, 0, 0)',
  ]);
  expect(
    await sheet
      .locator('.facts')
      .getByText(/^pi_settled\w+$/)
      .isVisible(),
  ).toBe(true);
  expect(await sheet.locator('#go-return, #print').filter({ visible: true }).count()).toBe(0);
  await sheet.close();
});

it('prints times with the zone that they are in', async () => {
  const sheet = await browser.newPage({ timezoneId: 'Europe/Zurich' });
  await sheet.emulateMedia({ media: 'print' });
  await sheet.goto(`${pages.url}/pay/settled`);
  const printed = await sheet.evaluate<string[]>(`[...document.querySelectorAll('#record time')]
    .map((each) => each.textContent + getComputedStyle(each, '::after').content)`);
  expect(printed).toEqual(['21 Nov 2026, 15:21" CET"']);
  await sheet.close();
});

it.each(['choose', 'waiting', 'part', 'expired-asked', 'settled'])(
  'moves nothing while %s loads on a slow phone, with times in its zone and a wallet',
  async (name) => {
    const slow = await browser.newContext({
      viewport: { width: 390, height: 844 },
      timezoneId: 'Asia/Tokyo',
    });
    await new BrowserWallet('', '').announceIn(slow);
    await slow.addInitScript({
      content: `globalThis.shifts = [];
        new PerformanceObserver((list) => shifts.push(...list.getEntries().map(({ value }) => value)))
          .observe({ type: 'layout-shift', buffered: true });`,
    });
    const phone = await slow.newPage();
    const devtools = await slow.newCDPSession(phone);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 6 });
    await phone.goto(`${pages.url}/pay/${name}`);
    await phone.locator('html.js').waitFor();
    await phone.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    expect(await phone.evaluate('shifts')).toEqual([]);
    await slow.close();
  },
);
