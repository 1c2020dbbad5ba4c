import { Webhook } from 'standardwebhooks';
import { AttemptMetrics } from '../../../src/modules/webhooks/delivery/attempt.metrics.js';
import { WAITS_BEFORE_TRY_MS } from '../../../src/modules/webhooks/domain/schedule.js';
import { Metrics } from '../../../src/platform/observability/metrics.js';
import { by } from '../../support/intents/by.js';
import { type Received, WebhooksFixture } from './webhooks-fixture.js';

let fixture: WebhooksFixture;
beforeAll(async () => (fixture = await WebhooksFixture.open()));
beforeEach(() => fixture.reset());
afterAll(() => fixture.close());

const verifies = (secret: string, { body, headers }: Received): boolean => {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
};

describe('a delivery', () => {
  it('arrives once, signed so that the public library verifies it', async () => {
    const receiver = await fixture.receiver();
    const { secret } = await fixture.endpoint(receiver.url);
    const eventId = await fixture.append();
    await fixture.deliver();
    await fixture.deliver();
    expect(receiver.received).toHaveLength(1);
    const [request] = receiver.received as [Received];
    expect(verifies(secret, request)).toBe(true);
    expect(request.headers).toMatchObject({
      'webhook-id': eventId,
      'content-type': 'application/json',
      'user-agent': 'Rappen-Webhooks/1.0',
      'accept-encoding': 'identity',
    });
    expect((await fixture.deliveries()).map((d) => [d.state, d.attempts])).toEqual([['delivered', 1]]);
    expect(await fixture.attempts()).toMatchObject([
      { number: 1, http_status: 200, error: null, response: 'ok' },
    ]);
  });

  it('goes to every endpoint of the merchant with one id, and to no other merchant', async () => {
    const [a, b, other] = [await fixture.receiver(), await fixture.receiver(), await fixture.receiver()];
    await fixture.endpoint(a.url);
    await fixture.endpoint(b.url);
    await fixture.endpoint(other.url, await fixture.addMerchant());
    const eventId = await fixture.append();
    await fixture.deliver();
    expect([a, b].map((r) => r.received.map((x) => x.headers['webhook-id']))).toEqual([[eventId], [eventId]]);
    expect(other.received).toEqual([]);
  });

  it('walks the whole schedule against a receiver that fails, and then gives up', async () => {
    const receiver = (await fixture.receiver()).answer(500, 'broken');
    await fixture.endpoint(receiver.url);
    await fixture.append();
    const waits: number[] = [];
    for (let tries = 1; tries < WAITS_BEFORE_TRY_MS.length; tries++) {
      await fixture.deliver();
      const [delivery] = await fixture.deliveries();
      expect(delivery).toMatchObject({ state: 'pending', attempts: tries });
      waits.push(Math.round((delivery?.wait_s ?? 0) * 1_000));
      await fixture.passWaits();
    }
    await fixture.deliver();
    expect(waits).toEqual(WAITS_BEFORE_TRY_MS.slice(1));
    expect(await fixture.deliveries()).toMatchObject([{ state: 'failed', attempts: 10 }]);
    expect((await fixture.attempts()).map((a) => a.number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(new Set(receiver.received.map((r) => r.headers['webhook-id'])).size).toBe(1);
    expect(receiver.received).toHaveLength(10);
  });

  it('is counted by how each of its tries ended, once that is recorded', async () => {
    const metrics = new Metrics();
    const counted = new AttemptMetrics(metrics);
    const pump = () => fixture.pump({ onRecorded: ({ outcome }) => counted.ended(outcome) });
    const receiver = await fixture.receiver();
    receiver.respond = (_, response) => response.writeHead(receiver.received.length === 1 ? 503 : 200).end();
    await fixture.endpoint(receiver.url);
    await fixture.endpoint((await fixture.receiver()).answer(410).url);
    await fixture.append();
    await fixture.deliver(pump());
    await fixture.passWaits();
    await fixture.deliver(pump());
    const text = await metrics.registry.metrics();
    expect(text.match(/(?<=^rappen_webhook_attempts_total\{outcome=).*/gm)).toEqual([
      '"delivered"} 1',
      '"retry"} 1',
      '"exhausted"} 0',
      '"gone"} 1',
    ]);
  });

  it('comes after later ones when its first try failed, and its sequence tells that it is older', async () => {
    const receiver = await fixture.receiver();
    receiver.respond = (_, response) => response.writeHead(receiver.received.length === 1 ? 503 : 200).end();
    await fixture.endpoint(receiver.url);
    // One after the other, so that the first is the one that fails.
    for (const _ of [1, 2, 3]) {
      await fixture.append();
      await fixture.deliver();
    }
    await fixture.passWaits();
    await fixture.deliver();
    const sequences = receiver.received.map(
      ({ body }) => (JSON.parse(body) as { sequence: number }).sequence,
    );
    const [first = 0] = sequences;
    expect(sequences).toEqual([first, first + 1, first + 2, first]);
    // The rule of docs/webhooks.md, over what was answered with 2xx.
    const applied = sequences.slice(1).reduce((last, sequence) => Math.max(last, sequence), 0);
    expect(applied).toBe(first + 2);
  });

  it.each([
    ['90', 90],
    ['1', 5],
    ['1 month', 5],
    ['-7', 5],
    ['NaN', 5],
    ['99999999999', 86_400],
    [new Date(Date.now() - 60_000).toUTCString(), 5],
  ])('waits as Retry-After %j says, within bounds', async (header, expectedS) => {
    const receiver = (await fixture.receiver()).answer(503, '', { 'retry-after': header });
    await fixture.endpoint(receiver.url);
    await fixture.append();
    await fixture.deliver();
    expect((await fixture.deliveries())[0]?.wait_s).toBeCloseTo(expectedS, 2);
  });

  it('reads Retry-After as a date, too', async () => {
    // A date has whole seconds.
    const dateS = Math.floor(Date.now() / 1_000) + 600;
    const receiver = (await fixture.receiver()).answer(429, '', {
      'retry-after': new Date(dateS * 1_000).toUTCString(),
    });
    await fixture.endpoint(receiver.url);
    await fixture.append();
    const untilS = () => dateS - Date.now() / 1_000;
    const before = untilS();
    await fixture.deliver();
    const after = untilS();
    const [delivery] = await fixture.deliveries();
    // From an end that lies in between; later by what the claim was under way, at most by all that it took.
    expect(delivery?.wait_s).toBeLessThan(before + 0.1);
    expect(delivery?.wait_s).toBeGreaterThan(after - (before - after) - 0.1);
  });

  it('is signed with the secret of the moment and sent to the URL of the moment', async () => {
    const [before, after] = [(await fixture.receiver()).answer(500), await fixture.receiver()];
    const { secret, ...ref } = await fixture.endpoint(before.url);
    await fixture.append();
    await fixture.deliver();
    const rotated = await fixture.service().rotateSecret(ref, by('test'));
    await fixture.dataSource.query('UPDATE webhook_endpoint SET url = $1', [after.url]);
    await fixture.passWaits();
    await fixture.deliver();
    const [first, second] = [before.received[0] as Received, after.received[0] as Received];
    expect(before.received).toHaveLength(1);
    expect([verifies(secret, first), verifies(rotated.secret, first)]).toEqual([true, false]);
    expect([verifies(secret, second), verifies(rotated.secret, second)]).toEqual([true, true]);
    expect(second.headers['webhook-id']).toBe(first.headers['webhook-id']);
    expect(second.body).toBe(first.body);
  });

  it('is signed with the new secret alone once a day has passed', async () => {
    const receiver = await fixture.receiver();
    const { secret, ...ref } = await fixture.endpoint(receiver.url);
    const rotated = await fixture.service().rotateSecret(ref, by('test'));
    await fixture.dataSource.query('UPDATE webhook_endpoint SET previous_secret_until = now()');
    await fixture.append();
    await fixture.deliver();
    const [request] = receiver.received as [Received];
    expect([verifies(secret, request), verifies(rotated.secret, request)]).toEqual([false, true]);
  });

  it('counts as a failed attempt when its secret cannot be opened', async () => {
    const receiver = await fixture.receiver();
    await fixture.endpoint(receiver.url);
    await fixture.dataSource.query(`UPDATE webhook_endpoint SET secret = 'v1.AAAA'`);
    await fixture.append();
    await fixture.deliver();
    expect(receiver.received).toEqual([]);
    expect(await fixture.attempts()).toMatchObject([{ http_status: null, error: 'not-signed' }]);
  });
});

describe('an endpoint', () => {
  type State = { disabled: boolean; reason: string | null; failures: number };
  const state = () =>
    fixture.dataSource.query<State[]>(
      `SELECT disabled_at IS NOT NULL AS disabled, disabled_reason AS reason, consecutive_failures AS failures
       FROM webhook_endpoint`,
    );

  it('is disabled by 410, and what waits for it is held', async () => {
    const receiver = await fixture.receiver();
    receiver.respond = (_, response) => response.writeHead(receiver.received.length === 1 ? 500 : 410).end();
    await fixture.endpoint(receiver.url);
    await fixture.append();
    await fixture.deliver();
    await fixture.append();
    await fixture.deliver();
    expect(await state()).toEqual([{ disabled: true, reason: 'answered-410', failures: 2 }]);
    await fixture.append();
    await fixture.deliver();
    await fixture.recover();
    expect((await fixture.deliveries()).map((d) => d.state)).toEqual(['held', 'held', 'held']);
    expect(receiver.received).toHaveLength(2);
  });

  it('gets what was held when it is enabled and the merchant says so, oldest first', async () => {
    const receiver = await fixture.receiver();
    const ref = await fixture.endpoint(receiver.url);
    await fixture.service().disable(ref, by('test'));
    const events = [await fixture.append(), await fixture.append(), await fixture.append()];
    await fixture.deliver();
    expect(receiver.received).toEqual([]);
    await fixture.service().enable(ref, { sendHeld: true }, by('test'));
    await fixture.deliver();
    expect(receiver.received.map((r) => r.headers['webhook-id']).sort()).toEqual([...events].sort());
    expect((await fixture.deliveries()).map((d) => d.state)).toEqual(['delivered', 'delivered', 'delivered']);
  });

  it('does not get what was held when the merchant says no', async () => {
    const receiver = await fixture.receiver();
    const ref = await fixture.endpoint(receiver.url);
    await fixture.service().disable(ref, by('test'));
    await fixture.append();
    await fixture.service().enable(ref, { sendHeld: false }, by('test'));
    const event = await fixture.append();
    await fixture.deliver();
    expect(receiver.received.map((r) => r.headers['webhook-id'])).toEqual([event]);
    expect((await fixture.deliveries()).map((d) => d.state)).toEqual(['failed', 'delivered']);
  });

  it('is not sent anything once it is deleted, retries included', async () => {
    const receiver = (await fixture.receiver()).answer(500);
    const ref = await fixture.endpoint(receiver.url);
    await fixture.append();
    await fixture.deliver();
    await fixture.service().deleteEndpoint(ref, by('test'));
    await fixture.passWaits();
    await fixture.append();
    await fixture.deliver();
    expect(receiver.received).toHaveLength(1);
    expect((await fixture.deliveries()).map((d) => d.state)).toEqual(['failed']);
  });

  it('is disabled after five days and ten failures without a success, not before', async () => {
    const receiver = (await fixture.receiver()).answer(500);
    await fixture.endpoint(receiver.url);
    const age = (interval: string) =>
      fixture.dataSource.query(`UPDATE webhook_endpoint SET failures_since = now() - $1::interval`, [
        interval,
      ]);
    for (let i = 0; i < 10; i++) await fixture.append();
    await fixture.deliver();
    expect(await state()).toEqual([{ disabled: false, reason: null, failures: 10 }]);
    await age('4 days 23 hours');
    await fixture.append();
    await fixture.deliver();
    expect(await state()).toMatchObject([{ disabled: false, failures: 11 }]);
    await age('5 days');
    await fixture.append();
    await fixture.deliver();
    expect(await state()).toMatchObject([{ disabled: true, reason: 'failing', failures: 12 }]);
    await fixture.recover();
    expect(new Set((await fixture.deliveries()).map((d) => d.state))).toEqual(new Set(['held']));
  });

  it('stays enabled after five days with fewer than ten failures', async () => {
    const receiver = (await fixture.receiver()).answer(500);
    await fixture.endpoint(receiver.url);
    for (let i = 0; i < 8; i++) await fixture.append();
    await fixture.deliver();
    await fixture.dataSource.query(`UPDATE webhook_endpoint SET failures_since = now() - interval '9 days'`);
    await fixture.append();
    await fixture.deliver();
    expect(await state()).toEqual([{ disabled: false, reason: null, failures: 9 }]);
  });

  it('starts from zero after a success', async () => {
    const receiver = (await fixture.receiver()).answer(500);
    await fixture.endpoint(receiver.url);
    await fixture.append();
    await fixture.deliver();
    receiver.answer(204);
    await fixture.passWaits();
    await fixture.deliver();
    expect(await state()).toEqual([{ disabled: false, reason: null, failures: 0 }]);
    const [row] = await fixture.dataSource.query('SELECT failures_since FROM webhook_endpoint');
    expect(row.failures_since).toBeNull();
  });
});
