import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchChromium } from '../support/browser/chromium.js';
import { forcedColourFindings } from '../support/browser/forced-colours.js';
import { AXE_FILE, axeFindings, htmlFindings } from '../support/browser/inspection.js';
import { enlargedFindings, keyboardFindings } from '../support/browser/keyboard.js';
import { complaintsOf, overflow } from '../support/browser/reading.js';
import { SCREENS } from '../support/browser/screens.js';
import { Service } from '../support/service/service.js';

const PATHS = ['/', '/docs', '/problems', '/problems/validation-error', '/nothing-of-this-name'];
const PHONE = { width: 390, height: 844 };

let service: Service;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  service = await Service.start();
  browser = await launchChromium();
  context = await browser.newContext({ reducedMotion: 'reduce' });
  await context.addInitScript({ path: AXE_FILE });
  page = await context.newPage();
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

it.each(PATHS)('%s is accessible and valid, and fits phone and desk by day and by night', async (path) => {
  const complaints = complaintsOf(page);
  const response = await page.goto(service.url + path);
  const findings = await htmlFindings((await response?.text()) ?? '');
  for (const [width, colorScheme] of SCREENS) {
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ colorScheme });
    await page.reload();
    await page.evaluate('document.querySelectorAll("details").forEach((one) => (one.open = true))');
    findings.push(...(await axeFindings(page)).map((text) => `${width} ${colorScheme}: ${text}`));
    findings.push(...(await forcedColourFindings(page)).map((text) => `forced colours: ${text}`));
    if ((await overflow(page)) > 0) findings.push(`too wide for ${width}`);
    expect(await page.locator('h1').count()).toBe(1);
  }
  await page.setViewportSize({ width: 320, height: 256 });
  await page.goto(service.url + path);
  findings.push(...(await enlargedFindings(page)), ...(await keyboardFindings(page)));
  // The console reports the status of an error page itself.
  expect([...findings, ...complaints.filter((text) => !text.includes('status of 404'))]).toEqual([]);
});

it('stands in the frame of the dashboard: a column of places that a button opens on a phone', async () => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(`${service.url}/docs`);
  const frame = () => page.locator('.side').boundingBox();
  expect(await frame()).toMatchObject({ x: 0, width: 224 });
  for (const path of PATHS) {
    await page.goto(service.url + path);
    expect([path, (await frame())?.width]).toEqual([path, 224]);
  }
  await page.setViewportSize(PHONE);
  await page.goto(`${service.url}/docs`);
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('link', { name: 'Webhooks' }).click();
  // It would cover what was gone to.
  await page.locator('#places').waitFor({ state: 'hidden' });
  const top = (await page.locator('#webhooks').boundingBox())!.y;
  expect(Math.abs(top)).toBeLessThan(40);
});

it('says in its contents which part is read', async () => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(`${service.url}/docs`);
  const here = page.locator('.contents [aria-current]');
  await page.locator('.contents a', { hasText: 'Create an intent' }).and(here).waitFor();
  await page.locator('.contents a', { hasText: 'Limits' }).click();
  await page.locator('.contents a', { hasText: 'Limits' }).and(here).waitFor();
  expect(await here.count()).toBe(1);
});

it('has rows that are cards on a phone, and none of a code that is cut', async () => {
  await page.setViewportSize(PHONE);
  await page.goto(`${service.url}/docs`);
  const cut = await page.evaluate<string[]>(`[...document.querySelectorAll('main td')]
    .filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent)`);
  expect(cut).toEqual([]);
  const border = "getComputedStyle(document.querySelector('main td')).borderBottomWidth";
  expect(await page.evaluate<string>(border)).toBe('0px');
});
