import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../support/chromium.js';
import { SandboxProcess } from '../support/sandbox.js';
import { AXE_FILE, axeFindings, htmlFindings } from './inspection.js';
import { complaintsOf, overflow } from './reading.js';

jest.setTimeout(300_000);

let sandbox: SandboxProcess;
let browser: Browser;

beforeAll(async () => {
  sandbox = await SandboxProcess.create();
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  await sandbox.dispose();
});

/** What is wrong with the merchants' faces: a colour that is not there, a picture that was not drawn. */
function faces(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll('.face-sample')].flatMap((sample) => {
    const what = sample.getAttribute('aria-label');
    const line = (selector) => getComputedStyle(sample.querySelector(selector)).borderBottomColor;
    const [bill, letter] = [line('.bill'), line('.letter-head')];
    const pictures = [...sample.querySelectorAll('img')];
    const undrawn = pictures.filter((one) => !one.complete || one.naturalWidth !== 2 * one.width);
    return [
      ...(bill === letter ? [] : [what + ': ' + bill + ' on the page, ' + letter + ' in the mail']),
      ...(undrawn.length > 0 ? [what + ': ' + undrawn.length + ' pictures not drawn'] : []),
      ...([0, 2].includes(pictures.length) ? [] : [what + ': ' + pictures.length + ' pictures']),
    ];
  })`);
}

it('every part is accessible and valid in every state, and fits every screen', async () => {
  const { baseUrl } = await sandbox.start();
  const context = await browser.newContext({ reducedMotion: 'reduce', timezoneId: 'Europe/Zurich' });
  await context.addInitScript({ path: AXE_FILE });
  const page = await context.newPage();
  const complaints = complaintsOf(page);
  const response = await page.goto(`${baseUrl}/sandbox/parts`);
  const findings = await htmlFindings((await response?.text()) ?? '');
  await page.locator('details').evaluateAll((all) => {
    for (const one of all) one.setAttribute('open', '');
  });
  for (const [width, colorScheme] of [
    [320, 'light'],
    [390, 'dark'],
    [1280, 'light'],
    [1280, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ colorScheme });
    findings.push(...(await axeFindings(page)).map((text) => `${width} ${colorScheme}: ${text}`));
    findings.push(...(await faces(page)).map((text) => `${width} ${colorScheme}: ${text}`));
    if ((await overflow(page)) > 0) findings.push(`too wide for ${width}`);
  }
  expect([...findings, ...complaints]).toEqual([]);
  const fills = await page.evaluate<string[]>(
    "[...document.querySelectorAll('.face-sample .button-main')].map((one) => getComputedStyle(one).backgroundColor)",
  );
  expect(new Set(fills).size).toBe(6);
  // What is wrong comes first, and the field says it to whoever does not see it.
  const focused = page.locator(':focus');
  expect(await focused.getAttribute('aria-describedby')).toBe('wrong-flaw wrong-hint');
  expect(await page.locator('#wrong-flaw').textContent()).toBe('This is not an e-mail address.');
});
