import { ApiKeysService } from '../../../src/modules/auth/api-keys.service.js';
import { newApiKey } from '../../../src/modules/auth/domain/api-key.js';
import { PrincipalsService } from '../../../src/modules/auth/principals.service.js';
import { Api } from '../../support/api/api.js';
import { expectProblem } from '../../support/api/problems.js';
import { by } from '../../support/intents/by.js';
import { Service, type Shop } from '../../support/service/service.js';

let service: Service;
let shop: Shop;
let keys: ApiKeysService;
/** A client that sends no key of its own accord. */
let nobody: Api;

beforeAll(async () => {
  service = await Service.start({ env: { RATE_LIMIT_FAILED_AUTH_PER_MINUTE: '100000' } });
  shop = await service.shop();
  keys = service.app.get(ApiKeysService);
  nobody = new Api(service, null);
});
afterAll(() => service.stop());

const LIST = '/api/v1/intents';
const swapped = (key: string, i: number) => key.slice(0, i) + (key[i] === 'a' ? 'b' : 'a') + key.slice(i + 1);

it.each<[string, (key: string) => Record<string, string>]>([
  ['Authorization: Bearer', (key) => ({ authorization: `Bearer ${key}` })],
  ['Authorization: bearer', (key) => ({ authorization: `bearer ${key}` })],
  ['X-Api-Key', (key) => ({ 'x-api-key': key })],
  ['both, holding the same key', (key) => ({ authorization: `Bearer ${key}`, 'x-api-key': key })],
])('takes the key by %s', async (_, headers) => {
  const intent = JSON.stringify({ amount: 1, currency: 'CHF' });
  const content = { 'content-type': 'application/json' };
  expect((await nobody.get(LIST, headers(shop.key))).status).toBe(200);
  expect(
    await nobody.call('POST', LIST, { headers: { ...headers(shop.key), ...content }, body: intent }),
  ).toMatchObject({ status: 201 });
});

it.each<[string, (key: string) => Record<string, string>]>([
  ['no key', () => ({})],
  ['an empty Bearer', () => ({ authorization: 'Bearer ' })],
  ['an empty X-Api-Key', () => ({ 'x-api-key': '' })],
  ['the key without a scheme', (key) => ({ authorization: key })],
  ['the key as Basic', (key) => ({ authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` })],
  ['the key as a cookie', (key) => ({ cookie: `key=${key}` })],
  ['two keys in one header', (key) => ({ authorization: `Bearer ${key} ${key}` })],
  ['a list of keys', (key) => ({ 'x-api-key': `${key}, ${key}` })],
  ['another prefix', (key) => ({ 'x-api-key': key.replace('svc_live_', 'svc_test_') })],
  ['a prefix in capitals', (key) => ({ 'x-api-key': key.replace('svc_live_', 'SVC_LIVE_') })],
  ['a key that is too short', (key) => ({ 'x-api-key': key.slice(0, -1) })],
  ['a key that is too long', (key) => ({ 'x-api-key': `${key}A` })],
  ['a typo', (key) => ({ 'x-api-key': swapped(key, 20) })],
  ['a typo in the checksum', (key) => ({ 'x-api-key': swapped(key, 40) })],
  ['an unknown key', () => ({ 'x-api-key': newApiKey() })],
  ['a webhook secret', () => ({ authorization: `Bearer whsec_${Buffer.alloc(24).toString('base64')}` })],
  ['different keys in both headers', (key) => ({ authorization: `Bearer ${key}`, 'x-api-key': newApiKey() })],
  ['a wrong scheme beside a valid X-Api-Key', (key) => ({ authorization: 'Basic eDp5', 'x-api-key': key })],
])('answers 401 with a challenge to %s', async (_, headers) => {
  for (const [method, path] of [
    ['GET', LIST],
    ['GET', `${LIST}/pi_x`],
    ['POST', LIST],
  ] as const) {
    const answer = await nobody.call(method, path, { headers: headers(shop.key) });
    expectProblem(answer, 'invalid-api-key');
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer\b/);
    expect(answer.text).not.toContain(shop.key);
  }
});

it('never reads a key from the query', async () => {
  for (const name of ['key', 'api_key', 'apiKey', 'access_token', 'x-api-key', 'authorization']) {
    expectProblem(await nobody.get(`${LIST}?${name}=${shop.key}`), 'invalid-api-key');
  }
});

it('refuses a revoked key from the very next request on, and no other', async () => {
  const created = await keys.create(shop.merchantId, ['read'], 'old', by('test'));
  const [old, current] = [new Api(service, created.key), new Api(service, shop.key)];
  expect((await old.list()).status).toBe(200);
  await expect(keys.revoke('mer_other', created.id, by('test'))).rejects.toMatchObject({ code: 'not-found' });
  expect((await old.list()).status).toBe(200);
  await keys.revoke(shop.merchantId, created.id, by('test'));
  expectProblem(await old.list(), 'invalid-api-key');
  expect((await current.list()).status).toBe(200);
});

it('lets several keys of a merchant work at once, for one to replace the other', async () => {
  const [one, two] = [
    await service.key(shop.merchantId, ['read']),
    await service.key(shop.merchantId, ['read']),
  ];
  expect((await new Api(service, one).list()).status).toBe(200);
  expect((await new Api(service, two).list()).status).toBe(200);
});

it('shows a key in full once, and then its first characters, label, scopes and last use', async () => {
  const { key, id } = await keys.create(shop.merchantId, ['read', 'write'], 'checkout server', by('test'));
  expect(key).toMatch(/^svc_live_[0-9A-Za-z]{32}$/);
  const listed = (await keys.list(shop.merchantId)).find((view) => view.id === id);
  expect(listed).toEqual({
    id,
    prefix: `${key.slice(0, 15)}…`,
    label: 'checkout server',
    scopes: ['read', 'write'],
    createdAt: expect.any(Date) as Date,
    lastUsedAt: null,
    revokedAt: null,
  });
});

it('writes down when a key was last used', async () => {
  const { key, id } = await keys.create(shop.merchantId, ['read'], 'used', by('test'));
  const before = Date.now();
  await new Api(service, key).list();
  await service.app.get(PrincipalsService).flushLastUsed();
  const used = (await keys.list(shop.merchantId)).find((view) => view.id === id)?.lastUsedAt;
  expect(used?.getTime()).toBeGreaterThanOrEqual(before);
  expect(used?.getTime()).toBeLessThanOrEqual(Date.now());
});
