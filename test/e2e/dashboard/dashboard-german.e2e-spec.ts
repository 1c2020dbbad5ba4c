import { german } from '../../../src/modules/dashboard/language/german/german.js';
import { type Example, exampleShop } from '../../support/dashboard/dashboard-examples.js';
import { dashboardRoutes } from '../../support/dashboard/dashboard-routes.js';
import { Staff } from '../../support/dashboard/staff.js';
import { Service } from '../../support/service/service.js';

const GERMAN = { 'accept-language': 'de-CH,de;q=0.9,en;q=0.5' };

let service: Service;
let shop: Example;

beforeAll(async () => {
  service = await Service.start({ env: { RATE_LIMIT_FAILED_AUTH_PER_MINUTE: '1000' } });
  shop = await exampleShop(service, 'Beispielladen');
});
afterAll(() => service.stop());

/** What is between tags, and what is read out. */
function textsOf(html: string): string[] {
  const body = html.replaceAll(/<(script|style|pre|code)\b.*?<\/\1>/gs, '');
  const attributes = [...body.matchAll(/\b(?:aria-label|placeholder|title|alt|data-[\w-]+)="([^"]*)"/g)];
  return [...attributes.map(([, text]) => text!), ...body.split(/<[^>]*>/)]
    .map((text) => text.replaceAll('&#x27;', "'").replaceAll('&amp;', '&').trim())
    .filter((text) => text !== '');
}

const said: Readonly<Record<string, string>> = german;
/** A merchant's own address may be that of an example in the catalogue. */
const isEnglish = (text: string) => Object.hasOwn(said, text) && said[text] !== text && !text.includes('@');

it('finds a text that was left in English', () => {
  expect(textsOf('<p title="Menu">Menü</p><b>Sign out</b>').filter(isEnglish)).toEqual(['Menu', 'Sign out']);
});

it('every page says in German what the catalogue has', async () => {
  const staff = await Staff.of(service, { merchantId: shop.merchantId, role: 'owner', isOperator: true });
  const paths = dashboardRoutes(service.app)
    .filter(({ method }) => method === 'GET')
    .map(({ path }) => shop.at(path));
  expect(paths.length).toBeGreaterThan(20);
  const left: unknown[] = [];
  for (const path of [...paths, '/dashboard/payments?from=x&min=y', '/dashboard/nothing-of-this-name']) {
    const { status, html, headers } = await staff.get(path, GERMAN);
    if (!headers.get('content-type')?.includes('html')) continue;
    const isGerman = status >= 300 && status < 400 ? true : html.includes('<html lang="de"');
    const english = textsOf(html).filter(isEnglish);
    if (status >= 500 || !isGerman || english.length > 0) left.push({ path, status, isGerman, english });
  }
  expect(left).toEqual([]);
});

it('refuses a form in the language of whoever sent it', async () => {
  const stranger = Staff.stranger(service);
  const { html, status } = await stranger.post(
    '/dashboard/sign-in',
    { email: 'nobody@staff.example', password: 'a wrong sentence' },
    GERMAN,
  );
  expect(status).toBeGreaterThanOrEqual(400);
  expect(html).toContain('<html lang="de"');
  expect(textsOf(html).filter(isEnglish)).toEqual([]);
});

it('keeps a choice, before what the browser asks for, and takes none that is not offered', async () => {
  const stranger = Staff.stranger(service);
  const { html: english } = await stranger.get('/dashboard/sign-in');
  expect(english).toContain('<html lang="en"');
  expect(english).toContain('value="de" lang="de">Deutsch</button>');
  await stranger.post('/dashboard/language', { language: 'fr', to: '/dashboard/sign-in' });
  expect((await stranger.get('/dashboard/sign-in')).html).toContain('<html lang="en"');
  const chosen = await stranger.post('/dashboard/language', { language: 'de', to: '//elsewhere.example' });
  expect([chosen.status, chosen.location]).toEqual([303, '/dashboard']);
  const { html } = await stranger.get('/dashboard/sign-in', { 'accept-language': 'en' });
  expect(html).toContain('<html lang="de"');
  expect(html).toContain('<h1>Anmelden</h1>');
});

it('says what was done in the language of who did it', async () => {
  const { owner } = shop;
  const path = shop.at('/dashboard/payments/:id');
  const { status, location } = await owner.post(`${path}/cancel`, {}, GERMAN);
  expect([status, location]).toEqual([303, path]);
  expect((await owner.get(path, GERMAN)).html).toContain('Die Zahlung ist abgebrochen.');
});
