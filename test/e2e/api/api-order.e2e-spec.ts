import type { ProblemSlug } from '../../../src/kernel/domain-error.js';
import { ApiKeysService } from '../../../src/modules/auth/api-keys.service.js';
import { MerchantsService } from '../../../src/modules/merchants/merchants.service.js';
import { Api } from '../../support/api/api.js';
import { expectProblem } from '../../support/api/problems.js';
import { by } from '../../support/intents/by.js';
import { Service } from '../../support/service/service.js';

let service: Service;

/** Who asks. `full` has used up its minute. */
let who: Record<
  'nobody' | 'revoked' | 'pending' | 'pendingReader' | 'reader' | 'fullReader' | 'full' | 'good',
  Api
>;

const LIMIT = 2;

beforeAll(async () => {
  service = await Service.start({ env: { RATE_LIMIT_WRITES_PER_MINUTE: String(LIMIT) } });
  const { id } = await service.app.get(MerchantsService).create({ name: 'New' }, 'pending', by('test'));
  const keys = service.app.get(ApiKeysService);
  const revoked = await keys.create(id, ['read'], 'revoked', by('test'));
  await keys.revoke(id, revoked.id, by('test'));
  const key = async (...scopes: ('read' | 'write')[]) => new Api(service, (await service.shop(scopes)).key);
  who = {
    nobody: new Api(service, null),
    revoked: new Api(service, revoked.key),
    pending: new Api(service, await service.key(id, ['read', 'write'])),
    pendingReader: new Api(service, await service.key(id, ['read'])),
    reader: await key('read'),
    fullReader: await key('read'),
    full: await key('write'),
    good: await key('read', 'write'),
  };
});
afterAll(() => service.stop());

const HUGE = 'x'.repeat(64 * 1024 + 1);
const TEXT = { 'content-type': 'text/plain' };
const JSON_TYPE = { 'content-type': 'application/json' };
const HTML_ONLY = { accept: 'text/html' };

interface Flawed {
  readonly by: () => Api;
  readonly method?: string;
  readonly path?: string;
  readonly headers: Record<string, string>;
  readonly body: string | null;
}

// Each request has the flaw of its line and that of the next; the answer is about the first of the two.
it.each<[ProblemSlug, ProblemSlug | 'a good answer', Flawed]>([
  ['not-found', 'invalid-api-key', { by: () => who.nobody, path: '/api/v1/intent', headers: {}, body: null }],
  ['method-not-allowed', 'invalid-api-key', { by: () => who.nobody, method: 'PUT', headers: {}, body: HUGE }],
  ['invalid-api-key', 'merchant-not-approved', { by: () => who.revoked, headers: TEXT, body: HUGE }],
  ['merchant-not-approved', 'insufficient-scope', { by: () => who.pendingReader, headers: TEXT, body: HUGE }],
  ['merchant-not-approved', 'rate-limit-exceeded', { by: () => who.pending, headers: TEXT, body: HUGE }],
  ['insufficient-scope', 'rate-limit-exceeded', { by: () => who.fullReader, headers: TEXT, body: HUGE }],
  ['rate-limit-exceeded', 'payload-too-large', { by: () => who.full, headers: TEXT, body: HUGE }],
])('says %s before %s', async (first, _, { by, method = 'POST', path, headers, body }) => {
  // The limit is reached within its first minute or within the next, should one end meanwhile.
  const ask = () => by().call(method, path ?? '/api/v1/intents', { headers, body });
  let answer = await ask();
  for (let i = 0; i < 2 * LIMIT && answer.status !== 429; i++) answer = await ask();
  expectProblem(answer, first);
});

it.each<[ProblemSlug, ProblemSlug, Record<string, string>, string]>([
  ['payload-too-large', 'unsupported-media-type', { ...TEXT, ...HTML_ONLY }, HUGE],
  ['payload-too-large', 'unsupported-media-type', { ...JSON_TYPE, 'content-encoding': 'zip' }, HUGE],
  ['unsupported-media-type', 'not-acceptable', { ...TEXT, ...HTML_ONLY }, '{'],
  ['not-acceptable', 'malformed-json', { ...JSON_TYPE, ...HTML_ONLY }, '{'],
  ['malformed-json', 'validation-error', JSON_TYPE, '{"amount":0'],
])('says %s before %s, about the body', async (first, _, headers, body) => {
  const api = new Api(service, (await service.shop()).key);
  expectProblem(await api.call('POST', '/api/v1/intents', { headers, body }), first);
});

it('says not-acceptable before validation-error where there is no body', async () => {
  expectProblem(await who.good.get('/api/v1/intents?page=0', HTML_ONLY), 'not-acceptable');
});

it('says not-acceptable before intent-not-found', async () => {
  expectProblem(await who.good.get('/api/v1/intents/pi_x', HTML_ONLY), 'not-acceptable');
});
