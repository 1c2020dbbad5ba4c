import { setTimeout as later } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import type { ProblemSlug } from '../../../src/kernel/domain-error.js';
import { newId } from '../../../src/kernel/ids.js';
import { type Answer, type AnyBody, Api } from '../../support/api/api.js';
import { expectProblem, placesOf } from '../../support/api/problems.js';
import { applyAllChanges } from '../../support/intents/decided.js';
import { Money } from '../../support/intents/money.js';
import { SILENT_CHAIN } from '../../support/nodes/wallet.js';
import { eventually } from '../../support/servers/receiver.js';
import { Service } from '../../support/service/service.js';

let service: Service;
let dataSource: DataSource;
let money: Money;
let merchantId: string;
let api: Api;

beforeAll(async () => {
  // Facts are written by hand; no node answers, and the cursor says that none is missed.
  service = await Service.start({
    chain: SILENT_CHAIN,
    standsAt: 1_000,
    env: { RATE_LIMIT_WRITES_PER_MINUTE: '100000' },
  });
  dataSource = service.app.get(DataSource);
  money = new Money(service);
  const shop = await service.shop();
  ({ merchantId } = shop);
  api = new Api(service, shop.key);
});
afterAll(async () => {
  await service.stop();
});

const create = async () => (await api.create({ amount: 5, currency: 'CHF' })).body.id;

describe('cancelling', () => {
  it('answers 200 with the intent as a read shows it, and again, with one event for both', async () => {
    const id = await create();
    const first = await api.cancel(id);
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({ id, status: 'cancelled', payment: null });
    const again = await api.cancel(id);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect((await api.get(id)).body).toEqual(first.body);
    expect(await money.walkOf(id)).toEqual(['initiated', 'cancelled']);
  });

  it('is in the audit log once, with the key and where the request came from', async () => {
    const id = await create();
    await api.cancel(id);
    await api.cancel(id);
    const [key] = await dataSource.query<[{ id: string }]>('SELECT id FROM api_key WHERE merchant_id = $1', [
      merchantId,
    ]);
    const entries: unknown = await dataSource.query(
      'SELECT merchant_id, actor, action, address FROM audit_entry WHERE subject = $1',
      [id],
    );
    const who = { actor: `key:${key.id}`, address: expect.stringContaining('127.0.0.1') as string };
    expect(entries).toEqual([{ merchant_id: merchantId, action: 'intent.cancelled', ...who }]);
    const causes: unknown = await dataSource.query(
      `SELECT cause FROM transition WHERE intent_id = $1 AND to_status = 'cancelled'`,
      [id],
    );
    expect(causes).toEqual([{ cause: 'cancelled-by-key' }]);
  });

  it('says what had arrived of an underpaid one, which then waits for a decision', async () => {
    const id = await money.picked(merchantId);
    await money.record(id, { percent: 40 });
    const { status, body } = await api.cancel(id);
    expect([status, body.status]).toEqual([200, 'cancelled']);
    expect(body.payment).toMatchObject({
      network: 'ethereum',
      received: '5.00000000',
      missing: '7.50000000',
      transfers: [{ amount: '5.00000000' }],
    });
    expect(await money.walkOf(id)).toEqual(['initiated', 'pending', 'cancelled']);
    expect(await queued(id)).toBe(1);
  });

  it.each([
    ['settled', async (id: string) => void (await money.record(id))],
    ['complete', async (id: string) => void (await money.record(id, { blockHeight: 1_001 }))],
    ['expired', (id: string) => money.endWindowIn(id, -1)],
  ])('answers 409 for one that is %s, although nobody had looked', async (state, happen) => {
    const id = await money.picked(merchantId);
    await happen(id);
    const answer = await api.cancel(id);
    expectProblem(answer, 'conflict');
    expect(answer.body.detail).toBe(`A payment that is ${state} cannot be cancelled.`);
    expect((await api.get(id)).body.status).toBe(state === 'complete' ? 'pending' : state);
  });

  it('answers for another merchant’s as for none, and leaves it alone', async () => {
    const id = await create();
    const missing = newId('pi');
    const stranger = new Api(service, (await service.shop()).key);
    const [theirs, none] = [await stranger.cancel(id), await stranger.cancel(missing)];
    expectProblem(theirs, 'intent-not-found');
    const text = ({ body: { traceId: _, instance: __, ...rest } }: Answer<AnyBody>) => JSON.stringify(rest);
    expect(text(theirs)).toBe(text(none));
    expectProblem(await stranger.cancel('pi_x'), 'intent-not-found');
    expect((await api.get(id)).body.status).toBe('initiated');
  });

  it('takes Write, which Read does not imply', async () => {
    const id = await create();
    const answer = await new Api(service, await service.key(merchantId, ['read'])).cancel(id);
    expectProblem(answer, 'insufficient-scope');
    expect(answer.body.detail).toMatch(/write/i);
    expect((await new Api(service, await service.key(merchantId, ['write'])).cancel(id)).status).toBe(200);
  });

  const json = { 'content-type': 'application/json' };
  it.each<[string, RequestInit, ProblemSlug, string[]]>([
    ['a field', { headers: json, body: '{"reason":"no"}' }, 'validation-error', ['/reason unknown_field']],
    ['no JSON', { headers: json, body: 'x' }, 'malformed-json', []],
    ['a form', { headers: { 'content-type': 'text/plain' }, body: 'a=b' }, 'unsupported-media-type', []],
    ['another wish', { headers: { accept: 'text/html' } }, 'not-acceptable', []],
  ])('refuses %s', async (_, init, code, places) => {
    const id = await create();
    const answer = await api.cancel(id, init);
    expectProblem(answer, code);
    if (places.length > 0) expect(placesOf(answer)).toEqual(places);
    expect((await api.get(id)).body.status).toBe('initiated');
  });

  it('takes no body, an empty object, and no parameter', async () => {
    expect((await api.cancel(await create(), { headers: json })).status).toBe(200);
    expect((await api.cancel(await create(), { headers: json, body: '{}' })).status).toBe(200);
    expectProblem(
      await api.call('POST', `/api/v1/intents/${await create()}/cancel?force=1`),
      'validation-error',
    );
    const other = await api.call('GET', `/api/v1/intents/${await create()}/cancel`);
    expect([other.status, other.headers.get('allow')]).toEqual([405, 'OPTIONS, POST']);
  });
});

describe('cancelling against a payment', () => {
  it('gives way to one that was recorded while it waited for the intent', async () => {
    const id = await money.picked(merchantId);
    const holder = dataSource.createQueryRunner();
    await holder.startTransaction();
    await holder.query('SELECT FROM intent WHERE id = $1 FOR UPDATE', [id]);
    const cancelling = api.cancel(id);
    await eventually(waitersForLocks, (waiting) => waiting > 0);
    await money.record(id, { percent: 100 }, holder.manager);
    await holder.commitTransaction();
    await holder.release();
    expectProblem(await cancelling, 'conflict');
    expect((await api.get(id)).body.status).toBe('settled');
  });

  it('ends in one of the two, whoever comes first, with all money accounted for', async () => {
    const outcomes = new Set<string>();
    for (let round = 0; round < 20; round++) {
      const id = await money.picked(merchantId);
      const pay = async () => {
        // Sometimes first, sometimes at once, sometimes last.
        await later((round % 4) * 8);
        await money.record(id);
        await applyAllChanges(service);
      };
      const [first, second] = await Promise.all([api.cancel(id), api.cancel(id), pay()]);
      await applyAllChanges(service);
      const { status } = (await api.get(id)).body;
      outcomes.add(status);
      const answered = new Set([first.status, second.status]);
      expect([status, [...answered]]).toEqual(status === 'cancelled' ? [status, [200]] : ['settled', [409]]);
      expect(await queued(id)).toBe(status === 'cancelled' ? 1 : 0);
      expect((await money.walkOf(id)).at(-1)).toBe(status);
    }
    process.stdout.write(`  cancelling against a payment: ${[...outcomes].join(', ')}\n`);
  });
});

async function queued(id: string): Promise<number> {
  const [row] = await dataSource.query<[{ n: number }]>(
    'SELECT count(*)::int AS n FROM review_entry, unnest(transfers) WHERE intent_id = $1',
    [id],
  );
  return row.n;
}

async function waitersForLocks(): Promise<number> {
  const [row] = await dataSource.query<[{ n: number }]>(
    `SELECT count(*)::int AS n FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return row.n;
}
