import { DataSource } from 'typeorm';
import { Api } from '../../support/api/api.js';
import { unescaped } from '../../support/dashboard/html-forms.js';
import { Staff } from '../../support/dashboard/staff.js';
import { Service } from '../../support/service/service.js';

let service: Service;
let intentPath: string;

beforeAll(async () => {
  service = await Service.start({ env: { SECURITY_CONTACT: 'mailto:security@pay.example' } });
  const { body } = await new Api(service, (await service.shop()).key).create({ amount: 1, currency: 'CHF' });
  intentPath = new URL(body.checkoutUrl).pathname;
});
afterAll(() => service.stop());

const browse = (url: string) =>
  fetch(url, { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });
const origins = () => ({ base: service.url, checkout: service.config.checkoutUrl });

it.each<['base' | 'checkout', string]>([
  ['base', '/nothing'],
  ['base', '/problems/nothing'],
  ['base', '/pay/pi_x'],
  ['base', '/dashboard/nothing'],
  ['base', '/sandbox/nothing'],
  ['base', '/sandbox/pay/pi_x'],
  ['base', '/?q=%00'],
  ['checkout', '/'],
  ['checkout', '/nothing'],
  ['checkout', '/api/v1/intents'],
  ['checkout', '/pay/pi_nope'],
])('an error at %s %s is a page for a browser, with the trace ID to quote', async (surface, path) => {
  const response = await browse(origins()[surface] + path);
  const html = await response.text();
  expect([response.status >= 400, response.headers.get('content-type')]).toEqual([
    true,
    'text/html; charset=utf-8',
  ]);
  expect(html).toContain(response.headers.get('x-trace-id'));
});

/** A page says what happened, and leads on: each of its links is answered. */
async function leadsOn(html: string, cookie = ''): Promise<void> {
  const links = [...html.matchAll(/<a [^>]*href="(\/[^"#]*)"/g)].map(([, path]) => unescaped(path!));
  expect(links.length).toBeGreaterThan(0);
  for (const link of links) {
    const { status } = await fetch(service.url + link, { headers: { accept: 'text/html', cookie } });
    expect([link, status]).toEqual([link, 200]);
  }
}

const sentence = (html: string) =>
  /<h1>([^<]+)<\/h1>\s*<p>([^<]+\.)<\/p>\s*<p class="todo">([^<]+\.)<\/p>/.exec(html);

it.each<[number, string, string, Record<string, string> | undefined]>([
  [403, 'the role lacks it', '/dashboard/developers/keys/new', undefined],
  [403, 'a form of another site', '/dashboard/settings', { origin: 'https://evil.example' }],
  [404, 'nothing of this name', '/dashboard/nothing', undefined],
  [404, 'no such payment', '/dashboard/payments/pi_nope', undefined],
])(
  'the dashboard’s %d, %s, says what happened and what to do, and leads on',
  async (status, _why, path, sent) => {
    const { merchantId } = await service.shop();
    const staff = await Staff.of(service, { merchantId, role: 'read-only' });
    const answer = await (sent ? staff.post(path, {}, sent) : staff.get(path));
    expect(answer.status).toBe(status);
    expect(sentence(answer.html)).not.toBeNull();
    await leadsOn(answer.html, staff.cookie);
  },
);

it('a payment that does not exist is called so', async () => {
  const { merchantId } = await service.shop();
  const staff = await Staff.of(service, { merchantId, role: 'read-only' });
  const { html } = await staff.get('/dashboard/payments/pi_nope');
  expect(sentence(html)?.[2]).toBe('There is no such payment, or it belongs to another merchant.');
});

it('a link that was used says so, and leads to the sign-in', async () => {
  const response = await browse(`${service.url}/dashboard/link/${'x'.repeat(43)}`);
  const html = await response.text();
  expect([response.status, sentence(html)?.[1]]).toEqual([404, 'This link is no good any more']);
  await leadsOn(html);
});

it('an error of ours says what became of it, and the number to quote', async () => {
  const { merchantId } = await service.shop();
  const staff = await Staff.of(service, { merchantId, role: 'owner' });
  const dataSource = service.app.get(DataSource);
  await dataSource.query('ALTER TABLE review_entry RENAME TO review_entry_away');
  const { status, headers, html } = await staff.get('/dashboard/review');
  await dataSource.query('ALTER TABLE review_entry_away RENAME TO review_entry');
  expect([status, sentence(html)?.[1]]).toEqual([500, 'Something went wrong on our side']);
  expect(html).toMatch(
    new RegExp(`tell whoever runs this service this number: <code[^>]*>${headers.get('x-trace-id')}<`),
  );
  expect(html).toContain('<a class="button button-main" href="/dashboard/review">Try again</a>');
  await leadsOn(html, staff.cookie);
});

it('the checkout leads back to the payment from what was refused', async () => {
  const response = await fetch(`${service.config.checkoutUrl}${intentPath}/asset`, {
    method: 'POST',
    headers: { accept: 'text/html', origin: 'https://evil.example' },
  });
  expect(response.status).toBe(403);
  expect(await response.text()).toContain(`<a class="button button-main" href="${intentPath}">Go back</a>`);
});

it('programs get problem documents, whatever they accept', async () => {
  for (const path of ['/api/v1/nothing', '/metrics', '/assets/nothing.css']) {
    const response = await browse(service.url + path);
    expect([path, response.headers.get('content-type')]).toEqual([path, 'application/problem+json']);
  }
});

it('every page forbids its scripts what they have no need of', async () => {
  for (const url of [
    service.url,
    `${service.url}/dashboard/sign-in`,
    service.config.checkoutUrl + intentPath,
  ])
    expect((await browse(url)).headers.get('permissions-policy')).toContain(
      'camera=(), display-capture=(), geolocation=()',
    );
});

it('says on both addresses where to report a weakness', async () => {
  for (const origin of Object.values(origins())) {
    const text = await (await fetch(`${origin}/.well-known/security.txt`)).text();
    const expires = new Date(/^Expires: (.+)$/m.exec(text)![1]!).getTime();
    expect(text).toContain('Contact: mailto:security@pay.example');
    expect(expires - Date.now()).toBeGreaterThan(7 * 24 * 3_600_000);
  }
});

it.each<[string, Record<string, string>, number]>([
  ['another site without an Origin', { 'sec-fetch-site': 'cross-site' }, 403],
  ['another host of the same site', { 'sec-fetch-site': 'same-site' }, 403],
  ['another origin', { origin: 'https://evil.example' }, 403],
  ['the page itself', { 'sec-fetch-site': 'same-origin' }, 303],
  ['a program', {}, 303],
])('takes a post of the checkout from %s or not', async (_who, headers, status) => {
  const url = `${service.config.checkoutUrl}${intentPath}/asset`;
  expect((await fetch(url, { method: 'POST', headers, redirect: 'manual' })).status).toBe(status);
});
