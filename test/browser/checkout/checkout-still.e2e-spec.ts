import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { catalogues } from '../../../src/modules/checkout/catalogue/catalogues.js';
import type { CheckoutIntent } from '../../../src/modules/intents/checkout.types.js';
import { launchChromium } from '../../support/browser/chromium.js';
import { KEEP_SHIFTS, moving, shiftsOf } from '../../support/browser/shifts.js';
import { checkoutStates } from '../../support/checkout/checkout-states.js';
import { Pages } from '../../support/checkout/pages.js';

/** What becomes of a payment before its buyer's eyes. */
const SEQUENCES = [
  ['waiting', 'part', 'part-other-asset'],
  ['waiting', 'waiting-other-arriving', 'waiting-other-network', 'waiting-other-asked'],
] as const;
/** What becomes of one that nothing is sent to any more. */
const LATER_SEQUENCES = [
  ['seen', 'seen-overpaid', 'seen', 'withheld', 'confirmed', 'withheld', 'confirmed-finality'],
  [
    'settled-overpaid',
    'settled-overpaid-asked',
    'settled-refunding',
    'settled-part-refunded',
    'settled-refunded',
  ],
  [
    'expired-asked',
    'expired-refunding',
    'expired-refund-undone',
    'expired-part-refunded',
    'expired-refunded',
  ],
  ['expired-asked', 'expired-dismissed'],
] as const;
const LATER_PLACES = ['.total', '#heading', '#go-return'];
/** What is read, compared or tapped meanwhile. A layout shift is not counted of nodes that are new, so places are. */
const PLACES = [
  '.total',
  '#heading',
  '#amount',
  '#copy-amount',
  '.never',
  '#address',
  '#copy-address',
  '.qr',
];
const PHONE_PLACES = [...PLACES, '#open-wallet'];
const SCREENS: Record<string, BrowserContextOptions & { readonly hasTouch: boolean }> = {
  'the smallest phone': { viewport: { width: 320, height: 568 }, hasTouch: true },
  'a common phone': { viewport: { width: 390, height: 844 }, hasTouch: true },
  'a phone on its side': { viewport: { width: 844, height: 390 }, hasTouch: true },
  'a desk': { viewport: { width: 1280, height: 900 }, hasTouch: false },
};

/** The one payment, as it is now. */
const now: Record<string, CheckoutIntent> = {};
let pages: Pages;
let browser: Browser;
const opened = new Map<BrowserContextOptions, Page>();

beforeAll(async () => {
  pages = await Pages.start(now);
  browser = await launchChromium();
});

afterAll(async () => {
  await browser.close();
  await pages.stop();
});

/** One page for each screen, which is led from payment to payment: a new one is a new process of the browser's. */
async function open(screen: BrowserContextOptions, language = 'en'): Promise<Page> {
  const page = opened.get(screen) ?? (await newPage(screen));
  opened.set(screen, page);
  await page.goto(`${pages.url}/pay/it?lang=${language}`);
  return page;
}

async function newPage(screen: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...screen });
  await context.addInitScript({
    content: `${KEEP_SHIFTS}
      globalThis.buzzes = [];
      navigator.vibrate = (ms) => buzzes.push(ms);`,
  });
  return context.newPage();
}

/** Goes on, and has the page ask. */
async function become(page: Page, state: string | CheckoutIntent): Promise<void> {
  const version = await page.locator('main').getAttribute('data-version');
  now.it = typeof state === 'string' ? checkoutStates[state]! : state;
  await page.evaluate("dispatchEvent(new Event('online'))");
  await page.locator(`main:not([data-version="${version}"])`).waitFor();
}

/** Without a tap or a change of its own: what moves within half a second of one would count as its, and not as a shift. */
async function unfoldCode(page: Page): Promise<void> {
  await moving(page, async () => {
    await page.evaluate("document.getElementById('qr-show').checked = true");
    await page.locator('.codes').waitFor();
  });
}

/** How far down the first that is seen of each is; in one look, so that nothing comes in between. */
function places(page: Page, selectors: readonly string[]): Promise<Record<string, number>> {
  return page.evaluate<
    Record<string, number>
  >(`Object.fromEntries(${JSON.stringify(selectors)}.map((selector) => {
    const seen = [...document.querySelectorAll(selector)].find(
      (each) => each.checkVisibility({ visibilityProperty: true }) && each.getClientRects().length > 0,
    );
    if (!seen) throw new Error('nothing is seen of ' + selector);
    return [selector, seen.getBoundingClientRect().y];
  }))`);
}

describe.each(Object.entries(SCREENS))('on %s', (_which, screen) => {
  it.each(Object.values(catalogues))(
    'nothing moves that is sent to, whatever arrives ($name)',
    async ({ language }) => {
      for (const [first, ...then] of SEQUENCES) {
        now.it = checkoutStates[first]!;
        const page = await open(screen, language);
        if (!(await page.locator('.codes').isVisible())) await unfoldCode(page);
        const selectors = screen.hasTouch ? PHONE_PLACES : PLACES;
        const before = await places(page, selectors);
        for (const name of then) {
          await become(page, name);
          expect([name, await places(page, selectors)]).toEqual([name, before]);
        }
        expect(await shiftsOf(page)).toEqual([]);
      }
    },
  );
});

describe.each(Object.entries(SCREENS))('on %s', (_which, screen) => {
  it.each(Object.values(catalogues))(
    'nothing moves that is tapped, whatever is said of the payment or goes back ($name)',
    async ({ language }) => {
      for (const [first, ...then] of LATER_SEQUENCES) {
        now.it = checkoutStates[first]!;
        const page = await open(screen, language);
        const before = await places(page, LATER_PLACES);
        for (const name of then) {
          await become(page, name);
          expect([name, await places(page, LATER_PLACES)]).toEqual([name, before]);
        }
        expect([first, await shiftsOf(page)]).toEqual([first, []]);
      }
    },
  );
});

it('keeps the ways to pay where they are while fees change and one closes; who comes then has the cheapest first', async () => {
  const choose = checkoutStates.choose!;
  now.it = choose;
  const page = await open(SCREENS['a common phone']!);
  const order = (on: Page) => on.locator('.option').evaluateAll((all) => all.map(({ id }) => id));
  const before = await order(page);
  const options = choose.options.map((each) => {
    if (each.asset === 'BTC') return { ...each, feeMinor: 0n };
    return each.network === 'base' ? { ...each, closed: 'no_rate' as const } : each;
  });
  await become(page, { ...choose, options });
  expect(await page.locator('.option-closed').count()).toBe(1);
  expect(await order(page)).toEqual(before);
  await page.reload();
  expect(await order(page)).not.toEqual(before);
  expect(await page.locator('.option').first().textContent()).toContain('BTC');
});

it('tells a phone in a pocket of a part and of the rest, and of nothing else', async () => {
  now.it = checkoutStates.waiting!;
  const page = await open(SCREENS['a common phone']!);
  const buzzes = () => page.evaluate<number[]>('buzzes');
  await become(page, 'waiting-other-network');
  expect(await buzzes()).toHaveLength(0);
  await become(page, 'part');
  expect(await buzzes()).toHaveLength(1);
  await become(page, 'seen');
  await become(page, 'confirmed');
  expect(await buzzes()).toHaveLength(2);
});

it('has the details within a phone’s first view where something came that was not asked for', async () => {
  const page = await open(SCREENS['a common phone']!);
  for (const name of [
    'waiting-other-network',
    'waiting-other-arriving',
    'waiting-other-asked',
    'part-other-asset',
    'part',
  ]) {
    now.it = checkoutStates[name]!;
    await page.goto(`${pages.url}/pay/it?lang=en`);
    const { y, height } = (await page.locator('#record summary').boundingBox())!;
    const banner = (await page.locator('.sandbox-banner').boundingBox())!.height;
    expect([name, y + height - banner <= 844]).toEqual([name, true]);
  }
});
