import type { Browser, BrowserContext, Page, Response } from 'playwright-core';
import { launchChromium } from '../../support/browser/chromium.js';
import { AXE_FILE, axeFindings, htmlFindings } from '../../support/browser/inspection.js';
import { movingParts, overflow } from '../../support/browser/reading.js';
import { type Example, exampleShop } from '../../support/dashboard/dashboard-examples.js';
import { dashboardRoutes } from '../../support/dashboard/dashboard-routes.js';
import { makeOperator } from '../../support/dashboard/dashboard-stage.js';
import { SILENT_CHAIN } from '../../support/nodes/wallet.js';
import { Service } from '../../support/service/service.js';

jest.setTimeout(600_000);

/** A phone by day, a desk at night. */
const SCREENS = [
  { width: 360, height: 740, colorScheme: 'light' },
  { width: 1280, height: 900, colorScheme: 'dark' },
] as const;

let service: Service;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let shop: Example;

beforeAll(async () => {
  service = await Service.start({
    chain: SILENT_CHAIN,
    standsAt: 1_000,
    env: {
      RATE_LIMIT_FAILED_AUTH_PER_MINUTE: '1000',
      SMTP_URL: 'smtp://127.0.0.1:9',
      MAIL_FROM: 'Rappen <pay@rappen.example>',
    },
  });
  shop = await exampleShop(service, 'Example Shop');
  browser = await launchChromium({ draws: false });
  context = await browser.newContext({ reducedMotion: 'reduce' });
  await context.addInitScript({ path: AXE_FILE });
  page = await context.newPage();
  const { owner } = shop; // whose own pages have something to show
  await makeOperator(service, owner);
  await context.addCookies([{ ...owner.sessionCookie, url: service.url }]);
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

const FORMS = `[...document.querySelectorAll('main form[method=post]')].filter((form) =>
  [...form.elements].some((field) => field.matches('input:not([type=hidden], [readonly], [type=checkbox], [type=radio]), textarea')))`;

/** Sends a form of the page with what nobody should type, past what the browser itself would hold back. */
async function sendWrong(index: number): Promise<Response | null> {
  const answer = page.waitForNavigation();
  await page.evaluate(`{
    const form = ${FORMS}[${index}];
    for (const field of form.elements)
      if (field.matches('input:not([type=hidden], [readonly], [type=checkbox], [type=radio], [type=file]), textarea'))
        field.value = 'x'.repeat(1100);
    HTMLFormElement.prototype.submit.call(form);
  }`);
  return answer;
}

/** @param turn axe looks at one screen of each form, at the other one of the next: the parts are tried on both (`parts`) */
async function findingsOn(response: Response, turn: number): Promise<string[]> {
  const findings = await htmlFindings(await response.text());
  for (const [i, { colorScheme, ...size }] of SCREENS.entries()) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme });
    const where = `${size.width} ${colorScheme}`;
    if (turn % SCREENS.length === i)
      findings.push(...(await axeFindings(page)).map((text) => `${where}: ${text}`));
    findings.push(...(await movingParts(page)));
    if ((await overflow(page)) > 0) findings.push(`${where}: too wide`);
  }
  const first = page.locator('main [aria-invalid=true]').first();
  const isFocused = await page.evaluate<boolean>(
    `document.activeElement === document.querySelector('main [aria-invalid=true]')`,
  );
  if (!isFocused || !(await first.isVisible())) findings.push('the focus is not on the first wrong field');
  return findings;
}

it('every form that is refused is accessible and valid, fits every screen, and has its focus where something is wrong', async () => {
  const findings: string[] = [];
  const refused: string[] = [];
  for (const { path } of dashboardRoutes(service.app).filter(({ method }) => method === 'GET')) {
    const address = service.url + shop.at(path);
    if (/\.(csv|json)$/.test(path)) continue;
    await page.goto(address);
    const count = await page.evaluate<number>(`${FORMS}.length`);
    for (let i = 0; i < count; i += 1) {
      if (i > 0) await page.goto(address);
      const response = await sendWrong(i);
      if (!response || response.status() < 400) continue;
      refused.push(`${path} ${i}`);
      findings.push(...(await findingsOn(response, refused.length)).map((text) => `${path} ${i}: ${text}`));
    }
  }
  expect(findings).toEqual([]);
  expect(refused.length).toBeGreaterThan(20);
});

it('the focus is on the field without a script too, and the link above leads to it', async () => {
  const drawing = await launchChromium();
  try {
    const plain = await drawing.newContext({ javaScriptEnabled: false });
    const tab = await plain.newPage();
    await tab.goto(`${service.url}/dashboard/sign-in`);
    await tab.getByLabel('E-mail').fill('nobody@staff.example');
    await tab.getByLabel('Password').fill('not the password');
    await tab.getByRole('button', { name: 'Sign in', exact: true }).click();
    await tab.getByRole('alert').waitFor();
    expect(await tab.locator(':focus').getAttribute('id')).toBe('password');
    expect(await tab.getByLabel('E-mail').inputValue()).toBe('nobody@staff.example');
    expect(await tab.getByLabel('Password').inputValue()).toBe('');
    await tab.getByRole('link', { name: 'One field needs another answer' }).click();
    expect(new URL(tab.url()).hash).toBe('#password');
  } finally {
    await drawing.close();
  }
});
