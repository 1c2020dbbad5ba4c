import { AdmissionService, type Verdict } from '../../../src/modules/accounts/admission/admission.service.js';
import type { Scope } from '../../../src/modules/auth/auth.types.js';
import { MerchantsService } from '../../../src/modules/merchants/merchants.service.js';
import { Api } from '../../support/api/api.js';
import { expectProblem } from '../../support/api/problems.js';
import { by, CLI_ACTOR } from '../../support/intents/by.js';
import { Service } from '../../support/service/service.js';

let service: Service;
let merchants: MerchantsService;

beforeAll(async () => {
  service = await Service.start();
  merchants = service.app.get(MerchantsService);
});
afterAll(() => service.stop());

const decide = (id: string, verdict: Verdict) =>
  service.app.get(AdmissionService).decide(id, verdict, 'a test', CLI_ACTOR);

const INTENT = { amount: 1, currency: 'CHF' };

/** All that the API offers, in one order: create, list, read. */
async function everyEndpoint(api: Api) {
  return [await api.create(INTENT), await api.list(), await api.get('pi_x')];
}

it.each<[Scope[], Scope, number[]]>([
  [['read', 'write'], 'read', [201, 200, 404]],
  [['read'], 'write', [403, 200, 404]],
  [['write'], 'read', [201, 403, 403]],
])('lets a key with the scopes %j do what they say', async (scopes, lacking, statuses) => {
  const answers = await everyEndpoint(new Api(service, (await service.shop(scopes)).key));
  expect(answers.map(({ status }) => status)).toEqual(statuses);
  for (const answer of answers.filter(({ status }) => status === 403)) {
    expectProblem(answer, 'insufficient-scope');
    expect(answer.body.detail).toContain(lacking === 'read' ? 'Read' : 'Write');
    expect(answer.body.detail).not.toContain(lacking === 'read' ? 'Write' : 'Read');
  }
});

it('rejects the keys of a merchant until it is approved, and takes them from then on', async () => {
  const { id } = await merchants.create({ name: 'New' }, 'pending', by('test'));
  const api = new Api(service, await service.key(id, ['read', 'write']));
  for (const answer of await everyEndpoint(api)) expectProblem(answer, 'merchant-not-approved');
  await decide(id, 'approved');
  expect((await everyEndpoint(api)).map(({ status }) => status)).toEqual([201, 200, 404]);
});

it('rejects the keys of a suspended merchant at once, until it is approved again', async () => {
  const { merchantId, key } = await service.shop();
  const api = new Api(service, key);
  const { id } = (await api.create(INTENT)).body;
  await decide(merchantId, 'suspended');
  for (const answer of [...(await everyEndpoint(api)), await api.get(id)]) {
    expectProblem(answer, 'merchant-not-approved');
  }
  await decide(merchantId, 'approved');
  expect((await api.get(id)).status).toBe(200);
});

it('answers a closed merchant 404 to a creation and 401 to the rest', async () => {
  const { merchantId, key } = await service.shop();
  await decide(merchantId, 'closed');
  const [created, ...reads] = await everyEndpoint(new Api(service, key));
  expectProblem(created!, 'merchant-not-found');
  for (const answer of reads) {
    expectProblem(answer, 'invalid-api-key');
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer\b/);
  }
});

it('keeps what one merchant does out of the lists of another', async () => {
  const [mine, theirs] = [await service.shop(), await service.shop()].map(({ key }) => new Api(service, key));
  const { id } = (await mine!.create(INTENT)).body;
  expect((await mine!.list()).body).toMatchObject({ total: 1, items: [{ id }] });
  expect((await theirs!.list()).body).toMatchObject({ total: 0, items: [] });
});
