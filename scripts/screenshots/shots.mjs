// One page on a phone and at a desk, in the light and in the dark, all of its height.
const SIZES = {
  phone: { width: 390, height: 844, hasTouch: true },
  desktop: { width: 1280, height: 900, hasTouch: false },
};
const SCHEMES = /** @type {const} */ (['light', 'dark']);

/** What a browser says of its reader. */
export const LOOK = { reducedMotion: 'reduce', locale: 'en-GB', timezoneId: 'UTC' };

export const at = (page, name, url) =>
  shots(page, name, async () => {
    const answer = await page.goto(url);
    const type = answer?.headers()['content-type'];
    if (!type?.startsWith('text/html')) throw new Error(`${url} is no page but ${type}`);
  });

/** @param load what is done to come to the page; `null` where it is there and cannot be asked for again */
export async function* shots(page, name, load) {
  const devtools = await page.context().newCDPSession(page);
  for (const [size, { hasTouch, ...viewport }] of Object.entries(SIZES)) {
    for (const colorScheme of SCHEMES) {
      await page.setViewportSize(viewport);
      await devtools.send('Emulation.setTouchEmulationEnabled', { enabled: hasTouch });
      await page.emulateMedia({ colorScheme });
      await load?.();
      await page.evaluate('scrollTo(0, 0)'); // a field with an error takes the focus, and the page goes there
      // Not `fullPage`, which is taken as if by a mouse.
      const height = await page.evaluate('document.documentElement.scrollHeight');
      await page.setViewportSize({ ...viewport, height: Math.max(height, viewport.height) });
      yield { name: `${name}-${size}-${colorScheme}`, image: await page.screenshot() };
    }
  }
  await devtools.detach();
}
