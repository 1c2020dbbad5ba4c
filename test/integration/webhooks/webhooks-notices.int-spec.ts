import { by } from '../../support/intents/by.js';
import { WebhooksFixture } from './webhooks-fixture.js';

let fixture: WebhooksFixture;
beforeAll(async () => (fixture = await WebhooksFixture.open()));
beforeEach(() => fixture.reset());
afterAll(() => fixture.close());

const open = async () => (await fixture.alerts().list({ open: true })).items;
const fiveDaysPass = () =>
  fixture.dataSource.query(`UPDATE webhook_endpoint SET failures_since = now() - interval '5 days'`);

/** An endpoint that its eleventh failure, five days after the first, has just disabled. */
async function failing() {
  const receiver = (await fixture.receiver()).answer(500);
  const ref = await fixture.endpoint(`${receiver.url}?token=secret`);
  for (let i = 0; i < 10; i++) await fixture.append();
  await fixture.deliver();
  await fiveDaysPass();
  await fixture.append();
  await fixture.deliver();
  return { ref, receiver };
}

describe('an endpoint that the service disables', () => {
  it('is announced to its merchant once, without the secrets of its URL', async () => {
    const { ref } = await failing();
    expect(await fixture.disableNotices().announce()).toBe(1);
    expect(await fixture.disableNotices().announce()).toBe(0);
    const alerts = await open();
    expect(alerts).toMatchObject([
      {
        kind: 'webhook-endpoint-disabled',
        subject: ref.endpointId,
        merchantId: fixture.merchantId,
        detail: expect.stringContaining('five days') as string,
        data: { reason: 'failing' },
      },
    ]);
    expect(JSON.stringify(alerts)).not.toContain('token');
  });

  it('is announced by one of several processes', async () => {
    await failing();
    await Promise.all([1, 2, 3, 4].map(() => fixture.disableNotices().announce()));
    expect(await open()).toHaveLength(1);
  });

  it('by 410 is announced too, with its reason', async () => {
    const receiver = (await fixture.receiver()).answer(410);
    await fixture.endpoint(receiver.url);
    await fixture.append();
    await fixture.deliver();
    await fixture.disableNotices().announce();
    expect(await open()).toMatchObject([{ detail: expect.stringContaining('410') as string }]);
  });

  it('is no longer an alert once it is enabled, and one again when it fails again', async () => {
    const { ref } = await failing();
    await fixture.disableNotices().announce();
    await fixture.service().enable(ref, { sendHeld: true }, by('test'));
    expect(await open()).toEqual([]);
    await fixture.deliver();
    await fiveDaysPass();
    await fixture.append();
    await fixture.deliver();
    await fixture.disableNotices().announce();
    expect(await open()).toHaveLength(1);
    await fixture.service().deleteEndpoint(ref, by('test'));
    expect(await open()).toEqual([]);
  });

  it('and that is enabled before anybody was told raises none', async () => {
    const { ref } = await failing();
    await fixture.service().enable(ref, { sendHeld: false }, by('test'));
    expect(await fixture.disableNotices().announce()).toBe(0);
    expect(await open()).toEqual([]);
  });

  it('gets its held events, those from before and from after, when its merchant says so', async () => {
    const { ref, receiver } = await failing();
    await fixture.append();
    await fixture.deliver();
    await fixture.recover();
    expect(new Set((await fixture.deliveries()).map((d) => d.state))).toEqual(new Set(['held']));
    receiver.answer(204).received.length = 0;
    await fixture.service().enable(ref, { sendHeld: true }, by('test'));
    await fixture.deliver();
    expect(new Set(receiver.received.map((r) => r.headers['webhook-id'])).size).toBe(12);
  });
});

it('says nothing about an endpoint that a person disabled', async () => {
  const ref = await fixture.endpoint('http://127.0.0.1:9/');
  await fixture.service().disable(ref, by('test'));
  expect(await fixture.disableNotices().announce()).toBe(0);
  expect(await open()).toEqual([]);
});
