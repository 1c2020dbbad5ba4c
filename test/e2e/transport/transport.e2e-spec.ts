import { gzipSync } from 'node:zlib';
import { Api } from '../../support/api/api.js';
import { exchange, rawRequest } from '../../support/api/api-raw.js';
import { expectProblem } from '../../support/api/problems.js';
import { Service, type Shop } from '../../support/service/service.js';

let service: Service;
let shop: Shop;
let api: Api;

beforeAll(async () => {
  service = await Service.start();
  shop = await service.shop();
  api = new Api(service, shop.key);
});
afterAll(() => service.stop());

const INTENT = JSON.stringify({ amount: 1, currency: 'CHF' });
const LIMIT_BYTES = 64 * 1024;
const post = (headers: Record<string, string>, body: string | Uint8Array = INTENT) =>
  api.call('POST', '/api/v1/intents', { headers, body: body as RequestInit['body'] });

describe('methods', () => {
  it.each([
    ['PUT', '/api/v1/intents', 'GET, HEAD, OPTIONS, POST'],
    ['DELETE', '/api/v1/intents', 'GET, HEAD, OPTIONS, POST'],
    ['PATCH', '/api/v1/intents', 'GET, HEAD, OPTIONS, POST'],
    ['POST', '/api/v1/intents/pi_x', 'GET, HEAD, OPTIONS'],
    ['DELETE', '/api/v1/intents/pi_x', 'GET, HEAD, OPTIONS'],
    ['POST', '/openapi.json', 'GET, HEAD, OPTIONS'],
    ['PROPFIND', '/api/v1/intents', 'GET, HEAD, OPTIONS, POST'],
  ])('answers %s %s with 405 and what is allowed', async (method, path, allow) => {
    const answer = await api.call(method, path);
    expectProblem(answer, 'method-not-allowed');
    expect(answer.headers.get('allow')).toBe(allow);
  });

  it('answers OPTIONS with what is allowed, to anybody', async () => {
    const answer = await new Api(service, null).call('OPTIONS', '/api/v1/intents');
    expect(answer).toMatchObject({ status: 204, text: '' });
    expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS, POST');
  });

  it.each([
    '/api',
    '/api/v1',
    '/api/v2/intents',
    '/api/v1/intents/pi_x/refunds',
    '/API/V9',
    '/.env',
    '/metrics',
    '/assets/none.css',
  ])('answers %s with 404', async (path) => {
    expectProblem(await api.get(path), 'not-found');
  });

  it('answers no other site’s script', async () => {
    const origin = { origin: 'https://evil.example' };
    for (const answer of [
      await api.get('/api/v1/intents', origin),
      await api.call('OPTIONS', '/api/v1/intents', {
        headers: { ...origin, 'access-control-request-method': 'POST' },
      }),
    ]) {
      expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
  });
});

describe('media types', () => {
  it.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
    'application/json;',
    'application/json ; ; charset=utf-8',
    'application/json; charset=utf-8; x=1',
    'application/json; profile="https://shop.example/a,b"',
    'application/json; profile="a;b"',
    'application/json; profile="a;b"; charset=utf-8',
    String.raw`application/json; profile="a \"quoted\"; word"`,
    String.raw`application/json; profile="\\"; charset="utf-8"`,
  ])('reads a body of type %s', async (type) => {
    expect((await post({ 'content-type': type })).status).toBe(201);
  });

  it.each([
    '',
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/problem+json',
    'application/vnd.api+json',
    'application/jsonx',
    'application/json; charset=utf-16',
    'application/json; charset=latin1',
    'application/json; charset=utf-8; charset=latin1',
    'application/json; charset',
    'application/json; charset="utf-8',
    'application/json; profile="a;b"; charset=latin1',
    String.raw`application/json; profile="\\"; charset="latin1"`,
    'application/json, text/plain',
  ])('refuses a body of type %j with 415', async (type) => {
    const answer = await post({ 'content-type': type });
    expectProblem(answer, 'unsupported-media-type');
    expect(answer.headers.get('accept')).toBe('application/json');
  });

  it.each(['zip', 'compress', 'gzip, zip', 'utf-8'])('refuses the encoding %s with 415', async (encoding) => {
    expectProblem(
      await post({ 'content-type': 'application/json', 'content-encoding': encoding }),
      'unsupported-media-type',
    );
  });

  it.each([
    '*/*',
    'application/*',
    'application/json',
    'text/html, application/json;q=0.1',
    'text/html, */*;q=0.8',
    'application/json; charset=utf-8',
    'application/problem+json, application/json',
    'application/json; indent=2',
    '*; q=.2',
    'application/json; title=";q=0;"',
    '',
  ])('serves JSON to Accept: %s', async (accept) => {
    expect((await api.get('/api/v1/intents', { accept })).status).toBe(200);
    expect((await post({ 'content-type': 'application/json', accept })).status).toBe(201);
  });

  it.each([
    'text/html',
    'application/xml',
    'text/*',
    'application/json;q=0',
    'application/json;q=0, */*',
    'text/html; title="a, application/json ;"',
  ])('answers 406 to Accept: %s', async (accept) => {
    const before = (await api.list()).body.total;
    expectProblem(await api.get('/api/v1/intents', { accept }), 'not-acceptable');
    expectProblem(await post({ 'content-type': 'application/json', accept }), 'not-acceptable');
    expect((await api.list()).body.total).toBe(before);
  });
});

describe('sizes', () => {
  const padded = (bytes: number) => `${INTENT.slice(0, -1)}${' '.repeat(bytes - INTENT.length)}}`;

  it('takes a body of 64 KiB and refuses one byte more, told by its length', async () => {
    const json = { 'content-type': 'application/json' };
    expect((await post(json, padded(LIMIT_BYTES))).status).toBe(201);
    expectProblem(await post(json, padded(LIMIT_BYTES + 1)), 'payload-too-large');
  });

  it('answers before it has read a body of megabytes, whoever sends it', async () => {
    const [json, huge] = [{ 'content-type': 'application/json' }, ' '.repeat(8 * 1024 * 1024)];
    expectProblem(await post(json, huge), 'payload-too-large');
    const stranger = new Api(service, null);
    expectProblem(
      await stranger.call('POST', '/api/v1/intents', { headers: json, body: huge }),
      'invalid-api-key',
    );
  });

  it('takes a chunked body of 64 KiB and refuses one byte more', async () => {
    const chunked = (bytes: number) =>
      exchange(
        service.config.port,
        rawRequest(
          'POST /api/v1/intents HTTP/1.1',
          [
            `Host: localhost:${service.config.port}`,
            `X-Api-Key: ${shop.key}`,
            'Content-Type: application/json',
            'Transfer-Encoding: chunked',
          ],
          `${bytes.toString(16)}\r\n${padded(bytes)}\r\n0\r\n\r\n`,
        ),
      );
    expect((await chunked(LIMIT_BYTES)).status).toBe(201);
    expectProblem(await chunked(LIMIT_BYTES + 1), 'payload-too-large');
  });

  it('reads a compressed body, and refuses one that unfolds beyond 64 KiB', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    expect((await post(headers, gzipSync(INTENT))).status).toBe(201);
    const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024, 32));
    expect(bomb.length).toBeLessThan(LIMIT_BYTES);
    expectProblem(await post(headers, bomb), 'payload-too-large');
    expectProblem(await post(headers, 'not gzip'), 'bad-request');
    expectProblem(await post(headers, gzipSync(INTENT).subarray(0, -4)), 'bad-request');
  });

  it('answers a target beyond 8 KiB with 414', async () => {
    expectProblem(await api.list(`?status=${'x'.repeat(8 * 1024)}`), 'uri-too-long');
    expect((await api.list(`?status=${'x'.repeat(7 * 1024)}`)).status).toBe(400);
  });
});
