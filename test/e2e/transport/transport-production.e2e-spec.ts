import type { NestExpressApplication } from '@nestjs/platform-express';
import { DataSource } from 'typeorm';
import { createApp } from '../../../src/app.setup.js';
import { loadConfig } from '../../../src/config/load-config.js';
import type { ProblemSlug } from '../../../src/kernel/domain-error.js';
import { PeopleService } from '../../../src/modules/accounts/people/people.service.js';
import { ApiKeysService } from '../../../src/modules/auth/api-keys.service.js';
import { MerchantsService } from '../../../src/modules/merchants/merchants.service.js';
import { Readiness } from '../../../src/platform/health/readiness.js';
import type { Answer, AnyBody } from '../../support/api/api.js';
import { exchange, rawRequest } from '../../support/api/api-raw.js';
import { expectProblem } from '../../support/api/problems.js';
import { dashboardRoutes } from '../../support/dashboard/dashboard-routes.js';
import { sessionOf } from '../../support/dashboard/staff.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.js';
import { by, CLI_ACTOR } from '../../support/intents/by.js';
import { stablePort } from '../../support/servers/ports.js';
import { inOneMinute } from '../../support/service/one-minute.js';

const [BASE, CHECKOUT] = ['api.rappen.example', 'pay.rappen.example'];

interface Production {
  readonly app: NestExpressApplication;
  readonly port: number;
  readonly key: string;
}

const TOKEN = 'a token that is 32 bytes long...'.replaceAll(' ', '-');

let database: TestDatabase;
let proxied: Production;
let direct: Production;

/** The application as production configures it. Its jobs are not started: no chain and no price is asked. */
async function start(env: Record<string, string>): Promise<Production> {
  const port = await stablePort();
  const config = loadConfig({
    NODE_ENV: 'production',
    BASE_URL: `https://${BASE}`,
    CHECKOUT_URL: `https://${CHECKOUT}`,
    DATABASE_URL: database.url,
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    ETHEREUM_RPC_URL: 'http://127.0.0.1:9',
    HOST: '127.0.0.1',
    PORT: String(port),
    LOG_LEVEL: 'silent',
    ...env,
  });
  const app = await createApp(config);
  await app.listen(port, config.host);
  app.get(Readiness).open();
  const merchant = await app.get(MerchantsService).create({ name: 'Shop' }, 'approved', by('test'));
  const { key } = await app.get(ApiKeysService).create(merchant.id, ['read', 'write'], 'test', by('test'));
  return { app, port, key };
}

beforeAll(async () => {
  database = await createTestDatabase();
  proxied = await start({ TRUST_PROXY: '1', METRICS_TOKEN: TOKEN });
  direct = await start({});
});
afterAll(async () => {
  await proxied.app.close();
  await direct.app.close();
  await database.drop();
});

const HTTPS = ['X-Forwarded-Proto: https'];
const get = ({ port, key }: Production, host: string, path: string, ...headers: string[]) =>
  exchange(port, rawRequest(`GET ${path} HTTP/1.1`, [`Host: ${host}`, `X-Api-Key: ${key}`, ...headers]));
const security = ({ headers }: Answer<AnyBody>) => headers.get('strict-transport-security');

it('serves the API over https, as the proxy in front reports it, with HSTS', async () => {
  const answer = await get(proxied, BASE, '/api/v1/intents', ...HTTPS);
  expect(answer.status).toBe(200);
  expect(security(answer)).toMatch(/^max-age=(\d{8,})$/);
});

it('makes checkout links with the public address', async () => {
  const body = JSON.stringify({ amount: 1, currency: 'CHF' });
  const headers = [
    `Host: ${BASE}`,
    `X-Api-Key: ${proxied.key}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    ...HTTPS,
  ];
  const answer = await exchange(proxied.port, rawRequest('POST /api/v1/intents HTTP/1.1', headers, body));
  expect(answer.status).toBe(201);
  expect(answer.body.checkoutUrl).toBe(`https://${CHECKOUT}/pay/${answer.body.id}`);
});

it.each<[string, () => Production, string[]]>([
  ['the proxy says http', () => proxied, ['X-Forwarded-Proto: http']],
  ['the proxy says nothing', () => proxied, []],
  ['a client without a proxy claims https', () => direct, HTTPS],
  ['the proxy appends to what its client claims', () => proxied, ['X-Forwarded-Proto: https, http']],
])('refuses the API with 403 and without a redirect where %s', async (_, production, headers) => {
  for (const line of ['GET', 'POST', 'HEAD']) {
    const { port, key } = production();
    const answer = await exchange(
      port,
      rawRequest(`${line} /api/v1/intents HTTP/1.1`, [`Host: ${BASE}`, `X-Api-Key: ${key}`, ...headers]),
    );
    expect([line, answer.status]).toEqual([line, 403]);
    expect(answer.headers.get('location')).toBeNull();
    expect(security(answer)).toBeNull();
    if (line !== 'HEAD') expectProblem(answer, 'https-required');
  }
});

it.each([
  [BASE, '/problems/not-found?a=b'],
  [BASE.toUpperCase(), '/problems'],
  [CHECKOUT, '/pay/pi_x?cancel=1'],
])('redirects the page http://%s%s to https', async (host, path) => {
  const answer = await get(proxied, host, path);
  expect(answer.status).toBe(308);
  expect(answer.headers.get('location')).toBe(`https://${host.toLowerCase()}${path}`);
});

it.each<[string, string, ProblemSlug]>([
  ['evil.example', '/problems', 'https-required'],
  ['evil.example', '/pay/pi_x', 'https-required'],
  [BASE, '/openapi.json', 'https-required'],
])('does not redirect http://%s%s anywhere', async (host, path, slug) => {
  const answer = await get(proxied, host, path);
  expectProblem(answer, slug);
  expect(answer.headers.get('location')).toBeNull();
});

it.each<[string, string, ProblemSlug]>([
  [BASE, '/pay/pi_x', 'not-found'],
  [CHECKOUT, '/api/v1/intents', 'not-found'],
  [CHECKOUT, '/sandbox/pay/pi_x', 'not-found'],
  [BASE, '/sandbox/pay/pi_x', 'not-found'],
  [BASE, '/sandbox/webhook', 'not-found'],
  [BASE, '/sandbox/parts', 'not-found'],
  ['evil.example', '/api/v1/intents', 'misdirected-request'],
  ['localhost', '/', 'misdirected-request'],
])('serves nothing at https://%s%s', async (host, path, slug) => {
  expectProblem(await get(proxied, host, path, ...HTTPS), slug);
});

it('has nothing of the sandbox: no test payments, no button that ends a window', async () => {
  const { port } = proxied;
  for (const path of ['/sandbox/pay/pi_x/exact', '/sandbox/pay/pi_x/end-window']) {
    const request = rawRequest(`POST ${path} HTTP/1.1`, [`Host: ${CHECKOUT}`, 'Content-Length: 0', ...HTTPS]);
    expectProblem(await exchange(port, request), 'not-found');
  }
});

it('reports health over plain http on any Host', async () => {
  for (const production of [proxied, direct]) {
    expect((await get(production, '10.0.0.7', '/health/live')).status).toBe(200);
  }
});

/** As from that client, by the proxy. Each character of what is sent is a byte, as Node reads it. */
const metrics = (client: string, authorization: string) => {
  const headers = [
    `Host: ${BASE}`,
    `Authorization: ${authorization}`,
    `X-Forwarded-For: ${client}`,
    ...HTTPS,
  ];
  return exchange(proxied.port, Buffer.from(rawRequest('GET /metrics HTTP/1.1', headers), 'latin1'));
};

it('shows the metrics to whoever holds the token, and 404 to anybody else, whatever is sent for one', async () => {
  expect((await metrics('198.51.100.1', `Bearer ${TOKEN}`)).text).toContain('rappen_security_events_total');
  // The last two are as long as the token in characters, and longer in the bytes of UTF-8.
  for (const guess of [
    '',
    'Bearer',
    `Bearer ${TOKEN}x`,
    `bearer ${TOKEN}`,
    `Bearer ${'é'.repeat(TOKEN.length)}`,
    `Bearer ${TOKEN.slice(0, -1)}\u0080`,
  ])
    expectProblem(await metrics('198.51.100.1', guess), 'not-found');
});

it('refuses an address that guessed at the token too often, right or wrong, and no other', async () => {
  await inOneMinute(proxied, async () => {
    for (let i = 0; i < 30; i += 1) expectProblem(await metrics('198.51.100.2', `Bearer ${i}`), 'not-found');
    expectProblem(await metrics('198.51.100.2', `Bearer ${TOKEN}`), 'rate-limit-exceeded');
    expect((await metrics('198.51.100.3', `Bearer ${TOKEN}`)).status).toBe(200);
  });
});

it('refuses an IPv6 network whose addresses guessed at the token in turns, and no other, nor who has shown it before', async () => {
  expect((await metrics('2001:db8:1:a7e::1', `Bearer ${TOKEN}`)).status).toBe(200);
  await inOneMinute(proxied, async () => {
    for (let i = 0; i < 60; i += 1)
      expectProblem(
        await metrics(`2001:db8:1:a${(i % 64).toString(16).padStart(2, '0')}::1`, `Bearer ${i}`),
        'not-found',
      );
    expectProblem(await metrics('2001:db8:1:a7f::1', `Bearer ${TOKEN}`), 'rate-limit-exceeded');
    expect((await metrics('2001:db8:2:a00::1', `Bearer ${TOKEN}`)).status).toBe(200);
    expect((await metrics('2001:db8:1:a7e::1', `Bearer ${TOKEN}`)).status).toBe(200);
  });
});

it.each<[string, string, string[], boolean]>([
  ['this machine', '127.0.0.1', [], true],
  [
    'whoever holds the metrics token',
    BASE,
    [`Authorization: Bearer ${TOKEN}`, 'X-Forwarded-For: 192.0.2.1'],
    true,
  ],
  ['a stranger', BASE, ['X-Forwarded-For: 192.0.2.1', ...HTTPS], false],
  ['a stranger by a proxy that names nobody', BASE, HTTPS, false],
  ['a stranger who names another host', '127.0.0.1', ['X-Forwarded-For: 192.0.2.1'], false],
  ['a stranger with a wrong token', BASE, ['Authorization: Bearer x', 'X-Forwarded-For: 192.0.2.1'], false],
])('tells %s what readiness rests on: %#', async (_who, host, headers, isTold) => {
  const { status, body } = await get(proxied, host, '/health/ready', ...headers);
  expect(status).toBe(200);
  expect(body).toMatchObject({ status: 'ready' });
  expect(Object.keys(body)).toEqual(isTold ? ['status', 'checks'] : ['status']);
});

it('refuses to start with addresses that are not https, or are one', () => {
  const env = {
    NODE_ENV: 'production',
    DATABASE_URL: 'postgres://localhost/x',
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    ETHEREUM_RPC_URL: 'http://127.0.0.1:9',
  };
  const load = (BASE_URL: string, CHECKOUT_URL: string) => () =>
    loadConfig({ ...env, BASE_URL, CHECKOUT_URL });
  expect(load('http://a.example', 'https://b.example')).toThrow('BASE_URL must be https');
  expect(load('https://a.example', 'http://b.example')).toThrow('CHECKOUT_URL must be https');
  expect(load('https://a.example', 'https://a.example')).toThrow('must differ');
  expect(load('https://a.example', 'https://b.example')).not.toThrow();
});

describe('an operator without a second factor', () => {
  const SET_UP = '/dashboard/account/second-factor';
  let personId: string;
  let token: string;

  beforeAll(async () => {
    const people = proxied.app.get(PeopleService);
    const person = {
      email: 'operator@rappen.example',
      password: 'a plain sentence for tests',
      isOperator: true,
    };
    personId = await people.create(person, CLI_ACTOR);
    token = await sessionOf(proxied, { id: personId, email: person.email });
  });

  const ask = (method: string, path: string) =>
    exchange(
      proxied.port,
      rawRequest(`${method} ${path} HTTP/1.1`, [
        `Host: ${BASE}`,
        ...HTTPS,
        `Cookie: __Host-session=${token}`,
        `Origin: https://${BASE}`,
        'Content-Length: 0',
      ]),
    );
  const reached = async () => {
    const routes = dashboardRoutes(proxied.app).filter(
      ({ permission }) => permission !== null && permission !== 'self' && permission !== 'account',
    );
    expect(routes.length).toBeGreaterThan(50);
    const answers = await Promise.all(
      routes.map(async ({ method, path }) => {
        const { status, headers } = await ask(method, path.replace(/:\w+/g, 'x'));
        return { route: `${method} ${path}`, isHeld: status === 303 && headers.get('location') === SET_UP };
      }),
    );
    return answers.filter(({ isHeld }) => !isHeld).map(({ route }) => route);
  };

  it('reaches nothing in production but the pages that set one up', async () => {
    expect(await reached()).toEqual([]);
    expect((await ask('GET', SET_UP)).status).toBe(200);
    expect((await ask('GET', '/dashboard/account')).status).toBe(200);
  });

  it('reaches the operator’s pages as soon as there is one', async () => {
    await proxied.app
      .get(DataSource)
      .query(`UPDATE person SET totp_secret = '\\x00', totp_enabled_at = clock_timestamp() WHERE id = $1`, [
        personId,
      ]);
    expect((await ask('GET', '/dashboard/operator')).headers.get('location')).not.toBe(SET_UP);
    expect(await reached()).toContain('GET /dashboard/operator');
  });
});
