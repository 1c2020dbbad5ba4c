import { Webhook } from 'standardwebhooks';
import type { DomainError } from '../../../src/kernel/domain-error.js';
import { by } from '../../support/intents/by.js';
import { eventually, type Received, WebhooksFixture } from './webhooks-fixture.js';

let fixture: WebhooksFixture;
beforeAll(async () => (fixture = await WebhooksFixture.open()));
beforeEach(() => fixture.reset());
afterAll(() => fixture.close());

const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'done',
    (error: DomainError) => error.code,
  );
const delivery = (deliveryId: string) => ({ merchantId: fixture.merchantId, deliveryId });
const states = async () => (await fixture.deliveries()).map((d) => d.state);
const ids = (receiver: { received: Received[] }) => receiver.received.map((r) => r.headers['webhook-id']);

describe('the log', () => {
  it('tells of each delivery its state, its tries, the next one and the last answer', async () => {
    const receiver = (await fixture.receiver()).answer(500, 'broken');
    const ref = await fixture.endpoint(receiver.url);
    const eventId = await fixture.append();
    await fixture.deliver();
    const service = fixture.deliveriesService();
    const { items, next } = await service.list(ref);
    expect(next).toBeNull();
    expect(items).toMatchObject([
      { eventId, endpointId: ref.endpointId, eventType: 'payment.status', state: 'pending', attempts: 1, sequence: 1,
        nextAttemptAt: expect.any(Date), deliveredAt: null, lastAttempt: { httpStatus: 500, error: null } },
    ]); // prettier-ignore
    receiver.answer(200, 'thanks');
    await fixture.passWaits();
    await fixture.deliver();
    const after = (await service.list(ref)).items[0]!;
    expect(after).toMatchObject({
      state: 'delivered',
      nextAttemptAt: null,
      deliveredAt: expect.any(Date),
      lastAttempt: { httpStatus: 200 },
    });
    expect(await service.attempts(delivery(after.id))).toMatchObject([
      { number: 2, httpStatus: 200, error: null, response: 'thanks', durationMs: expect.any(Number) },
      { number: 1, httpStatus: 500, error: null, response: 'broken', startedAt: expect.any(Date) },
    ]);
    expect(await service.listOfIntent(fixture.merchantId, after.subject)).toEqual([after]);
  });

  it('is read page by page without a gap, newest first, also while new ones are written', async () => {
    const ref = await fixture.endpoint('http://127.0.0.1:9/');
    await fixture.endpoint('http://127.0.0.1:9/');
    const events: string[] = [];
    for (let i = 0; i < 7; i++) events.unshift(await fixture.append());
    const service = fixture.deliveriesService();
    const seen: string[] = [];
    let after: string | undefined;
    do {
      const page = await service.list(ref, { limit: 3, after });
      seen.push(...page.items.map((d) => d.eventId));
      after = page.next ?? undefined;
      await fixture.append();
    } while (after !== undefined);
    expect(seen).toEqual(events);
  });

  it('can be narrowed to what failed, and to what was written since', async () => {
    const receiver = await fixture.receiver();
    const ref = await fixture.endpoint(receiver.url);
    const arrived = await fixture.append();
    await fixture.deliver();
    receiver.answer(500);
    const [exhausted, waiting] = [await fixture.append(), await fixture.append()];
    await fixture.deliver();
    await fixture.dataSource.query(
      `UPDATE delivery SET state = 'failed', delayed = false WHERE event_id = $1`,
      [exhausted],
    );
    const untried = await fixture.append();
    await fixture.dataSource.query(
      `UPDATE delivery SET created_at = now() - interval '1 hour' WHERE event_id IN ($1, $2)`,
      [arrived, exhausted],
    );
    const service = fixture.deliveriesService();
    const list = async (filter: object) => (await service.list(ref, filter)).items.map((d) => d.eventId);
    const since = new Date(Date.now() - 1_800_000);
    expect(await list({})).toEqual([untried, waiting, exhausted, arrived]);
    expect(await list({ failed: true })).toEqual([waiting, exhausted]);
    expect(await list({ failed: true, since })).toEqual([waiting]);
    expect(await list({ since })).toEqual([untried, waiting]);
    expect(await list({ failed: true, limit: 1 })).toEqual([waiting]);
  });

  it('shows another merchant nothing, and lets it do nothing', async () => {
    const ref = await fixture.endpoint('http://127.0.0.1:9/');
    await fixture.append();
    const service = fixture.deliveriesService();
    const [row] = (await service.list(ref)).items;
    const merchantId = await fixture.addMerchant();
    const theirs = { merchantId, deliveryId: row!.id };
    const endpoint = { ...ref, merchantId };
    for (const call of [service.get(theirs), service.attempts(theirs), service.redeliver(theirs, by('test'))])
      expect(await codeOf(call)).toBe('webhook-delivery-not-found');
    for (const call of [
      service.list(endpoint),
      service.redeliverFailed(endpoint, new Date(0), by('test')),
      service.sendTest(endpoint, by('test')),
    ])
      expect(await codeOf(call)).toBe('webhook-endpoint-not-found');
    expect(await service.listOfIntent(merchantId, row!.subject)).toEqual([]);
    expect((await service.list(ref)).items).toEqual([row]);
  });

  it.each(['', '0', '-1', '1e3', '1.5', 'x', '9'.repeat(30), "1' OR true"])(
    'knows no delivery called %j',
    async (id) => {
      const service = fixture.deliveriesService();
      const ref = await fixture.endpoint('http://127.0.0.1:9/');
      expect(await codeOf(service.get(delivery(id)))).toBe('webhook-delivery-not-found');
      expect(await codeOf(service.ownerOf(id))).toBe('webhook-delivery-not-found');
      expect(await codeOf(service.list(ref, { after: id }))).toBe('validation-error');
    },
  );

  it.each([0, 101, 1.5, Number.NaN])('refuses a page of %d', async (limit) => {
    const ref = await fixture.endpoint('http://127.0.0.1:9/');
    expect(await codeOf(fixture.deliveriesService().list(ref, { limit }))).toBe('validation-error');
  });
});

describe('a redelivery', () => {
  it('has the same id and body, a new timestamp and a new signature that verifies', async () => {
    const receiver = await fixture.receiver();
    const { secret, ...ref } = await fixture.endpoint(receiver.url);
    const eventId = await fixture.append();
    await fixture.deliver();
    const sentAtS = Number(receiver.received[0]?.headers['webhook-timestamp']);
    await eventually('the next second', () => Date.now() >= (sentAtS + 1) * 1_000);
    const service = fixture.deliveriesService();
    const [sent] = (await service.list(ref)).items;
    await service.redeliver(delivery(sent!.id), by('test'));
    expect((await service.list(ref)).items).toMatchObject([{ state: 'pending', attempts: 0 }]);
    await fixture.deliver();
    const [first, second] = receiver.received as [Received, Received];
    expect(ids(receiver)).toEqual([eventId, eventId]);
    expect(second.body).toBe(first.body);
    expect(Number(second.headers['webhook-timestamp'])).toBeGreaterThan(sentAtS);
    expect(second.headers['webhook-signature']).not.toBe(first.headers['webhook-signature']);
    expect(() => new Webhook(secret).verify(second.body, second.headers)).not.toThrow();
    expect((await fixture.attempts()).map((a) => a.number)).toEqual([1, 1]);
  });

  it('gets the whole schedule again when it fails', async () => {
    const receiver = (await fixture.receiver()).answer(500);
    await fixture.endpoint(receiver.url);
    await fixture.append();
    await fixture.deliver();
    await fixture.dataSource.query(`UPDATE delivery SET state = 'failed', delayed = false, attempts = 10`);
    const [row] = await fixture.deliveries();
    await fixture.deliveriesService().redeliver(delivery(row!.id), by('test'));
    await fixture.deliver();
    expect(await fixture.deliveries()).toMatchObject([{ state: 'pending', attempts: 1, wait_s: 5 }]);
  });

  it('is refused while the delivery is being sent, while its endpoint is disabled, and once it is deleted', async () => {
    const receiver = await fixture.receiver();
    const open: (() => void)[] = [];
    receiver.respond = (_, response) => open.push(() => response.end());
    const ref = await fixture.endpoint(receiver.url);
    await fixture.append();
    const pump = fixture.pump();
    await pump.turn();
    await eventually('it is under way', () => open.length === 1);
    const [row] = await fixture.deliveries();
    const service = fixture.deliveriesService();
    const again = () => service.redeliver(delivery(row!.id), by('test'));
    await expect(again()).rejects.toMatchObject({
      code: 'webhook-not-redelivered',
      message: expect.stringContaining('right now') as string,
    });
    open.forEach((answer) => answer());
    await pump.idle();
    await fixture.service().disable(ref, by('test'));
    expect(await codeOf(again())).toBe('webhook-not-redelivered');
    expect(await codeOf(service.redeliverFailed(ref, new Date(0), by('test')))).toBe(
      'webhook-not-redelivered',
    );
    await fixture.service().deleteEndpoint(ref, by('test'));
    expect(await codeOf(again())).toBe('webhook-not-redelivered');
    expect(await codeOf(service.redeliverFailed(ref, new Date(0), by('test')))).toBe(
      'webhook-endpoint-not-found',
    );
    expect(await states()).toEqual(['delivered']);
    expect(receiver.received).toHaveLength(1);
  });

  it('of all that failed since takes what was given up and what waits for another try, each once', async () => {
    const receiver = (await fixture.receiver()).answer(500);
    const ref = await fixture.endpoint(receiver.url);
    const other = await fixture.endpoint((await fixture.receiver()).answer(500).url);
    const [old, givenUp, waiting] = [await fixture.append(), await fixture.append(), await fixture.append()];
    await fixture.deliver();
    await fixture.dataSource.query(
      `UPDATE delivery SET state = 'failed', delayed = false, attempts = 10 WHERE event_id IN ($1, $2)`,
      [old, givenUp],
    );
    await fixture.dataSource.query(
      `UPDATE delivery SET created_at = now() - interval '2 hours' WHERE event_id = $1`,
      [old],
    );
    receiver.answer(200);
    const arrived = await fixture.append();
    await fixture.deliver();
    expect(ids(receiver).filter((id) => id === arrived)).toHaveLength(1);
    receiver.received.length = 0;
    const service = fixture.deliveriesService();
    expect(await service.redeliverFailed(ref, new Date(Date.now() - 3_600_000), by('test'))).toBe(2);
    await fixture.deliver();
    expect(ids(receiver).sort()).toEqual([givenUp, waiting].sort());
    expect(await service.redeliverFailed(ref, new Date(Date.now() - 3_600_000), by('test'))).toBe(0);
    expect((await service.list(other, { failed: true })).items).not.toEqual([]);
  });

  it('of more than a batch takes them all', async () => {
    const ref = await fixture.endpoint('http://127.0.0.1:9/');
    await fixture.append();
    await fixture.dataSource.query(
      `INSERT INTO event (id, merchant_id, type, subject, sequence, body)
       SELECT 'evt_' || n, merchant_id, type, subject, 1 + n, body FROM event, generate_series(1, 2500) n`,
    );
    await fixture.dataSource.query(`DELETE FROM delivery`);
    await fixture.dataSource.query(
      `INSERT INTO delivery (event_id, endpoint_id, state, attempts)
       SELECT id, $1, 'failed', 10 FROM event`,
      [ref.endpointId],
    );
    expect(await fixture.deliveriesService().redeliverFailed(ref, new Date(0), by('test'))).toBe(2_501);
    expect(new Set(await states())).toEqual(new Set(['pending']));
  });
});

describe('a test event', () => {
  it('is signed, says that it is a test, goes to one endpoint, and is logged like any other', async () => {
    const [receiver, other] = [await fixture.receiver(), await fixture.receiver()];
    const { secret, ...ref } = await fixture.endpoint(receiver.url);
    await fixture.endpoint(other.url);
    const service = fixture.deliveriesService();
    const sent = await service.sendTest(ref, by('test'));
    expect(sent).toMatchObject({
      state: 'delivered',
      eventType: 'webhook.test',
      lastAttempt: { httpStatus: 200 },
    });
    await service.sendTest(ref, by('test'));
    const bodies = receiver.received.map((r) => new Webhook(secret).verify(r.body, r.headers));
    expect(bodies).toMatchObject([
      { id: sent.eventId, type: 'webhook.test', sequence: 1, data: { endpoint: { id: ref.endpointId } } },
      { type: 'webhook.test', sequence: 2 },
    ]);
    expect((await service.list(ref)).items).toHaveLength(2);
    expect(other.received).toEqual([]);
  });

  it('reaches a disabled endpoint and leaves it disabled', async () => {
    const receiver = await fixture.receiver();
    const ref = await fixture.endpoint(receiver.url);
    await fixture.service().disable(ref, by('test'));
    await fixture.append();
    expect(await fixture.deliveriesService().sendTest(ref, by('test'))).toMatchObject({ state: 'delivered' });
    expect(receiver.received).toHaveLength(1);
    expect(await states()).toEqual(['held', 'delivered']);
    expect((await fixture.service().getEndpoint(ref)).disabledAt).toEqual(expect.any(Date));
  });

  it('is tried once, and says what went wrong', async () => {
    const ref = await fixture.endpoint((await fixture.receiver()).answer(500, 'no').url);
    const service = fixture.deliveriesService();
    const sent = await service.sendTest(ref, by('test'));
    expect(sent).toMatchObject({ state: 'failed', attempts: 1, lastAttempt: { httpStatus: 500 } });
    expect(await service.attempts(delivery(sent.id))).toMatchObject([{ response: 'no' }]);
  });

  it('is one at a time, and left to the dispatcher when its process dies', async () => {
    const receiver = await fixture.receiver();
    const ref = await fixture.endpoint(receiver.url);
    const open: (() => void)[] = [];
    receiver.respond = (_, response) => open.push(() => response.end());
    const service = fixture.deliveriesService();
    const first = service.sendTest(ref, by('test'));
    await eventually('it is under way', () => open.length === 1);
    expect(await codeOf(service.sendTest(ref, by('test')))).toBe('webhook-test-under-way');
    open.forEach((answer) => answer());
    expect(await first).toMatchObject({ state: 'delivered' });
    await fixture.dataSource.query(
      `UPDATE delivery SET state = 'sending', lease_token = gen_random_uuid(), lease_until = now() - interval '1 s'`,
    );
    expect(await fixture.recover()).toBe(1);
    receiver.respond = (_, response) => response.end();
    await fixture.deliver();
    expect(new Set(ids(receiver)).size).toBe(1);
    expect(await states()).toEqual(['delivered']);
  });

  it('that answers 410 disables the endpoint, as any event would', async () => {
    const ref = await fixture.endpoint((await fixture.receiver()).answer(410).url);
    await fixture.deliveriesService().sendTest(ref, by('test'));
    expect(await fixture.service().getEndpoint(ref)).toMatchObject({ disabledReason: 'answered-410' });
  });
});
