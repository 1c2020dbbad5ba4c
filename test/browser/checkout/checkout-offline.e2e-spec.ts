import type { Browser, Page } from 'playwright-core';
import { en } from '../../../src/modules/checkout/catalogue/en.js';
import { PATHS } from '../../support/browser/checkout-paths.js';
import { launchChromium } from '../../support/browser/chromium.js';
import { goOffline } from '../../support/browser/offline.js';
import { checkoutStates } from '../../support/checkout/checkout-states.js';
import { Pages } from '../../support/checkout/pages.js';

const TAPPABLE = 'a[href], button, summary, label';

let pages: Pages;
let browser: Browser;
/** Led from path to path: a new one for each would take longer than all that is done on it. */
let page: Page;

beforeAll(async () => {
  pages = await Pages.start(checkoutStates);
  browser = await launchChromium();
  page = await browser.newPage({ viewport: { width: 390, height: 844 }, hasTouch: true });
});

afterAll(async () => {
  await browser.close();
  await pages.stop();
});

/**
 * Taps everything on the page, folded or not, and gives what does not stay or does not say so. @returns `led` as well: how
 * many would have led to another page
 */
const TAP_ALL = `(async () => {
  // Last of all, so that the page's own script has had its say: a window of its own is nothing to look at here.
  addEventListener('click', (event) => event.target.closest('a[target]') && event.preventDefault());
  for (const details of document.querySelectorAll('details')) details.open = true;
  for (const input of document.querySelectorAll('.input[required]')) input.value ||= 'mine';
  const unsent = document.getElementById('unsent');
  const leading = 'button[type=submit], a[href^="/"]:not([target]), a[href^="?"], a[href^="http"]:not([target])';
  const silent = [];
  let led = 0;
  for (const tapped of document.querySelectorAll(${JSON.stringify(TAPPABLE)})) {
    tapped.click();
    if (!tapped.matches(leading)) continue;
    led += 1;
    // Looks and no seconds: a machine that stands still takes none of them away.
    for (let looks = 0; unsent.hidden && looks < 1000; looks += 1) await new Promise((done) => setTimeout(done, 5));
    if (unsent.hidden || unsent.textContent !== ${JSON.stringify(en.unsent.away)}) silent.push(tapped.outerHTML.slice(0, 120));
  }
  return { silent, led };
})()`;

it.each(PATHS)('stays on %s and says so, whatever is tapped without a network', async (path) => {
  await page.context().setOffline(false);
  await page.goto(`${pages.url}/pay/${path}`);
  await page.evaluate('globalThis.neverReloaded = true');
  await goOffline(page);
  const here = page.url();
  // What leads away ends the script: this fails then, and says that its page is gone.
  const { silent, led } = await page.evaluate<{ silent: string[]; led: number }>(TAP_ALL);
  expect([silent, page.url(), await page.evaluate("'neverReloaded' in globalThis")]).toEqual([
    [],
    here,
    true,
  ]);
  expect(led).toBeGreaterThan(0);
});
