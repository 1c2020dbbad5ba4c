import { DataSource } from 'typeorm';
import { newId } from '../../../src/kernel/ids.js';
import { type Answer, type AnyBody, Api } from '../../support/api/api.js';
import { endWindowIn } from '../../support/api/api-windows.js';
import { expectProblem, placesOf } from '../../support/api/problems.js';
import { Service } from '../../support/service/service.js';

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
  // Before which a busy machine has answered.
  await endWindowIn(service, id, 60_000);
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

describe('the list of events', () => {
  let shop: Api;
  let merchantId: string;
  /** As webhooks carry them, in the order in which they were committed. */
  let written: { id: string }[];

  beforeAll(async () => {
    const made = await service.shop();
    ({ merchantId } = made);
    shop = new Api(service, made.key);
    for (let i = 1; i <= 4; i++) {
      const { id } = (await shop.create({ amount: i, currency: 'CHF', idempotencyKey: `order-${i}` })).body;
      if (i % 2 === 0) await shop.cancel(id);
    }
    const rows = await service.app
      .get(DataSource)
      .query<{ body: string }[]>('SELECT body FROM event WHERE merchant_id = $1 ORDER BY created_at', [
        merchantId,
      ]);
    written = rows.map(({ body }) => JSON.parse(body) as { id: string });
  });

  const list = (query: string, by = shop) => by.call('GET', `/api/v1/events${query}`);
  const idsOf = async (query: string) =>
    ((await list(query)).body.items as readonly { id: string }[]).map(({ id }) => id);

  it('tells them as webhooks do, oldest first, with the order’s own id', async () => {
    const { status, headers, body } = await list('');
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(body).toEqual({ items: written, hasMore: false });
    expect(written).toHaveLength(6);
    expect(written[2]).toMatchObject({
      data: { intent: { status: 'cancelled', idempotencyKey: 'order-2' }, previousStatus: 'initiated' },
    });
  });

  it('goes on after any of them, and comes to an end', async () => {
    const ids = written.map(({ id }) => id);
    expect(await idsOf(`?after=${ids[1]}`)).toEqual(ids.slice(2));
    const pages: string[][] = [];
    for (let after: string | undefined, more = true; more; after = pages.at(-1)?.at(-1)) {
      const { body } = await list(`?pageSize=4${after ? `&after=${after}` : ''}`);
      pages.push((body.items as readonly { id: string }[]).map(({ id }) => id));
      more = (body as unknown as { hasMore: boolean }).hasMore;
    }
    expect(pages).toEqual([ids.slice(0, 4), ids.slice(4)]);
    expect((await list(`?after=${ids.at(-1)}`)).body).toEqual({ items: [], hasMore: false });
  });

  it('knows another merchant’s event no better than none, and shows nobody another’s', async () => {
    const foreign = await list(`?after=${written[0]?.id}`, stranger);
    const none = await list(`?after=${newId('evt')}`, stranger);
    for (const answer of [foreign, none]) {
      expectProblem(answer, 'validation-error');
      expect(placesOf(answer)).toEqual(['after unknown_event']);
    }
    expect(foreign.body.detail).toBe(none.body.detail);
    expect((await list('?pageSize=100', stranger)).text).not.toContain(written[0]?.id);
  });

  it.each([
    ['?after=', 'after unknown_event'],
    ['?after=evt_1', 'after unknown_event'],
    [`?after=pi_${'0'.repeat(30)}`, 'after unknown_event'],
    [`?after=evt_${'0'.repeat(29)}%00`, 'after unknown_event'],
    [`?after=evt_${'0'.repeat(30)}&after=evt_${'0'.repeat(30)}`, 'after unknown_event'],
    ['?pageSize=0', 'pageSize out_of_range'],
    ['?pageSize=101', 'pageSize out_of_range'],
    ['?page=1', 'page unknown_parameter'],
  ])('refuses %s as %s', async (query, place) => {
    const answer = await list(query);
    expectProblem(answer, 'validation-error');
    expect(placesOf(answer)).toEqual([place]);
  });

  it('takes Read, which Write does not imply, and answers HEAD', async () => {
    const writer = new Api(service, await service.key(merchantId, ['write']));
    const refused = await list('', writer);
    expectProblem(refused, 'insufficient-scope');
    const head = await shop.call('HEAD', '/api/v1/events');
    expect([head.status, head.text]).toEqual([200, '']);
  });
});
