import type { Page } from 'playwright-core';

/** For the page itself: keeps what moves on it from now on, with the time of the page. */
export const KEEP_SHIFTS = `
  globalThis.shifts = [];
  globalThis.moving = [];
  new PerformanceObserver((list) =>
    shifts.push(...list.getEntries().filter(({ hadRecentInput }) => !hadRecentInput).map(({ value, startTime: at }) => ({ value, at }))),
  ).observe({ type: 'layout-shift' });`;

/**
 * What is meant to move something, such as what a buyer unfolds. The browser counts as a person's own only what moves within half a
 * second of their input, and a busy machine takes longer for that frame.
 */
export async function moving<Done>(page: Page, act: () => Promise<Done>): Promise<Done> {
  await page.evaluate('moving.push({ from: performance.now() })');
  const done = await act();
  // What it has moved is in a frame before these are over, and is told after it.
  await page.evaluate(`new Promise((over) => requestAnimationFrame(() => requestAnimationFrame(over)))
    .then(() => (moving.at(-1).until = performance.now()))`);
  return done;
}

/** What has moved since, but for what was meant to. */
export const shiftsOf = (page: Page): Promise<number[]> =>
  page.evaluate<number[]>(
    `shifts.filter(({ at }) => !moving.some(({ from, until }) => at > from && at <= until)).map(({ value }) => value)`,
  );
