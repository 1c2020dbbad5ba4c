import jsqr from 'jsqr';
import type { Locator, Page } from 'playwright-core';
import { PNG } from 'pngjs';

/** What a phone's camera reads from the QR code that is on the screen now. */
export async function scan(page: Page, variant: 'amount' | 'address'): Promise<string | undefined> {
  // On a phone the code comes on request.
  if (!(await page.locator('.codes').isVisible()))
    await visible(page, 'label[for=qr-show], #go-code').click();
  if (!(await page.locator(`#qr-${variant}`).isChecked()))
    await visible(page, `label[for=qr-${variant}], #go-other-code`).click();
  const { data, width, height } = PNG.sync.read(await page.locator(`.code-${variant} svg`).screenshot());
  return jsqr.default(new Uint8ClampedArray(data), width, height)?.data;
}

/** Without a script there are links instead. */
function visible(page: Page, selector: string): Locator {
  return page.locator(selector).filter({ visible: true });
}

/** What copying by hand gives: one click selects the whole of it. */
export async function selected(target: Locator): Promise<string> {
  await target.click();
  return target.page().evaluate<string>('getSelection().toString()');
}

/** Everything that a developer would find red in the console: CSP violations, errors, failed loads. */
export function complaintsOf(page: Page, complaints: string[] = []): string[] {
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  return complaints;
}

/** Number of pixels by which the page is wider than the screen. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
}

/** What has begun to move on its way to its look: where nothing is drawn it would be judged as it was before. */
export function movingParts(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`document.getAnimations().map(({ effect }) =>
    'moves: ' + effect.target.outerHTML.slice(0, 120))`);
}

export function clipboard(page: Page): Promise<string> {
  return page.evaluate<string>('navigator.clipboard.readText()');
}

export const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] };

const TOUCHABLE = 'a, button, .tab, summary, select, textarea, input:not(.unseen, [type=hidden])';

/** What can be touched and is smaller than a fingertip; in one look, for which Playwright would ask about each target. */
export function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll('${TOUCHABLE}')].flatMap((target) => {
    const { width, height } = target.getBoundingClientRect();
    const isSeen = width > 0 && height > 0 && target.checkVisibility({ visibilityProperty: true });
    return isSeen && (width < 44 || height < 44) ? [target.textContent + ': ' + width + ' × ' + height] : [];
  })`);
}

/** Amounts of a table with a hole between the number and its unit, or with nothing between them. */
export async function strayUnits(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll('.number .sum')].flatMap((sum) => {
    const texts = document.createTreeWalker(sum, NodeFilter.SHOW_TEXT);
    const boxes = [];
    while (texts.nextNode()) {
      const { currentNode } = texts;
      const text = currentNode.textContent;
      if (text.trim() === '' || currentNode.parentElement.getClientRects().length === 0) continue;
      const range = document.createRange();
      range.setStart(currentNode, text.search(/\\S/));
      range.setEnd(currentNode, text.trimEnd().length);
      boxes.push({ box: range.getBoundingClientRect(), isUnit: currentNode.parentElement.matches('.unit') });
    }
    return boxes.flatMap(({ box, isUnit }, at) => {
      const before = boxes[at - 1];
      if (!before || Math.abs(before.box.bottom - box.bottom) > 2) return [];
      const gap = box.left - before.box.right;
      if (gap > 8) return ['a unit apart from its number, ' + sum.innerText];
      return (isUnit || before.isUnit) && gap < 2 ? ['a unit glued to its number, ' + sum.innerText] : [];
    });
  })`);
}
