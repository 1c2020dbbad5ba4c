import type { Browser, BrowserContext, Page } from 'playwright-core';
import { DataSource } from 'typeorm';
import { launchChromium } from '../../support/browser/chromium.js';
import { AXE_FILE, axeFindings, htmlFindings } from '../../support/browser/inspection.js';
import { overflow } from '../../support/browser/reading.js';
import { exampleShop } from '../../support/dashboard/dashboard-examples.js';
import { Staff } from '../../support/dashboard/staff.js';
import { Service } from '../../support/service/service.js';

let service: Service;
let browser: Browser;
let staff: Staff;

beforeAll(async () => {
  service = await Service.start();
  const { merchantId } = await exampleShop(service, 'Example Shop');
  staff = await Staff.of(service, { merchantId, role: 'reviewer' });
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

async function pageOf(options: Parameters<Browser['newContext']>[0]): Promise<Page> {
  const context: BrowserContext = await browser.newContext({ reducedMotion: 'reduce', ...options });
  await context.addCookies([{ ...staff.sessionCookie, url: service.url }]);
  if (options?.javaScriptEnabled !== false) await context.addInitScript({ path: AXE_FILE });
  return context.newPage();
}

it('on the smallest phone and without a script a view is saved, opened, renamed and deleted', async () => {
  const page = await pageOf({ javaScriptEnabled: false, viewport: { width: 320, height: 640 } });
  const views = page.getByRole('navigation', { name: 'Your saved views' });
  await page.goto(`${service.url}/dashboard/payments?show=waiting`);
  await page.getByRole('searchbox', { name: 'Search' }).fill('1001');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('link', { name: 'Save this view' }).click();
  await page.getByLabel('Name').fill('Order of today');
  await page.getByRole('button', { name: 'Save the view' }).click();
  await page.goto(`${service.url}/dashboard/payments`);
  await views.getByRole('link', { name: 'Order of today' }).click();
  expect(new URL(page.url()).search).toBe('?show=waiting&q=1001');
  await page.getByRole('link', { name: 'Order 1001' }).waitFor();
  await page.getByRole('link', { name: 'Rename or delete' }).click();
  await page.getByLabel('Name').fill('Order of yesterday');
  await page.getByRole('button', { name: 'Rename the view' }).click();
  await views.getByRole('link', { name: 'Order of yesterday' }).waitFor();
  await page.getByRole('link', { name: 'Rename or delete' }).click();
  await page.getByRole('button', { name: 'Delete the view' }).click();
  await page.getByRole('link', { name: 'Save this view' }).waitFor();
  expect(await views.count()).toBe(0);
  await page.context().close();
});

it('twenty with the longest names are accessible, fit every screen, and leave the list where it was', async () => {
  for (let i = 1; i <= 20; i++) {
    const name = `${i} ${'Donaudampfschifffahrtsgesellschaftskapitän'.slice(0, 37)}`;
    expect((await staff.post('/dashboard/payments/views', { name, q: `order-${i}` })).status).toBe(303);
  }
  const page = await pageOf({});
  const findings: string[] = [];
  for (const path of ['/dashboard/payments', '/dashboard/payments?q=order-20', '/dashboard/payments?q=new']) {
    for (const width of [320, 360, 768, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      const response = await page.goto(service.url + path);
      const found = [...(await axeFindings(page)), ...(await htmlFindings((await response?.text()) ?? ''))];
      if ((await overflow(page)) > 0) found.push('too wide');
      findings.push(...found.map((text) => `${path} ${width}: ${text}`));
    }
  }
  expect(findings).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${service.url}/dashboard/payments`);
  expect((await page.locator('.table').boundingBox())!.y).toBeLessThan(400);
  await page.context().close();
});

it('is saved and opened with the keyboard alone, and where the focus is can be seen', async () => {
  await Promise.all((await viewPaths()).map((path) => staff.post(`${path}/delete`)));
  const page = await pageOf({ viewport: { width: 1280, height: 900 } });
  const focused = () =>
    page.evaluate<string>('document.activeElement.ariaLabel ?? document.activeElement.textContent.trim()');
  const unseen: string[] = [];
  const tabTo = async (text: string) => {
    for (let i = 0; i < 60 && (await focused()) !== text; i++) {
      await page.keyboard.press('Tab');
      const outline = await page.evaluate<string>('getComputedStyle(document.activeElement).outlineStyle');
      if (outline === 'none') unseen.push(await focused());
    }
    expect(await focused()).toBe(text);
  };
  await page.goto(`${service.url}/dashboard`);
  await page.keyboard.press('g');
  await page.keyboard.press('p');
  await page.waitForURL(/payments$/);
  await page.keyboard.press('/');
  await page.keyboard.type('1001');
  await page.keyboard.press('Enter');
  await page.waitForURL(/q=1001/);
  await tabTo('Save this view');
  await page.keyboard.press('Enter');
  await page.waitForURL(/views\/new/);
  await tabTo('');
  await page.keyboard.type('By keyboard');
  await page.keyboard.press('Enter');
  await page.waitForURL(/payments\?q=1001/);
  await page.goto(`${service.url}/dashboard/payments`);
  await tabTo('By keyboard');
  await page.keyboard.press('Enter');
  await page.waitForURL(/q=1001/);
  expect(unseen).toEqual([]);
  await page.context().close();
});

async function viewPaths(): Promise<string[]> {
  const views = await service.app
    .get(DataSource)
    .query<{ id: string }[]>(
      'SELECT v.id FROM saved_view v JOIN person p ON p.id = v.person_id WHERE p.email = $1',
      [staff.email],
    );
  return views.map(({ id }) => `/dashboard/payments/views/${id}`);
}
