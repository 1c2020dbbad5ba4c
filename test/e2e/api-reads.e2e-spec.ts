import { newId } from '../../src/kernel/ids.js';
import { Api, type Answer, type AnyBody } from '../support/api.js';
import { endWindowIn } from '../support/api-windows.js';
import { expectProblem } from '../support/problems.js';
import { Service } from '../support/service.js';

let service: Service;
let api: Api;
let stranger: Api;

beforeAll(async () => {
  service = await Service.start();
  api = new Api(service, (await service.shop()).key);
  stranger = new Api(service, (await service.shop()).key);
});
afterAll(() => service.stop());

const create = async () => (await api.create({ amount: 5, currency: 'CHF' })).body;

/** An answer without what differs between any two: the trace, the path, the time, the state of the limit. */
function impersonal({ status, headers, text, body }: Answer<AnyBody>, id: string) {
  const { traceId } = body;
  const kept = [...headers].filter(([name]) => !['date', 'x-trace-id', 'ratelimit'].includes(name));
  return { status, kept, text: text.replace(traceId, 'TRACE').replace(id, 'ID') };
}

it.each(['GET', 'HEAD'])('answers %s of another merchant’s intent exactly as one of none', async (method) => {
  const { id } = await create();
  const missing = newId('pi');
  const theirs = await stranger.call(method, `/api/v1/intents/${id}`);
  const none = await stranger.call(method, `/api/v1/intents/${missing}`);
  expect(theirs.status).toBe(404);
  expect(impersonal(theirs, id)).toEqual(impersonal(none, missing));
});

it('names in a 404 what was asked for, and nothing else of it', async () => {
  const { id } = await create();
  const answer = await stranger.get(id);
  expectProblem(answer, 'intent-not-found');
  expect(answer.body.instance).toBe(`/api/v1/intents/${id}`);
  expect(answer.body.detail).not.toContain(id);
});

it.each([
  'x',
  'pi_',
  'pi_01',
  'pi_UPPERCASE0000000000000000000000',
  `PI_${'0'.repeat(30)}`,
  `pi_${'0'.repeat(31)}`,
  `mer_${'0'.repeat(30)}`,
  `pi_${'0'.repeat(29)}%00`,
  `pi_${'0'.repeat(29)}%2F`,
  '%F0%9F%A7%80',
  "pi_'%20OR%201=1--",
  '..%2F..%2Fhealth',
  '%20',
])('answers 404 for the malformed id %s', async (id) => {
  expectProblem(await api.get(`/api/v1/intents/${id}`), 'intent-not-found');
});

it('answers 400 for an escape that is none', async () => {
  expectProblem(await api.get('/api/v1/intents/%ff'), 'bad-request');
  expectProblem(await api.get('/api/v1/intents/%'), 'bad-request');
});

it('reads expired from the first instant after the window, before any sweep', async () => {
  const { id } = await create();
  await endWindowIn(service, id, -1);
  expect((await api.get(id)).body.status).toBe('expired');
});

it('reads initiated while the window still has an end ahead', async () => {
  const { id } = await create();
  await endWindowIn(service, id, 5_000);
  expect((await api.get(id)).body.status).toBe('initiated');
});

it('answers HEAD as GET without the body, for one and for many', async () => {
  const { id } = await create();
  for (const path of [`/api/v1/intents/${id}`, '/api/v1/intents', '/api/v1/intents?page=0']) {
    const [get, head] = [await api.get(path), await api.call('HEAD', path)];
    expect(head.status).toBe(get.status);
    expect(head.text).toBe('');
    for (const name of ['content-type', 'content-length', 'cache-control']) {
      expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)]);
    }
  }
});
