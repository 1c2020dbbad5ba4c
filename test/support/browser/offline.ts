import type { Page } from 'playwright-core';

/** Until a question really goes nowhere: one that is asked at once may still be answered. */
export async function goOffline(page: Page): Promise<void> {
  await page.context().setOffline(true);
  await page.waitForFunction(
    `fetch(document.querySelector('link[rel=icon]').href, { cache: 'no-store' }).then(() => false, () => true)`,
  );
}
