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

/** The installed Chromium, headless, with a profile of its own that is deleted on close. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) {
    throw new Error('No Chromium was found. Run `node scripts/ensure.mjs --browser`, or set CHROMIUM_PATH.');
  }
  // Chromium's sandbox does not work for root.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath, headless: true, args: [...QUIET, ...sandbox] });
}
