import { Api } from '../support/api.js';
import { Service } from '../support/service.js';

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
