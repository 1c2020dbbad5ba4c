import { basename } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { findChromium } from '../../../scripts/ensure/chromium.mjs';

// Without these Chromium asks Google's servers at every start, which a closed network refuses, many at a time.
const QUIET = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * It lays a page out when it is asked about it, and draws none: a third less processor time. Styles, sizes, focus and keys
 * are there as ever; what waits for a frame never comes, such as Playwright's clicks, pictures and transitions.
 */
const UNDRAWN = '--enable-begin-frame-control';

/** For what hangs, and less than a test may take, so that what was waited for is said. */
const WAITS_MS = 120_000;

export interface ChromiumOptions {
  /** False for pages that are only measured, where the browser can do that. */
  readonly draws?: boolean;
}

/** The installed Chromium, headless, with a profile of its own that is deleted on close. */
export async function launchChromium({ draws = true }: ChromiumOptions = {}): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) {
    throw new Error('No Chromium was found. Run `node scripts/ensure.mjs --browser`, or set CHROMIUM_PATH.');
  }
  // Chromium's sandbox does not work for root.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const canSpareFrames = process.platform === 'linux' && basename(executablePath).includes('headless-shell');
  const frames = draws || !canSpareFrames ? [] : [UNDRAWN];
  const args = [...QUIET, ...sandbox, ...frames];
  const browser = await chromium.launch({ executablePath, headless: true, args });
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.setDefaultTimeout(WAITS_MS);
    return context;
  };
  return browser;
}
