import { DataSource } from 'typeorm';
import { WebhooksService } from '../../../src/modules/webhooks/webhooks.service.js';
import { Staff } from '../../support/dashboard/staff.js';
import { by } from '../../support/intents/by.js';
import { applyAllChanges } from '../../support/intents/decided.js';
import { type Fact, Money } from '../../support/intents/money.js';
import { startTestAnvil, type TestAnvil } from '../../support/nodes/anvil.js';
import { eventually, Receiver } from '../../support/servers/receiver.js';
import { Service } from '../../support/service/service.js';

let anvil: TestAnvil;
let service: Service;
let money: Money;
let merchantId: string;
let reviewer: Staff;
let receiver: Receiver;

beforeAll(async () => {
  anvil = await startTestAnvil({ blockTimeS: 1 });
  await anvil.testClient.mine({ blocks: 70 }); // so that block 1 is final
  service = await Service.start({ chain: anvil });
  money = new Money(service);
  merchantId = (await service.shop()).merchantId;
  receiver = await Receiver.start();
  const webhooks = service.app.get(WebhooksService);
  ({ secret: receiver.secret } = await webhooks.createEndpoint(
    { merchantId, url: receiver.url },
    by('test'),
  ));
  reviewer = await Staff.of(service, { merchantId, role: 'reviewer' });
});
afterAll(async () => {
  await service.stop();
  await receiver.stop();
  await anvil.stop();
});

/** An intent that expired with part of its money. */
async function expired(fact: Fact = { percent: 60 }): Promise<string> {
  const id = await money.picked(merchantId);
  await money.record(id, fact);
  await money.endWindowIn(id, -1);
  await applyAllChanges(service);
  expect(await money.status(id)).toBe('expired');
  return id;
}

/** The transfers that the page's forms name. */
const seenOn = (html: string) => [
  ...new Set([...html.matchAll(/name="seen" value="(\w+)"/g)].map((match) => match[1]!)),
];

/** Looks at the entry, and sends one of its forms. */
async function decide(
  staff: Staff,
  id: string,
  verb: 'accept' | 'dismiss' | 'refund',
  fields: Record<string, string>,
) {
  const { html } = await staff.get(`/dashboard/review/${id}`);
  return staff.post(`/dashboard/review/${id}/${verb}`, { ...fields, seen: seenOn(html) });
}

it('shows a short payment with its gap, and settles it when a reviewer accepts', async () => {
  const id = await expired();
  const queue = await reviewer.get('/dashboard/review');
  expect(queue.html).toContain(id);
  expect(queue.html).toMatch(/Review <span class="badge">\d+</);
  const { html } = await reviewer.get(`/dashboard/review/${id}`);
  for (const text of [
    '60 %',
    '5\u00a0USDC are missing',
    'Accept 7.5\u00a0USDC, CHF\u00a04.00 short',
    'final',
  ]) {
    expect(html).toContain(text);
  }
  const note = 'A regular customer';
  const answer = await decide(reviewer, id, 'accept', { note });
  expect([answer.status, answer.location]).toEqual([303, '/dashboard/review']);
  expect(await money.status(id)).toBe('settled');
  await eventually(
    () => receiver.statusesOf(id),
    (statuses) => statuses.at(-1) === 'settled',
  );
  const payment = await reviewer.get(`/dashboard/payments/${id}`);
  expect(payment.html).toContain(note);
  expect(payment.html).toContain(reviewer.email);
});

/** What can be done, and the button that stands out, in the order of the page. */
const ways = (html: string) => [
  [...html.matchAll(/<h2 id="(accept|refund|dismiss)">/g)].map((match) => match[1]),
  [...html.matchAll(/class="button button-main"[^>]*>([^<]+)</g)].map((match) => match[1]),
];

it('has first, and as its one strong button, what can be done: of a cancelled payment that is to send its money back', async () => {
  const short = await reviewer.get(`/dashboard/review/${await expired()}`);
  expect(ways(short.html)).toEqual([
    ['accept', 'refund', 'dismiss'],
    ['Accept 7.5\u00a0USDC, CHF\u00a04.00 short'],
  ]);

  const owner = await Staff.of(service, { merchantId, role: 'owner' });
  const id = await money.picked(merchantId);
  expect((await owner.post(`/dashboard/payments/${id}/cancel`)).status).toBe(303);
  await money.record(id, { percent: 60 });
  await applyAllChanges(service);
  const { html } = await reviewer.get(`/dashboard/review/${id}`);
  expect(ways(html)).toEqual([['refund', 'dismiss', 'accept'], ['Send money back']]);
  expect(html).toContain('A payment that is cancelled cannot be accepted.');
  expect(html).not.toContain('/accept"');
});

it('tells who was faster when two people decide', async () => {
  const id = await expired();
  const other = await Staff.of(service, { merchantId, role: 'owner' });
  const dismissed = await decide(other, id, 'dismiss', { note: 'Refunded in the shop' });
  expect(dismissed.status).toBe(303);
  const late = await reviewer.post(`/dashboard/review/${id}/accept`, { note: 'Fine by me' });
  expect(late.status).toBe(409);
  expect(late.html).toContain('Already decided by');
  expect(late.html).toContain(other.email);
  expect(late.html).toContain('Refunded in the shop');
  expect(await money.status(id)).toBe('expired');
});

it('decides about the money that was looked at, and about no other', async () => {
  const id = await expired();
  const { html } = await reviewer.get(`/dashboard/review/${id}`);
  const seen = seenOn(html);
  await money.record(id, { percent: 10 });
  await applyAllChanges(service);
  const answer = await reviewer.post(`/dashboard/review/${id}/accept`, { note: 'As seen', seen });
  expect(answer.status).toBe(303);
  expect(await money.status(id)).toBe('settled');
  const waiting = seenOn((await reviewer.get(`/dashboard/review/${id}`)).html);
  expect(waiting).toHaveLength(1);
  expect(seen).not.toContain(waiting[0]);
});

it.each<['accept' | 'dismiss' | 'refund', Record<string, string>, string]>([
  ['accept', {}, 'needs a reason'],
  ['dismiss', { note: ' ' }, 'needs a note'],
  ['dismiss', { note: 'x'.repeat(1001) }, 'longer than 1000'],
  ['refund', { note: 'Refunded', amount: 'ten' }, 'plain decimal'],
  ['refund', { note: 'Refunded', amount: '' }, 'id="amount-flaw"'],
])('refuses to %s with %j', async (verb, fields, problem) => {
  const id = await expired();
  const answer = await decide(reviewer, id, verb, fields);
  expect([answer.status, answer.html.includes(problem)]).toEqual([422, true]);
  expect((await reviewer.get('/dashboard/review')).html).toContain(id);
});

it('records a refund with its transaction', async () => {
  const id = await expired();
  const fields = { note: 'Sent back', asset: 'ethereum USDC', amount: '7.50', txid: '0xrefund' };
  expect((await decide(reviewer, id, 'refund', fields)).status).toBe(303);
  const { html } = await reviewer.get(`/dashboard/payments/${id}`);
  expect(html).toContain('Refund recorded: 7.5\u00a0USDC');
  expect(html).toContain('0xrefund');
});

it('asks for a proof of identity where a refund is recorded or a payment accepted, and not to dismiss it', async () => {
  const id = await expired();
  const idle = await Staff.of(service, { merchantId, role: 'reviewer' });
  const formsOf = async () => {
    const { html } = await idle.get(`/dashboard/review/${id}`);
    const forms = [...html.matchAll(/<form [^>]*action="\/dashboard\/review\/\w+\/(\w+)"/g)].map(
      ([, verb]) => verb,
    );
    return { forms, prove: html.match(new RegExp(`/dashboard/confirm\\?to[^"]*${id}"`, 'g'))?.length ?? 0 };
  };
  expect(await formsOf()).toEqual({ forms: ['accept', 'refund', 'dismiss'], prove: 0 });
  await service.app.get(DataSource).query(
    `UPDATE session SET proven_at = proven_at - interval '11 minutes'
     WHERE person_id = (SELECT id FROM person WHERE email = $1)`,
    [idle.email],
  );
  expect(await formsOf()).toEqual({ forms: ['dismiss'], prove: 2 });
  const fields = { note: 'Sent back', asset: 'ethereum USDC', amount: '7.50' };
  const { status, location } = await idle.post(`/dashboard/review/${id}/refund`, fields);
  expect([status, location]).toEqual([303, expect.stringContaining('/dashboard/confirm')]);
  expect((await reviewer.get(`/dashboard/payments/${id}`)).html).not.toContain('Refund recorded');
});

it('shows a developer the queue, and no form', async () => {
  const id = await expired();
  const developer = await Staff.of(service, { merchantId, role: 'developer' });
  const { html } = await developer.get(`/dashboard/review/${id}`);
  expect([html.includes('60 %'), html.includes('/accept"')]).toEqual([true, false]);
  expect((await developer.post(`/dashboard/review/${id}/accept`, { note: 'Please' })).status).toBe(403);
});

it('hides another merchant’s entry', async () => {
  const id = await expired();
  const stranger = await Staff.of(service, { merchantId: (await service.shop()).merchantId, role: 'owner' });
  expect((await stranger.get(`/dashboard/review/${id}`)).status).toBe(404);
  expect((await stranger.post(`/dashboard/review/${id}/accept`, { note: 'Mine' })).status).toBe(404);
  expect((await stranger.get('/dashboard/review')).html).not.toContain(id);
});

it.each<['accept' | 'dismiss' | 'refund', Record<string, string>, string]>([
  ['accept', { note: 'A regular' }, 'review accepted'],
  ['dismiss', { note: 'Too little' }, 'review dismissed'],
  ['refund', { note: 'Sent back', asset: 'ethereum USDC', amount: '7.50' }, 'refund recorded'],
])('remembers in the audit log who decided to %s', async (verb, fields, said) => {
  const owner = await Staff.of(service, { merchantId, role: 'owner' });
  const id = await expired();
  expect((await decide(owner, id, verb, fields)).status).toBe(303);
  const { html } = await owner.get(`/dashboard/settings/audit?person=${encodeURIComponent(owner.email)}`);
  expect([html.includes(said), html.includes(id), html.includes(fields['note']!)]).toEqual([
    true,
    true,
    true,
  ]);
});
