import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../support/browser/chromium.js';
import { cutWords } from '../support/browser/cut-text.js';
import { AXE_FILE, axeFindings, htmlFindings } from '../support/browser/inspection.js';
import { complaintsOf, movingParts, overflow, smallTargets, strayUnits } from '../support/browser/reading.js';
import { SCREENS } from '../support/browser/screens.js';
import { SandboxProcess } from '../support/service/sandbox.js';

let sandbox: SandboxProcess;
let browser: Browser;
let baseUrl: string;

beforeAll(async () => {
  sandbox = await SandboxProcess.create();
  ({ baseUrl } = await sandbox.start());
  browser = await launchChromium({ draws: false });
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
  const context = await browser.newContext({ reducedMotion: 'reduce', timezoneId: 'Europe/Zurich' });
  await context.addInitScript({ path: AXE_FILE });
  const page = await context.newPage();
  const complaints = complaintsOf(page);
  const response = await page.goto(`${baseUrl}/sandbox/parts`);
  const findings = await htmlFindings((await response?.text()) ?? '');
  await page.locator('details').evaluateAll((all) => {
    for (const one of all) one.setAttribute('open', '');
  });
  for (const [width, colorScheme] of SCREENS) {
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ colorScheme });
    findings.push(...(await axeFindings(page)).map((text) => `${width} ${colorScheme}: ${text}`));
    findings.push(...(await faces(page)).map((text) => `${width} ${colorScheme}: ${text}`));
    findings.push(...(await movingParts(page)));
    if ((await overflow(page)) > 0) findings.push(`too wide for ${width}`);
    findings.push(...(await strayUnits(page)).map((text) => `${width} ${colorScheme}: ${text}`));
    findings.push(...(await cutWords(page)).map((text) => `${width} cut: ${text}`));
  }
  expect([...findings, ...complaints]).toEqual([]);
  const [record, languages] = await Promise.all(
    ['#record', '.languages'].map((each) => page.locator(each).boundingBox()),
  );
  expect(record!.y + record!.height).toBeLessThanOrEqual(languages!.y);
  const fills = await page.evaluate<string[]>(
    "[...document.querySelectorAll('.face-sample .button-main')].map((one) => getComputedStyle(one).backgroundColor)",
  );
  expect(new Set(fills).size).toBe(6);
  // What is wrong comes first, and the field says it to whoever does not see it.
  const focused = page.locator(':focus');
  expect(await focused.getAttribute('aria-describedby')).toBe('wrong-flaw wrong-hint');
  expect(await page.locator('#wrong-flaw').textContent()).toBe('This is not an e-mail address.');
});

it('what the demo shop received fits every screen, folded out, and says its times as times', async () => {
  const intent = {
    id: 'pi_01jd6w3b9hq4v8n2m5x7c1z0k8t3yr',
    address: '0x52ab91c0D4e7F83b6A2951dcE08f47B3a96C1e5D',
  };
  const body = JSON.stringify({ type: 'payment.status', data: { intent: { ...intent, status: 'settled' } } });
  for (let i = 0; i < 12; i++) await fetch(`${baseUrl}/sandbox/webhook`, { method: 'POST', body });
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  await context.addInitScript({ path: AXE_FILE });
  const page = await context.newPage();
  const complaints = complaintsOf(page);
  const response = await page.goto(`${baseUrl}/sandbox/webhook`);
  const findings = await htmlFindings((await response?.text()) ?? '');
  expect(await page.locator('time[datetime]').first().textContent()).toMatch(
    /^\d+ \w+ \d{4}, [\d:]{8}\u00a0UTC$/,
  );
  await page.evaluate('document.querySelectorAll("details").forEach((one) => (one.open = true))');
  for (const [width, colorScheme] of SCREENS) {
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ colorScheme });
    findings.push(...(await axeFindings(page)).map((text) => `${width} ${colorScheme}: ${text}`));
    findings.push(...(await movingParts(page)));
    if ((await overflow(page)) > 0) findings.push(`too wide for ${width}`);
    if (width === 320) findings.push(...(await smallTargets(page)));
    // The numbers of the list stand within the page's margin.
    const { x } = (await page.locator('.run li').first().boundingBox())!;
    if (x < 16 + 24) findings.push(`a number outside of the margin at ${width}`);
  }
  expect([...findings, ...complaints]).toEqual([]);
  await context.close();
});
