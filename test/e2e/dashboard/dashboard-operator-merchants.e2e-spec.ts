import { type Address, erc20Abi, parseUnits } from 'viem';
import { WebhooksService } from '../../../src/modules/webhooks/webhooks.service.js';
import { Api } from '../../support/api/api.js';
import { expectProblem } from '../../support/api/problems.js';
import { choose } from '../../support/checkout/choose.js';
import { Staff } from '../../support/dashboard/staff.js';
import { by } from '../../support/intents/by.js';
import { startTestAnvil, type TestAnvil } from '../../support/nodes/anvil.js';
import { eventually, Receiver } from '../../support/servers/receiver.js';
import { Service } from '../../support/service/service.js';

const MERCHANTS = '/dashboard/operator/merchants';

let anvil: TestAnvil;
let service: Service;
let operator: Staff;
let receiver: Receiver;

beforeAll(async () => {
  anvil = await startTestAnvil({ blockTimeS: 1 });
  service = await Service.start({ chain: anvil, env: { TRUST_PROXY: '1' } });
  operator = await Staff.of(service, { isOperator: true });
  receiver = await Receiver.start();
});
afterAll(async () => {
  await service.stop();
  await receiver.stop();
  await anvil.stop();
});

const NEW = { name: 'Bäckerei Widmer', support: 'help@widmer.example', reason: 'Contract 2026-17' };

/** @returns the merchant's id */
async function created(fields: Record<string, string> = {}): Promise<string> {
  const { status, location } = await operator.post(MERCHANTS, { ...NEW, ...fields });
  expect(status).toBe(303);
  return location!.slice(MERCHANTS.length + 1);
}

async function pay(address: string, units: string): Promise<void> {
  const [account] = await anvil.testClient.getAddresses();
  await anvil.testClient.writeContract({
    account: account!,
    address: anvil.tokens.USDC.address,
    abi: erc20Abi,
    functionName: 'transfer',
    args: [address as Address, parseUnits(units, 6)],
  });
}

it('creates a merchant, and its owner joins with the link that is shown once', async () => {
  const answer = await operator.post(MERCHANTS, { ...NEW, email: 'Owner@widmer.example' });
  const [, link, token] = /(http:\/\/[^<]*(\/dashboard\/link\/[\w-]+))/.exec(answer.html) ?? [];
  expect([answer.status, link]).toEqual([200, expect.stringContaining(service.url)]);
  const guest = Staff.stranger(service, 'owner@widmer.example');
  expect((await guest.get(token!)).html).toContain('Bäckerei Widmer as owner');
  expect((await guest.post(token!, { password: Staff.PASSWORD })).location).toBe('/dashboard/sign-in');
  expect((await guest.signIn(Staff.PASSWORD)).location).toBe('/dashboard');
  const { html } = await operator.get(`${MERCHANTS}?q=widmer&status=pending`);
  const path = /href="(\/dashboard\/operator\/merchants\/mer_\w+)"/.exec(html)![1]!;
  const file = (await operator.get(path)).html;
  for (const text of ['awaits approval', 'owner@widmer.example', 'Contract 2026-17', operator.email])
    expect(file).toContain(text);
  expect(file).not.toContain('/dashboard/link/');
});

it('creates nobody when the owner’s address is none', async () => {
  const name = 'Nobody Inc';
  const answer = await operator.post(MERCHANTS, { ...NEW, name, email: 'not an address' });
  expect([answer.status, answer.html.includes('Contract 2026-17')]).toEqual([422, true]); // nothing typed is lost
  expect((await operator.get(`${MERCHANTS}?q=Nobody`)).html).toContain('No merchant matches');
});

it('approves, suspends and closes, each with its reason in its history', async () => {
  const id = await created();
  const api = new Api(service, await service.key(id, ['read', 'write']));
  expectProblem(await api.list(), 'merchant-not-approved');
  for (const [verb, reason, status] of [
    ['approve', 'The papers came', 200],
    ['suspend', 'A complaint', 403],
    ['approve', 'It was a mistake', 200],
    ['close', 'Shop given up', 401],
  ] as const) {
    const answer = await operator.post(`${MERCHANTS}/${id}/${verb}`, { reason });
    expect([answer.status, answer.location]).toEqual([303, `${MERCHANTS}/${id}`]);
    expect((await api.list()).status).toBe(status);
  }
  const { html } = await operator.get(`${MERCHANTS}/${id}`);
  const history = html.slice(html.indexOf('id="history"'));
  const told = ['Shop given up', 'It was a mistake', 'A complaint', 'The papers came', 'Contract 2026-17'];
  const places = told.map((reason) => history.indexOf(reason));
  expect([...places].sort((a, b) => a - b)).toEqual(places);
  expect(places[0]).toBeGreaterThan(0);
  const late = await operator.post(`${MERCHANTS}/${id}/approve`, { reason: 'Come back' });
  expect([late.status, late.html.includes('closed for good')]).toEqual([409, true]);
});

it.each(['approve', 'suspend', 'close'])('does not %s without a reason, nor with a book', async (verb) => {
  const id = await created({ approved: 'yes' });
  for (const reason of ['', '  ', 'x'.repeat(1001)]) {
    const answer = await operator.post(`${MERCHANTS}/${id}/${verb}`, { reason });
    expect([answer.status, answer.html.includes('Say why')]).toEqual([422, true]);
  }
  const { html } = await operator.get(`${MERCHANTS}/${id}`);
  expect(html).toContain('state-good">approved');
  expect(html.match(/<li><span class="state/g)).toHaveLength(1); // created, and nothing since
});

it('says so when it was so already, and records nothing', async () => {
  const id = await created({ approved: 'yes' });
  await operator.post(`${MERCHANTS}/${id}/approve`, { reason: 'Once more' });
  const { html } = await operator.get(`${MERCHANTS}/${id}`);
  expect([html.includes('already'), html.includes('Once more')]).toEqual([true, false]);
});

it('records one of two decisions that are made at the same moment', async () => {
  const id = await created({ approved: 'yes' });
  const other = await Staff.of(service, { isOperator: true });
  const both = [operator, other].map((staff) =>
    staff.post(`${MERCHANTS}/${id}/suspend`, { reason: `Asked for by ${staff.email}` }),
  );
  expect((await Promise.all(both)).map(({ status }) => status)).toEqual([303, 303]);
  const { html } = await operator.get(`${MERCHANTS}/${id}`);
  expect(html.match(/Asked for by/g)).toHaveLength(1);
});

it('refuses a suspended merchant’s server at once, and goes on to watch, settle and tell', async () => {
  const { merchantId, key } = await service.shop();
  const webhooks = service.app.get(WebhooksService);
  ({ secret: receiver.secret } = await webhooks.createEndpoint(
    { merchantId, url: receiver.url },
    by('test'),
  ));
  const api = new Api(service, key);
  const { id } = (await api.create({ amount: 10, currency: 'CHF' })).body;
  await choose(service, id, 'ethereum', 'USDC');
  const { depositAddress } = (await api.get(id)).body;
  await operator.post(`${MERCHANTS}/${merchantId}/suspend`, { reason: 'A complaint' });
  expectProblem(await api.get(id), 'merchant-not-approved');
  expectProblem(await api.create({ amount: 10, currency: 'CHF' }), 'merchant-not-approved');
  await pay(depositAddress!, '12.5');
  await eventually(
    () => receiver.statusesOf(id),
    (statuses) => statuses.at(-1) === 'settled',
  );
  await operator.post(`${MERCHANTS}/${merchantId}/approve`, { reason: 'Cleared up' });
  expect((await api.get(id)).body.status).toBe('settled');
  const { html } = await operator.get(`${MERCHANTS}/${merchantId}`);
  expect(html).toContain('CHF\u00a010.00 <span class="quiet">(1)');
});

it('shows those that wait first, and finds by state, name and id', async () => {
  const approved = await created({ name: 'Zebra <b>& Co', approved: 'yes' });
  const waiting = await created({ name: 'Aardvark' });
  const all = (await operator.get(MERCHANTS)).html;
  expect(all.indexOf(waiting)).toBeLessThan(all.indexOf(approved));
  expect(all).toContain('Zebra &lt;b&gt;&amp; Co');
  const idsOn = async (query: string) => [
    ...new Set((await operator.get(`${MERCHANTS}?${query}`)).html.match(/mer_\w+/g)),
  ];
  expect(await idsOn('q=zebra')).toEqual([approved]);
  expect(await idsOn(`q=${waiting}`)).toEqual([waiting]);
  expect(await idsOn('status=approved&q=aardvark')).toEqual([]);
  expect(await idsOn('q=%25')).toEqual([]);
});

it('invites another owner, and its log tells the merchant', async () => {
  const id = await created();
  const answer = await operator.post(`${MERCHANTS}/${id}/invite`, { email: 'second@widmer.example' });
  expect([answer.status, /\/dashboard\/link\/[\w-]{43}</.test(answer.html)]).toEqual([200, true]);
  expect((await operator.get(`${MERCHANTS}/${id}`)).html).toContain('Invited: <bdi>second@widmer.example');
});

it('is closed to an owner, and answers 404 about a merchant of nobody', async () => {
  const { merchantId } = await service.shop();
  const owner = await Staff.of(service, { merchantId, role: 'owner' });
  for (const path of [MERCHANTS, `${MERCHANTS}/new`, `${MERCHANTS}/${merchantId}`])
    expect((await owner.get(path)).status).toBe(403);
  expect((await owner.post(`${MERCHANTS}/${merchantId}/approve`, { reason: 'Please' })).status).toBe(403);
  expect((await operator.get(`${MERCHANTS}/mer_nobody`)).status).toBe(404);
  expect((await operator.post(`${MERCHANTS}/mer_nobody/suspend`, { reason: 'Why' })).status).toBe(404);
});
