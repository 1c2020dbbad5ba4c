const { checkoutStates } = await import('../../test/support/checkout/checkout-states.ts');
const { BrowserWallet } = await import('../../test/support/browser/browser-wallet.ts');
const { Pages } = await import('../../test/support/checkout/pages.ts');

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, deviceScaleFactor: 2 };
const DESK = { viewport: { width: 1280, height: 900 }, deviceScaleFactor: 1 };

/** A name that says what the buyer sees, and the fixture that shows it. A new page of the checkout adds its line. */
const PICTURES = {
  choose: 'choose',
  'choose-some-closed': 'choose-some-closed',
  suspended: 'suspended',
  waiting: 'waiting',
  'waiting-bitcoin': 'waiting-btc',
  blind: 'blind-other',
  'too-late': 'too-late',
  'waiting-wrong-network': 'waiting-other-network',
  part: 'part',
  seen: 'seen',
  confirmed: 'confirmed',
  withheld: 'withheld',
  settled: 'settled',
  'settled-overpaid': 'settled-overpaid',
  'expired-unpaid': 'expired-unpaid',
  'expired-with-money': 'expired-short',
  'expired-refund-asked': 'expired-asked',
  'expired-part-refunded': 'expired-part-refunded',
  'expired-refunded': 'expired-refunded',
  failed: 'failed',
  cancelled: 'cancelled',
  'not-found': 'nothing-of-this-name',
};
/** Wide enough for two columns, where the page has them. */
const ON_A_DESK = ['choose', 'waiting'];

/** Without the sandbox's banner: the pictures are of the product. */
export async function* checkoutPictures(browser) {
  const pages = await Pages.start(checkoutStates, 'production');
  try {
    for (const [name, fixture] of Object.entries(PICTURES)) {
      const url = `${pages.url}/pay/${fixture}`;
      for (const colorScheme of ['light', 'dark']) {
        yield { name: `${name}-${colorScheme}`, image: await taken(browser, url, { ...PHONE, colorScheme }) };
      }
      if (!ON_A_DESK.includes(name)) continue;
      const image = await taken(browser, url, { ...DESK, colorScheme: 'light' });
      yield { name: `${name}-desktop-light`, image };
    }
    const waiting = `${pages.url}/pay/waiting`;
    for (const colorScheme of ['light', 'dark']) {
      const openApps = (page) => page.locator('#open-wallet').click();
      const onPhone = await taken(browser, waiting, { ...PHONE, colorScheme }, openApps);
      yield { name: `waiting-apps-${colorScheme}`, image: onPhone };
      const atDesk = await taken(browser, waiting, { ...DESK, colorScheme, wallet: 'MetaMask' });
      yield { name: `waiting-wallet-desktop-${colorScheme}`, image: atDesk };
    }
  } finally {
    await pages.stop();
  }
}

/** @param {(page: any) => Promise<void>} [act] */
async function taken(browser, url, /** @type {Record<string, any>} */ { wallet, ...options }, act) {
  const context = await browser.newContext({ ...options, reducedMotion: 'reduce' });
  if (wallet) await new BrowserWallet('', '').announceIn(context, wallet);
  // The countdown stands still, or every run would change the pictures.
  await context.addInitScript('performance.now = () => 0; performance.getEntriesByType = () => [];');
  const page = await context.newPage();
  await page.goto(url);
  await page.waitForLoadState('load');
  await act?.(page);
  const image = await page.screenshot();
  await context.close();
  return image;
}
