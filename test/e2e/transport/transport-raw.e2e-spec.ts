import type { ProblemSlug } from '../../../src/kernel/domain-error.js';
import { newApiKey } from '../../../src/modules/auth/domain/api-key.js';
import { exchange, rawRequest } from '../../support/api/api-raw.js';
import { expectProblem } from '../../support/api/problems.js';
import { Service, type Shop } from '../../support/service/service.js';

let service: Service;
let shop: Shop;

beforeAll(async () => {
  service = await Service.start();
  shop = await service.shop();
});
afterAll(() => service.stop());

const send = (bytes: string | Buffer) => exchange(service.config.port, bytes);
const hostOf = (url: string) => `Host: ${new URL(url).host}`;
const LIST = 'GET /api/v1/intents HTTP/1.1';

it.each<[string, string, ProblemSlug]>([
  ['a line that is none', 'HELLO\r\n\r\n', 'bad-request'],
  ['an unknown method', 'FETCH / HTTP/1.1\r\nHost: x\r\n\r\n', 'bad-request'],
  ['a blank in the target', 'GET /a b HTTP/1.1\r\nHost: x\r\n\r\n', 'bad-request'],
  ['an unknown version', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n', 'bad-request'],
  ['a header without a name', 'GET / HTTP/1.1\r\n: x\r\n\r\n', 'bad-request'],
  ['a header with a NUL', 'GET / HTTP/1.1\r\nHost: x\r\nA: \0\r\n\r\n', 'bad-request'],
  ['a blank before a colon', 'GET / HTTP/1.1\r\nHost : x\r\n\r\n', 'bad-request'],
  ['a length that is none', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1x\r\n\r\n', 'bad-request'],
  [
    'two lengths',
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    'bad-request',
  ],
  [
    'a length beside chunks',
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'bad-request',
  ],
  ['a TLS greeting', '\x16\x03\x01\x02\x00\x01\x00\x01', 'bad-request'],
  [
    'headers beyond 16 KiB',
    `GET / HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(16 * 1024)}\r\n\r\n`,
    'headers-too-large',
  ],
  [
    'a target beyond 16 KiB',
    `GET /${'x'.repeat(17 * 1024)} HTTP/1.1\r\nHost: x\r\n\r\n`,
    'headers-too-large',
  ],
])('answers %s with a problem document', async (_, bytes, slug) => {
  expectProblem(await send(bytes), slug);
});

it.each<[string, string, readonly string[], ProblemSlug]>([
  ['no Host', LIST, [], 'bad-request'],
  ['two Hosts', LIST, ['Host: localhost', 'Host: localhost'], 'bad-request'],
  ['an absolute target', 'GET http://localhost/api/v1/intents HTTP/1.1', ['Host: localhost'], 'bad-request'],
  ['an asterisk', 'OPTIONS * HTTP/1.1', ['Host: localhost'], 'bad-request'],
  ['no Host by HTTP/1.0', 'GET /api/v1/intents HTTP/1.0', [], 'misdirected-request'],
  ['an unknown Host', LIST, ['Host: evil.example'], 'misdirected-request'],
  ['an empty Host', LIST, ['Host: '], 'misdirected-request'],
  ['another port', LIST, ['Host: localhost:1'], 'misdirected-request'],
  ['an address for a name', LIST, ['Host: 127.0.0.1'], 'misdirected-request'],
])('refuses %s', async (_, line, headers, slug) => {
  expectProblem(await send(rawRequest(line, headers)), slug);
});

it('ignores what a client says about its proxies', async () => {
  const answer = await send(
    rawRequest(LIST, ['Host: evil.example', `X-Forwarded-${hostOf(service.url)}`, `X-Api-Key: ${shop.key}`]),
  );
  expectProblem(answer, 'misdirected-request');
});

it('answers a client that expects what we do not know', async () => {
  const answer = await send(
    rawRequest(LIST, [hostOf(service.url), `X-Api-Key: ${shop.key}`, 'Expect: miracles']),
  );
  expect(answer.status).toBe(200);
});

it('refuses a body that breaks off in a malformed chunk', async () => {
  const headers = [
    hostOf(service.url),
    `X-Api-Key: ${shop.key}`,
    'Content-Type: application/json',
    'Transfer-Encoding: chunked',
  ];
  const answer = await send(rawRequest('POST /api/v1/intents HTTP/1.1', headers, '5\r\n{"amo\r\nZZ\r\n'));
  expectProblem(answer, 'bad-request');
});

it.each(['Authorization: Bearer ', 'X-Api-Key: '])('refuses two keys under %s', async (header) => {
  for (const second of [newApiKey(), shop.key]) {
    const keys = [header + shop.key, header + second];
    expectProblem(await send(rawRequest(LIST, [hostOf(service.url), ...keys])), 'invalid-api-key');
  }
});

it('takes the Host in any case', async () => {
  const host = `HOST: LOCALHOST:${service.config.port}`;
  expect((await send(rawRequest(LIST, [host, `x-api-key: ${shop.key}`]))).status).toBe(200);
});

describe('the two addresses', () => {
  const on = (url: string, path: string) =>
    send(rawRequest(`GET ${path} HTTP/1.1`, [hostOf(url), `X-Api-Key: ${shop.key}`]));

  it.each(['/pay/pi_x', '/pay/pi_x/status', '/pay'])('serves %s at the checkout only', async (path) => {
    const atBase = await on(service.url, path);
    expectProblem(atBase, 'not-found');
    const atCheckout = await on(service.config.checkoutUrl, path);
    expectProblem(atCheckout, path === '/pay' ? 'not-found' : 'intent-not-found');
  });

  it.each(['/api/v1/intents', '/openapi.json', '/problems', '/metrics'])(
    'does not serve %s at the checkout',
    async (path) => {
      expectProblem(await on(service.config.checkoutUrl, path), 'not-found');
    },
  );

  it.each(['localhost', 'evil.example', '10.0.0.7:3000', ''])(
    'reports health at the Host %j',
    async (host) => {
      for (const path of ['/health/live', '/health/ready']) {
        const answer = await send(rawRequest(`GET ${path} HTTP/1.1`, [`Host: ${host}`]));
        expect([path, answer.status]).toEqual([path, 200]);
      }
    },
  );
});
