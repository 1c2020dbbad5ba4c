import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Rappen } from '../../../packages/client/src/client.js';
import { DOCUMENTED } from '../../../src/app.contract.js';
import { EXAMPLE_BASE_URL } from '../../../src/modules/site/site.types.js';
import { ApiContract, type ContractDocument } from '../../support/api/api-contract.js';
import { Service } from '../../support/service/service.js';

let service: Service;
let contract: ApiContract;
let document: ContractDocument;

beforeAll(async () => {
  service = await Service.start();
  contract = await ApiContract.servedAt(service.url);
  ({ document } = contract);
});
afterAll(() => service.stop());

const REQUIRED = {
  '/api/v1/intents': { post: 'createIntent', get: 'listIntents' },
  '/api/v1/intents/{id}': { get: 'getIntent' },
};
/** What merchants' servers asked for beside them. */
const ADDED = {
  '/api/v1/intents/{id}/cancel': { post: 'cancelIntent' },
  '/api/v1/events': { get: 'listEvents' },
};

it('is public JSON of OpenAPI 3.1, version 1.0, on this server', async () => {
  const response = await fetch(`${service.url}/openapi.json`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  expect(document.openapi).toMatch(/^3\.1\.\d+$/);
  expect(document.info.version).toBe('1.0');
  expect(document.servers.map(({ url }) => url)).toEqual([service.url]);
});

it('is what is committed as docs/openapi.json, but for the address', () => {
  const served = JSON.stringify(document).replaceAll(service.url, EXAMPLE_BASE_URL);
  const committed = readFileSync(join(import.meta.dirname, '../../../docs/openapi.json'), 'utf8');
  expect(JSON.parse(served)).toEqual(JSON.parse(committed));
});

it('describes exactly our endpoints, all under /api/v1, and the webhooks', () => {
  const operations = Object.entries(document.paths).map(([path, methods]) => {
    const ids = Object.entries(methods).map(([method, { operationId }]) => [method, operationId]);
    return [path, Object.fromEntries(ids) as object] as const;
  });
  const beside = operations.filter(([path]) => Object.hasOwn(ADDED, path));
  const endpoints = operations.filter(([path]) => !Object.hasOwn(ADDED, path));
  expect(Object.fromEntries(endpoints)).toEqual(REQUIRED);
  expect(Object.fromEntries(beside)).toEqual(ADDED);
  expect(Object.keys(document.webhooks)).toEqual(['payment.status', 'payment.money', 'webhook.test']);
});

it('names every parameter of its paths and of the list', () => {
  const named = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId, parameters = [] }) => [
      operationId,
      parameters.map(({ name, in: place }) => `${place} ${name}`),
    ]),
  );
  expect(Object.fromEntries(named)).toEqual({
    createIntent: [],
    getIntent: ['path id'],
    cancelIntent: ['path id'],
    listEvents: ['query after', 'query pageSize'],
    listIntents: [
      'query page',
      'query pageSize',
      'query status',
      'query createdFrom',
      'query createdTo',
      'query idempotencyKey',
    ],
  });
});

it('promises the statuses of every operation, errors as problem documents', () => {
  const promised = {
    createIntent: ['200', '201', '400', '401', '403', '404', '429'],
    getIntent: ['200', '400', '401', '403', '404', '429'],
    cancelIntent: ['200', '400', '401', '403', '404', '409', '429'],
    listEvents: ['200', '400', '401', '403', '429'],
    listIntents: ['200', '400', '401', '403', '429'],
  };
  for (const operation of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
    const { operationId, responses } = operation;
    const statuses = promised[operationId as keyof typeof promised];
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(statuses));
    for (const [status, { content = {} }] of Object.entries(responses)) {
      const type = Number(status) < 400 ? 'application/json' : 'application/problem+json';
      expect([operationId, status, Object.keys(content)]).toEqual([operationId, status, [type]]);
    }
  }
});

it('holds schemas that compile as JSON Schema 2020-12, every reference included', () => {
  const pointers = [...JSON.stringify(document).matchAll(/"\$ref":"#([^"]+)"/g)].map(
    ([, pointer = '']) => pointer,
  );
  expect(pointers.length).toBeGreaterThan(3);
  for (const pointer of new Set(pointers)) {
    const schema = pointer.startsWith('/components/headers/') ? `${pointer}/schema` : pointer;
    expect(contract.validator(schema)).toBeInstanceOf(Function);
  }
  expect(JSON.stringify(document)).not.toContain('"nullable"');
});

it('judges: an answer that it does not promise fails', () => {
  const promised = { 'x-trace-id': '0'.repeat(32), 'cache-control': 'no-store' };
  const judge = (status: number, type: string, text: string, headers: object = promised) =>
    contract.judge('GET', '/api/v1/intents', {
      status,
      headers: new Headers({ 'content-type': type, ...headers }),
      text,
    });
  const page = { items: [], total: 0, page: 1, pageSize: 20 };
  expect(() => judge(200, 'application/json; charset=utf-8', JSON.stringify(page))).not.toThrow();
  expect(() => judge(200, 'application/json', JSON.stringify({ ...page, total: -1 }))).toThrow(/total/);
  expect(() => judge(200, 'application/json', JSON.stringify({ ...page, more: 1 }))).toThrow(/additional/);
  expect(() => judge(200, 'text/html', JSON.stringify(page))).toThrow(/content type/);
  const body = JSON.stringify(page);
  expect(() => judge(200, 'application/json', body, { 'x-trace-id': '0'.repeat(32) })).toThrow(
    /cache-control/i,
  );
  expect(() => judge(200, 'application/json', body, { ...promised, 'x-new': '1' })).toThrow(/x-new/);
  expect(() => judge(200, 'application/json', body, { ...promised, ratelimit: 'plenty' })).toThrow(/pattern/);
  expect(() => judge(418, 'application/json', '{}')).toThrow(/status/);
});

it('serves documentation whose contents lead somewhere, with the schedule, the limits and every field code', async () => {
  const html = await (await fetch(`${service.url}/docs`)).text();
  const anchors = [...html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id!);
  expect(anchors.length).toBeGreaterThan(10);
  expect(anchors.filter((id) => !html.includes(`id="${id}"`))).toEqual([]);
  for (const code of Object.keys(DOCUMENTED.fieldCodes)) expect(html).toContain(`<code>${code}</code>`);
  for (const words of [
    '>10</td><td data-label="wait">24 h</td>',
    '1,000 a minute',
    'npm run listen',
    '@rappen/client',
  ]) {
    expect(html).toContain(words);
  }
  const [, ofClient = ''] = /<h2 id="client">(.*?)<h2/s.exec(html) ?? [];
  const methods = Object.getOwnPropertyNames(Rappen.prototype).filter((name) => name !== 'constructor');
  expect(methods.length).toBeGreaterThan(5);
  for (const name of [...methods, 'verifyWebhook', 'verifyDepositAddress'])
    expect(ofClient).toContain(`<code>${name}</code>`);
  const script = /<script type="module" src="([^"]+)"/.exec(html)?.[1] ?? '';
  expect((await fetch(`${service.url}${script}`)).status).toBe(200);
});
