import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { AuditLog } from '../../../src/modules/accounts/audit/audit-log.service.js';
import { IntentsService } from '../../../src/modules/intents/lifecycle/intents.service.js';
import { WebhookDeliveriesService } from '../../../src/modules/webhooks/webhook-deliveries.service.js';
import { WebhooksService } from '../../../src/modules/webhooks/webhooks.service.js';
import { Staff } from '../../support/dashboard/staff.js';
import { ORDER } from '../../support/intents/order.js';
import { eventually, Receiver } from '../../support/servers/receiver.js';
import { Service } from '../../support/service/service.js';

const HOOKS = '/dashboard/developers/webhooks';
const DELIVERIES = '/dashboard/developers/deliveries';

let service: Service;
let merchantId: string;
let developer: Staff;
let receiver: Receiver;

beforeAll(async () => {
  service = await Service.start();
  receiver = await Receiver.start();
});
beforeEach(async () => {
  // A merchant for each: what one test's endpoint does is not in another's log.
  ({ merchantId } = await service.shop());
  developer = await Staff.of(service, { merchantId, role: 'developer' });
  receiver.events.length = 0;
});
afterAll(async () => {
  await service.stop();
  await receiver.stop();
});

const secretOn = (html: string) =>
  /id="secret">(whsec_[^<]+)</.exec(html)?.[1]?.replaceAll('&#x3D;', '=') ?? '';
const auditOf = async () =>
  (await service.app.get(AuditLog).list(merchantId, 20))
    .filter(({ action }) => action.startsWith('webhook.'))
    .map(({ action, subject }) => [action, subject]);
const endpointsOf = () => service.app.get(WebhooksService).listEndpoints(merchantId);

/** An endpoint made with the page; the receiver knows its secret from there. */
async function added(url = receiver.url): Promise<string> {
  const answer = await developer.post(HOOKS, { url });
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([201, 'no-store']);
  receiver.secret = secretOn(answer.html);
  const endpoint = (await endpointsOf()).at(-1)!;
  return endpoint.id;
}

async function createIntent(): Promise<string> {
  const { intent } = await service.app
    .get(IntentsService)
    .create(merchantId, { ...ORDER, amountMinor: 4990n });
  return intent.id;
}

const deliveriesOf = async (endpointId: string) =>
  (await service.app.get(WebhookDeliveriesService).list({ merchantId, endpointId })).items;

async function deliveryOf(endpointId: string, state: string) {
  const items = await eventually(
    () => deliveriesOf(endpointId),
    (all) => all[0]?.state === state,
  );
  return items[0]!;
}

it('shows the secret once, and what it signs verifies', async () => {
  const id = await added();
  const secret = receiver.secret;
  expect(secret).toMatch(/^whsec_/);
  const tested = await developer.post(`${HOOKS}/${id}/test`);
  expect([tested.status, tested.location]).toEqual([303, expect.stringContaining(DELIVERIES)]);
  expect(receiver.events.map(({ type }) => type)).toEqual(['webhook.test']);
  const delivery = await developer.get(tested.location!);
  expect(delivery.html).toContain('answered 204');
  for (const path of [HOOKS, `${HOOKS}/${id}`, `${HOOKS}/${id}/verify`, tested.location!]) {
    expect((await developer.get(path)).html).not.toContain(secret.slice(6));
  }
  expect(await auditOf()).toEqual([
    ['webhook.tested', id],
    ['webhook.created', id],
  ]);
});

it.each<[string, string]>([
  ['ftp://shop.example/hook', 'must use https'],
  ['not a url', 'must be an absolute URL'],
  ['https://user:pass@shop.example/', 'must not contain a user name'],
  ['https://10.0.0.1/hook', 'must have a public address'],
])('refuses %s, and keeps what was typed', async (url, problem) => {
  const answer = await developer.post(HOOKS, { url });
  expect([answer.status, answer.html.includes(problem)]).toEqual([422, true]);
  expect(answer.html).toContain(`value="${url}"`);
  expect(await endpointsOf()).toEqual([]);
  const id = await added();
  const changed = await developer.post(`${HOOKS}/${id}/url`, { url });
  expect([changed.status, changed.html.includes(`value="${url}"`)]).toEqual([422, true]);
  expect((await endpointsOf())[0]?.url).toBe(receiver.url);
});

it('sends an event again under the same webhook-id, from its page and as curl', async () => {
  const id = await added();
  const intentId = await createIntent();
  const delivery = await deliveryOf(id, 'delivered');
  const page = await developer.get(`${DELIVERIES}/${delivery.id}`);
  for (const text of [delivery.eventId, intentId, 'answered 204', 'previousStatus'])
    expect(page.html).toContain(text);
  expect((await developer.post(`${DELIVERIES}/${delivery.id}/redeliver`)).status).toBe(303);
  expect((await developer.get(`${DELIVERIES}/${delivery.id}`)).html).toContain('Sent again: answered 204.');
  const twice = await eventually(
    () => receiver.events.map((event) => event.id),
    (ids) => ids.length === 2,
  );
  expect(twice).toEqual([delivery.eventId, delivery.eventId]);
  expect(await auditOf()).toContainEqual(['webhook.redelivered', delivery.eventId]);

  const { html } = await developer.get(`${DELIVERIES}/${delivery.id}`);
  const command = /<code id="curl">([\s\S]*?)<\/code>/.exec(html)![1]!;
  await promisify(execFile)('sh', ['-c', `${plain(command)} -sS --fail`]);
  expect(receiver.events.map((event) => event.id)).toEqual(Array(3).fill(delivery.eventId));
  expect(receiver.refused).toBe(0);
});

it('shows no signed request to somebody who may only read', async () => {
  const id = await added();
  await createIntent();
  const { id: delivery } = await deliveryOf(id, 'delivered');
  const reader = await Staff.of(service, { merchantId, role: 'read-only' });
  const { html } = await reader.get(`${DELIVERIES}/${delivery}`);
  expect([html.includes('previousStatus'), html.includes('curl'), html.includes('/redeliver')]).toEqual([
    true,
    false,
    false,
  ]);
});

it('holds what is written while an endpoint is disabled, and sends or drops it as it is told', async () => {
  const id = await added();
  for (const [choice, state] of [
    ['send', 'delivered'],
    ['drop', 'failed'],
  ] as const) {
    await developer.post(`${HOOKS}/${id}/disable`);
    await createIntent();
    await deliveryOf(id, 'held');
    const { html } = await developer.get(`${HOOKS}/${id}`);
    expect(html).toContain('disabled by you');
    expect((await developer.post(`${HOOKS}/${id}/enable`, { held: choice })).location).toBe(`${HOOKS}/${id}`);
    await deliveryOf(id, state);
  }
  expect(receiver.events).toHaveLength(1);
});

it('filters the log by state, page by page', async () => {
  const id = await added('http://localhost:9/nobody');
  await developer.post(`${HOOKS}/${id}/disable`);
  const tests = Array.from({ length: 2 }, () => developer.post(`${HOOKS}/${id}/test`));
  await Promise.all(tests); // one at a time is taken, so one or two are there
  await createIntent();
  const log = async (state: string) => {
    const { html } = await developer.get(`${HOOKS}/${id}?state=${state}`);
    return [html.includes('>webhook.test</a>'), html.includes('>payment.status</a>')];
  };
  expect(await log('')).toEqual([true, true]);
  expect(await log('held')).toEqual([false, true]);
  expect(await log('failed')).toEqual([true, false]);
  expect(await log('delivered')).toEqual([false, false]);
  const [newest] = await deliveriesOf(id);
  const { html } = await developer.get(`${HOOKS}/${id}?after=${newest!.id}`);
  expect([html.includes('payment.status, sequence'), html.includes('Newest')]).toEqual([false, true]);
});

it('sends again all that failed since a time, and asks for one that it understands', async () => {
  const id = await added('http://localhost:9/nobody');
  await createIntent();
  await eventually(
    () => deliveriesOf(id),
    ([one]) => one?.lastAttempt !== null && one?.state === 'pending',
  );
  await developer.post(`${HOOKS}/${id}/url`, { url: receiver.url });
  const refused = await developer.post(`${HOOKS}/${id}/redeliver`, { since: '2026-02-31T10:00' });
  expect([refused.status, refused.html.includes('value="2026-02-31T10:00"')]).toEqual([422, true]);
  const answer = await developer.post(`${HOOKS}/${id}/redeliver`, { since: '2020-01-01T00:00' });
  expect([answer.status, answer.location]).toEqual([303, `${HOOKS}/${id}`]);
  await deliveryOf(id, 'delivered');
});

it('replaces the secret with both signing for a day, and deletes with a step between', async () => {
  const id = await added();
  const old = receiver.secret;
  expect((await developer.get(`${HOOKS}/${id}/rotate`)).html).toContain('24 hours');
  const rotated = await developer.post(`${HOOKS}/${id}/rotate`);
  const fresh = secretOn(rotated.html);
  expect([rotated.status, fresh === old]).toEqual([200, false]);
  for (const secret of [old, fresh]) {
    receiver.secret = secret;
    await developer.post(`${HOOKS}/${id}/test`);
  }
  expect([receiver.events.length, receiver.refused]).toEqual([2, 0]);
  expect((await developer.get(`${HOOKS}/${id}/delete`)).html).toContain(receiver.url);
  await developer.post(`${HOOKS}/${id}/delete`);
  expect(await endpointsOf()).toEqual([]);
  expect((await auditOf()).map(([action]) => action)).toEqual([
    'webhook.deleted',
    'webhook.tested',
    'webhook.tested',
    'webhook.secret-rotated',
    'webhook.created',
  ]);
});

it('hides another merchant’s endpoint and deliveries', async () => {
  const id = await added();
  const { location } = await developer.post(`${HOOKS}/${id}/test`);
  const other = await service.shop();
  const stranger = await Staff.of(service, { merchantId: other.merchantId, role: 'owner' });
  const before = await deliveriesOf(id);
  for (const path of [`${HOOKS}/${id}`, `${HOOKS}/${id}/verify`, `${HOOKS}/${id}/rotate`, location!])
    expect((await stranger.get(path)).status).toBe(404);
  for (const verb of ['test', 'disable', 'enable', 'rotate', 'url', 'delete', 'redeliver'])
    expect((await stranger.post(`${HOOKS}/${id}/${verb}`, { url: receiver.url })).status).toBe(404);
  expect((await stranger.post(`${location}/redeliver`)).status).toBe(404);
  expect((await stranger.get(HOOKS)).html).not.toContain(receiver.url);
  expect(await deliveriesOf(id)).toEqual(before);
  expect((await endpointsOf())[0]).toMatchObject({ url: receiver.url, disabledAt: null });
});

/** Text as the page shows it. */
function plain(html: string): string {
  const names: Record<string, string> = {
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    '#x27': "'",
    '#x3D': '=',
    '#x60': '`',
  };
  return html.replace(/&([#\w]+);/g, (_all, name: string) => names[name] ?? '?');
}
