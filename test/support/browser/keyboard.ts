import type { Page } from 'playwright-core';

/** Beyond it a page would be a trap. */
const MOST_STOPS = 400;

/**
 * What Tab has to reach, in the order of the document: of a group of choices the one that is chosen, or the first. What is
 * folded away, hidden or switched off is not. The number of each is kept on it.
 */
const NUMBER_STOPS = `{
  const seen = new Set();
  const isStop = (one) => {
    if (one.tabIndex < 0 || one.disabled || !one.checkVisibility({ visibilityProperty: true })) return false;
    if (one.type !== 'radio') return true;
    const group = [...document.getElementsByName(one.name)].filter((each) => each.form === one.form);
    if ((group.find(({ checked }) => checked) ?? group[0]) !== one) return false;
    return true;
  };
  globalThis.stops = [...document.querySelectorAll(
    'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex]')].filter(isStop);
  document.activeElement?.blur();
  stops.map((one) => one.outerHTML.slice(0, 120));
}`;

/** The stop where the focus is, and what is wrong with how it is seen; -1 where it is on none, -2 where it is nowhere. */
const LOOK = `(() => {
  const one = document.activeElement;
  if (!one || one === document.body || one === document.documentElement) return [-2, ''];
  // The browser's own rings are what somebody sees who has them; unseen fields are shown by their labels.
  const shown = [one, ...(one.labels ?? []), one.closest('.choice, .tab, label')].filter((each) => each);
  const styles = shown.map((each) => getComputedStyle(each));
  const isRinged = styles.some(({ outlineStyle, outlineWidth }) => outlineStyle !== 'none' && parseFloat(outlineWidth) > 0);
  const boxes = shown.flatMap((each) => [...each.getClientRects()].map((box) => ({ each, box })));
  const isThere = boxes.some(({ each, box }) => {
    const [left, right] = [Math.max(box.left, 0), Math.min(box.right, innerWidth)];
    const [top, bottom] = [Math.max(box.top, 0), Math.min(box.bottom, innerHeight)];
    if (right - left < 4 || bottom - top < 4) return false;
    const found = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return found !== null && (each.contains(found) || found.contains(each));
  });
  return [stops.indexOf(one), [...(isRinged ? [] : ['no ring']), ...(isThere ? [] : ['out of sight'])].join(', ')];
})()`;

/** Goes through the page by Tab: whatever can be operated is reached, in the order of the document, and seen when it is. */
export async function keyboardFindings(page: Page): Promise<string[]> {
  const stops = await page.evaluate<string[]>(NUMBER_STOPS);
  const findings: string[] = [];
  const visited: number[] = [];
  for (let presses = 0; presses < MOST_STOPS; presses += 1) {
    await page.keyboard.press('Tab');
    const [stop, flaw] = await page.evaluate<[number, string]>(LOOK);
    if (stop === visited[0] || (stop === -2 && visited.length >= stops.length)) break;
    // A box that scrolls, the browser's own frame, or the next part of a date.
    if (stop < 0 || stop === visited.at(-1)) continue;
    visited.push(stop);
    if (flaw !== '') findings.push(`${flaw}: ${stops[stop]}`);
  }
  const first = visited.indexOf(Math.min(...visited));
  const order = [...visited.slice(first), ...visited.slice(0, first)];
  const unreached = stops.filter((_, i) => !visited.includes(i));
  findings.push(...unreached.map((stop) => `not reached by Tab: ${stop}`));
  if (order.some((stop, i) => i > 0 && stop <= order[i - 1]!))
    findings.push(`reached in the order ${order.join(' ')}`);
  return findings;
}

/**
 * What has to be moved sideways on a screen that is narrow, or is cut off there, or stands before everything else while it
 * scrolls. Code may scroll, and what is typed into a field (WCAG 2.2, 1.4.10 leaves out what has two dimensions).
 */
const ENLARGED = `[...document.body.querySelectorAll('*')].flatMap((one) => {
  if (!one.checkVisibility() || one.matches('input, textarea') || one.closest('svg, pre, .unseen')) return [];
  const { overflowX, position, textOverflow } = getComputedStyle(one);
  const what = one.outerHTML.slice(0, 120);
  const { height } = one.getBoundingClientRect();
  return [
    ...(overflowX !== 'visible' && textOverflow !== 'ellipsis' && one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 2
      ? [overflowX + ' ' + one.scrollWidth + ' in ' + one.clientWidth + ': ' + what] : []),
    ...(/fixed|sticky/.test(position) && height > innerHeight / 3 ? [position + ', ' + height + ' px high: ' + what] : []),
  ];
})`;

/** What is folded away is part of the page too. */
export async function unfold(page: Page): Promise<void> {
  await page.evaluate("document.querySelectorAll('details').forEach((each) => (each.open = true))");
}

/** For a screen of 320 × 256: a desk's 1280 × 1024 at 400 %. */
export function enlargedFindings(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(ENLARGED);
}
