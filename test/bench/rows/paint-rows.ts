import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../../support/browser/chromium.js';
import type { Stage } from '../stage.js';
import { median, type Row } from '../table.js';
import { goingChain, mustWait } from '../waiting-pages.js';
import { pickedIntent } from './checkout-rows.js';

/** A phone of a few years ago: its screen, and a processor that takes four times as long as this one. */
const SLOWED = 4;
const SCREEN = { width: 390, height: 844 };
/** What any page takes: one word, no style, no script. */
const BARE = '<!doctype html><title>x</title><p>x';

/** As many bytes as the page's document, and nothing to do with them but to lay out words. */
async function plainAs(address: string): Promise<string> {
  const { length } = Buffer.from(await (await fetch(address)).arrayBuffer());
  return BARE.padEnd(length, ' word');
}

/** Of the checkout that waits for the buyer's payment: from the navigation to its first paint, cold each time. */
export async function paint(stage: Stage): Promise<Row[]> {
  const { url: databaseUrl } = await stage.database();
  const service = await stage.service(databaseUrl, { chain: await goingChain(stage) });
  const { key } = await service.shop('bench', []);
  const id = await pickedIntent(service, key);
  const address = `${service.checkoutUrl}/pay/${id}`;
  const browser = await launchChromium();
  stage.onClear(() => browser.close());
  const loads = stage.quick ? 1 : 20;
  await painted(browser, address);
  const plain = await plainAs(address);
  const ours: number[] = [];
  const bare: number[] = [];
  const words: number[] = [];
  for (let i = 0; i < stage.repeats; i += 1) {
    const taken: Record<'ours' | 'bare' | 'words', number[]> = { ours: [], bare: [], words: [] };
    await mustWait(service, id);
    for (let load = 0; load < loads; load += 1) {
      taken.ours.push(await painted(browser, address));
      taken.bare.push(await painted(browser, address, BARE));
      taken.words.push(await painted(browser, address, plain));
    }
    await mustWait(service, id);
    ours.push(median(taken.ours));
    bare.push(median(taken.bare));
    words.push(median(taken.words));
  }
  const row = (what: string, values: readonly number[]): Row => ({
    name: `checkout page, first paint, processor slowed ${SLOWED} times`,
    unit: 'ms',
    values: ours,
    ceiling: { what, values },
  });
  return [
    row('a page of one word from the same address', bare),
    row('plain text of as many bytes as its document', words),
  ];
}

/** @param instead what the address answers with, where it is not the service's page */
async function painted(browser: Browser, address: string, instead?: string): Promise<number> {
  const context = await browser.newContext({
    viewport: SCREEN,
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
  });
  try {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWED });
    if (instead !== undefined)
      await page.route(address, (route) => route.fulfill({ contentType: 'text/html', body: instead }));
    await page.goto(address);
    return await firstPaintOf(page);
  } finally {
    await context.close();
  }
}

/** With something to read in it, in milliseconds since the navigation began. */
function firstPaintOf(page: Page): Promise<number> {
  return page.evaluate<number>(`new Promise((done) => {
    const ask = () => {
      const [paint] = performance.getEntriesByName('first-contentful-paint');
      if (paint) done(paint.startTime); else requestAnimationFrame(ask);
    };
    ask();
  })`);
}
