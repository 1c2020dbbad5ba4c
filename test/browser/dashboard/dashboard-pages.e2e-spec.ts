import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchChromium } from '../../support/browser/chromium.js';
import { forcedColourFindings } from '../../support/browser/forced-colours.js';
import { AXE_FILE, axeFindings, htmlFindings } from '../../support/browser/inspection.js';
import { enlargedFindings, keyboardFindings } from '../../support/browser/keyboard.js';
import { complaintsOf, movingParts, overflow } from '../../support/browser/reading.js';
import { type Example, exampleShop } from '../../support/dashboard/dashboard-examples.js';
import { dashboardRoutes } from '../../support/dashboard/dashboard-routes.js';
import { makeOperator } from '../../support/dashboard/dashboard-stage.js';
import { Service } from '../../support/service/service.js';

/** A desk at night, in English; the narrowest of all by day, in German, whose words are longer, is the other end of all three. */
const DESK = { width: 1280, height: 900, colorScheme: 'dark' } as const;

/** A choice lays its box beside its words: they have to be one part of it. */
const HAS_PIECES = `[...document.querySelectorAll('.choice')].some((choice) =>
  [...choice.childNodes].filter((part) => part.nodeType === 1 || part.textContent.trim() !== '').length > 2)`;

jest.setTimeout(900_000);

let service: Service;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let complaints: string[];
let shop: Example;

beforeAll(async () => {
  service = await Service.start({ env: { RATE_LIMIT_FAILED_AUTH_PER_MINUTE: '1000' } });
  shop = await exampleShop(service, 'Example Shop');
  browser = await launchChromium({ draws: false });
  context = await browser.newContext({ reducedMotion: 'reduce', timezoneId: 'Asia/Tokyo', locale: 'en-GB' });
  await context.addInitScript({ path: AXE_FILE });
  page = await context.newPage();
  complaints = complaintsOf(page);
  const { owner } = shop; // whose own pages have something to show
  await makeOperator(service, owner);
  await context.addCookies([{ ...owner.sessionCookie, url: service.url }]);
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

it('every page is accessible and valid, fits a desk, and keeps its lines in the reader’s own colours', async () => {
  await page.setViewportSize(DESK);
  await page.emulateMedia({ colorScheme: DESK.colorScheme });
  const pages = dashboardRoutes(service.app).filter(({ method }) => method === 'GET');
  const findings: string[] = [];
  for (const { path } of pages)
    findings.push(...(await inspect(shop.at(path))).map((text) => `${path}: ${text}`));
  findings.push(...(await inspect('/dashboard/nothing-of-this-name')).map((text) => `error page: ${text}`));
  expect(findings).toEqual([]);
});

/** A desk's 1280 × 1024 at 400 %, which is the width of the smallest phone. */
const ENLARGED = { width: 320, height: 256 };

it('in German, enlarged four times, every page is accessible, fits, and is gone through by Tab, with no label in pieces', async () => {
  const german = await browser.newContext({ locale: 'de-CH', viewport: ENLARGED, reducedMotion: 'reduce' });
  await german.addInitScript({ path: AXE_FILE });
  await german.addCookies(await context.cookies(service.url));
  const phone = await german.newPage();
  const findings: string[] = [];
  for (const { path } of dashboardRoutes(service.app).filter(({ method }) => method === 'GET')) {
    const [type = '', status] = await look(shop.at(path));
    if (!type.startsWith('text/html') || status !== 200) continue;
    await phone.goto(service.url + shop.at(path));
    const excess = await overflow(phone);
    if (excess > 0) findings.push(`${path}: ${excess} px too wide`);
    if ((await phone.locator('html').getAttribute('lang')) !== 'de') findings.push(`${path}: not in German`);
    findings.push(...(await axeFindings(phone)).map((text) => `${path}: ${text}`));
    if (await phone.evaluate<boolean>(HAS_PIECES)) findings.push(`${path}: a choice is in pieces`);
    findings.push(...(await enlargedFindings(phone)).map((text) => `${path}: ${text}`));
    findings.push(...(await forcedColourFindings(phone)).map((text) => `${path}: forced colours: ${text}`));
    findings.push(...(await keyboardFindings(phone)).map((text) => `${path}: by keyboard: ${text}`));
  }
  expect(findings).toEqual([]);
  await german.close();
});

it('in the reader’s own colours only the tab and the place where one is have a line', async () => {
  await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' });
  await page.setViewportSize(DESK);
  await page.goto(`${service.url}/dashboard/settings`);
  const lines = (selector: string, side: string) =>
    page.evaluate<boolean[]>(`[...document.querySelectorAll('${selector}')].map((one) =>
      getComputedStyle(one).border${side}Color !== getComputedStyle(document.body).backgroundColor)`);
  const tabs = await lines('.tabs a', 'Bottom');
  const places = await lines('.place', 'Left');
  expect([tabs[0], tabs.slice(1).includes(true)]).toEqual([true, false]);
  expect([places.at(-1), places.slice(0, -1).includes(true)]).toEqual([true, false]);
  await page.emulateMedia({ forcedColors: 'none' });
});

it('tells times in the reader’s zone, and keeps the server’s on hover', async () => {
  await page.goto(service.url + shop.at('/dashboard/settings/people/:id'));
  const time = page.locator('time[title$=" UTC"]').first();
  const at = new Date((await time.getAttribute('datetime')) ?? '');
  const local = new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'Asia/Tokyo',
  });
  expect(await time.textContent()).toBe(local.format(at));
});

/** Files (CSV) and other people's things are no pages. */
async function inspect(path: string): Promise<string[]> {
  const [type = '', status] = await look(path);
  if (!type.startsWith('text/html') || (status === 404 && !path.endsWith('nothing-of-this-name'))) return [];
  complaints.length = 0;
  const response = await page.goto(service.url + path);
  const findings = await htmlFindings((await response?.text()) ?? '');
  findings.push(...(await axeFindings(page)));
  findings.push(...(await forcedColourFindings(page)).map((text) => `forced colours: ${text}`));
  findings.push(...(await movingParts(page)));
  const excess = await overflow(page);
  if (excess > 0) findings.push(`${excess} px too wide`);
  if ((await page.locator('h1').count()) !== 1) findings.push('has not one title');
  if ((await page.locator('main .button-main').count()) > 1)
    findings.push('has more than one primary action');
  // The console reports the status of an error page itself; nothing else may be there.
  return [...findings, ...complaints.filter((text) => !text.includes(`status of ${response?.status()}`))];
}

async function look(path: string): Promise<[string | undefined, number]> {
  const [cookie] = await context.cookies(service.url);
  const headers = { accept: 'text/html', cookie: `${cookie!.name}=${cookie!.value}` };
  const response = await fetch(service.url + path, { headers });
  await response.body?.cancel();
  return [response.headers.get('content-type') ?? undefined, response.status];
}
