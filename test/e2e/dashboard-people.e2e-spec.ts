import { DataSource } from 'typeorm';
import { CLI_ACTOR, type Role } from '../../src/modules/accounts/accounts.types.js';
import { AuditLog } from '../../src/modules/accounts/audit-log.service.js';
import { PeopleService } from '../../src/modules/accounts/people.service.js';
import { MerchantsService } from '../../src/modules/merchants/merchants.service.js';
import { MailServer } from '../support/mail-server.js';
import { Service } from '../support/service.js';
import { Staff } from '../support/staff.js';

const PEOPLE = '/dashboard/settings/people';
const AUDIT = '/dashboard/settings/audit';

let mail: MailServer;
let service: Service;
let merchantId: string;
let owner: Staff;

beforeAll(async () => {
  mail = await MailServer.start();
  const env = { SMTP_URL: mail.url, MAIL_FROM: 'Rappen <pay@rappen.example>', TRUST_PROXY: '1' };
  service = await Service.start({ env });
});
afterAll(async () => {
  await service.stop();
  await mail.stop();
});
beforeEach(async () => {
  merchantId = await merchant('Alpine Coffee');
  owner = await Staff.of(service, { merchantId, role: 'owner' });
});

const merchant = async (name: string) =>
  (await service.app.get(MerchantsService).create({ name }, 'approved')).id;
const people = () => service.app.get(PeopleService);
const rolesOf = async (id = merchantId) =>
  Object.fromEntries((await people().list(id)).map(({ email, role }) => [email, role]));
const idOf = async (email: string) => (await people().findByEmail(email))!.id;
const actions = async () =>
  (await service.app.get(AuditLog).list(merchantId, 20)).map(({ action }) => action);
const newcomer = () => `new-${Math.random().toString(36).slice(2)}@staff.example`;

it('invites somebody by a link that is shown once and mailed, and lets them in with their role', async () => {
  const email = newcomer();
  const answer = await owner.post(PEOPLE, { email: email.toUpperCase(), role: 'reviewer' });
  expect(answer.status).toBe(200);
  const url = /<code class="secret whole">([^<]+)</.exec(answer.html)![1]!;
  expect(url).toContain(`${service.url}/dashboard/link/`);
  expect(mail.mails.find(({ to }) => to.includes(email))!.text).toContain(url.split('/').at(-1));
  const list = await owner.get(PEOPLE);
  expect([list.html.includes(email), list.html.includes(url)]).toEqual([true, false]);
  const guest = Staff.stranger(service, email);
  const taken = await guest.post(new URL(url).pathname, { password: Staff.PASSWORD });
  expect(taken.location).toBe('/dashboard/sign-in');
  expect(await rolesOf()).toEqual({ [owner.email]: 'owner', [email]: 'reviewer' });
  expect((await guest.signIn(Staff.PASSWORD)).status).toBe(303);
  expect((await owner.get(`${PEOPLE}/${await idOf(email)}`)).html).not.toContain('never');
  expect((await actions()).slice(0, 2)).toEqual(['person.joined', 'person.invited']);
});

it('shows the link when the mail is refused', async () => {
  mail.refusals.push(550);
  const answer = await owner.post(PEOPLE, { email: newcomer(), role: 'developer' });
  expect([answer.status, answer.html.includes('it was not mailed')]).toEqual([200, true]);
});

it('ends an earlier invitation with a new one, and with a withdrawal', async () => {
  const email = newcomer();
  const invite = async (role: Role) =>
    new URL(/secret whole">([^<]+)</.exec((await owner.post(PEOPLE, { email, role })).html)![1]!).pathname;
  const [first, second] = [await invite('owner'), await invite('read-only')];
  const guest = Staff.stranger(service, email);
  expect((await guest.get(first)).status).toBe(404);
  expect((await guest.get(second)).status).toBe(200);
  expect((await owner.post(`${PEOPLE}/withdraw`, { email })).location).toBe(PEOPLE);
  expect((await guest.get(second)).status).toBe(404);
  expect((await owner.get(PEOPLE)).html).not.toContain(email);
});

it('adds somebody who has an account at once', async () => {
  const elsewhere = await merchant('Other Shop');
  const colleague = await Staff.of(service, { merchantId: elsewhere, role: 'developer' });
  const answer = await owner.post(PEOPLE, { email: colleague.email, role: 'read-only' });
  expect([answer.status, answer.location]).toEqual([303, PEOPLE]);
  expect((await rolesOf())[colleague.email]).toBe('read-only');
  expect((await rolesOf(elsewhere))[colleague.email]).toBe('developer');
  expect((await actions())[0]).toBe('person.added');
  const again = await owner.post(PEOPLE, { email: colleague.email, role: 'owner' });
  expect([again.status, again.html.includes('belongs to this merchant already')]).toEqual([409, true]);
  expect((await rolesOf())[colleague.email]).toBe('read-only');
});

it.each([
  [{ email: 'nobody', role: 'owner' }, 'This is not an e-mail address.'],
  [{ email: 'a@staff.example', role: 'admin' }, 'A role is one of'],
])('refuses %j and keeps it in the form', async (fields, problem) => {
  const before = await actions();
  const answer = await owner.post(PEOPLE, fields);
  expect([answer.status, answer.html.includes(problem)]).toEqual([422, true]);
  expect(answer.html).toContain(`value="${fields.email}"`);
  expect(await actions()).toEqual(before);
});

it('changes a role from the next request on', async () => {
  const colleague = await Staff.of(service, { merchantId, role: 'read-only' });
  const path = `${PEOPLE}/${await idOf(colleague.email)}`;
  expect((await colleague.get(PEOPLE)).status).toBe(403);
  expect((await owner.post(`${path}/role`, { role: 'owner' })).location).toBe(PEOPLE);
  expect((await colleague.get(PEOPLE)).status).toBe(200);
  expect((await owner.post(`${path}/role`, { role: 'king' })).status).toBe(422);
});

it('removes somebody and ends their sessions here, not elsewhere', async () => {
  const elsewhere = await merchant('Other Shop');
  const only = await Staff.of(service, { merchantId, role: 'developer' });
  const both = await Staff.of(service, { merchantId: elsewhere, role: 'developer' });
  await owner.post(PEOPLE, { email: both.email, role: 'developer' });
  await both.post('/dashboard/merchant', { merchant: merchantId });
  for (const { email } of [only, both]) {
    const answer = await owner.post(`${PEOPLE}/${await idOf(email)}/remove`);
    expect([answer.status, answer.location]).toEqual([303, PEOPLE]);
  }
  expect((await only.get('/dashboard')).location).toBe('/dashboard/sign-in');
  const { status, html } = await both.get('/dashboard/settings');
  expect([status, html.includes('Other Shop'), html.includes('Alpine Coffee')]).toEqual([200, true, false]);
  expect(Object.keys(await rolesOf())).toEqual([owner.email]);
  const [left] = await service.app
    .get(DataSource)
    .query<[{ n: string }]>(`SELECT count(*) AS n FROM session WHERE person_id = $1`, [
      await idOf(only.email),
    ]);
  expect(left.n).toBe('0');
});

it('keeps the last owner', async () => {
  const path = `${PEOPLE}/${await idOf(owner.email)}`;
  for (const [verb, fields] of [
    ['role', { role: 'reviewer' }],
    ['remove', {}],
  ] as const) {
    const answer = await owner.post(`${path}/${verb}`, fields);
    expect([answer.status, answer.html.includes('This is the last owner')]).toEqual([409, true]);
  }
  expect(await rolesOf()).toEqual({ [owner.email]: 'owner' });
  await Staff.of(service, { merchantId, role: 'owner' });
  expect((await owner.post(`${path}/role`, { role: 'reviewer' })).location).toBe('/dashboard/settings');
  expect((await owner.get(PEOPLE)).status).toBe(403);
});

describe('the audit log', () => {
  const record = (action: string, detail = {}, actor = CLI_ACTOR) =>
    service.app.get(AuditLog).record(service.app.get(DataSource).manager, actor, {
      ...{ merchantId, action, subject: 'thing_1' },
      detail,
    });
  const times = (html: string, text: string) => html.split(text).length - 1;

  it('is shown newest first, page by page', async () => {
    for (let i = 1; i <= 60; i++) await record('key.created', { label: `key-${i}.` });
    const first = await owner.get(AUDIT);
    expect([
      times(first.html, 'label: key-'),
      first.html.includes('key-60.'),
      first.html.includes('key-10.'),
    ]).toEqual([50, true, false]);
    const older = / href="([^"]+)" rel="next"/.exec(first.html)![1]!.replaceAll('&#x3D;', '=');
    const second = await owner.get(older);
    expect([times(second.html, 'label: key-'), second.html.includes('key-10.')]).toEqual([10, true]);
    expect(second.html).toContain('rel="prev"');
  });

  it('is filtered by person and by action', async () => {
    await record('key.created');
    await record(
      'key.revoked',
      { label: 'Shop', changes: { toleranceBps: [0, 50] } },
      { ...CLI_ACTOR, name: 'ann' },
    );
    const cells = async (query: string) => {
      const { html } = await owner.get(`${AUDIT}?${query}`);
      return [times(html, 'key created<br>'), times(html, 'key revoked<br>')];
    };
    expect(await cells('')).toEqual([1, 1]);
    expect(await cells('action=key.created')).toEqual([1, 0]);
    expect(await cells('person=ann')).toEqual([0, 1]);
    expect(await cells('person=ann&action=key.created')).toEqual([0, 0]);
    expect((await owner.get(AUDIT)).html).toContain('toleranceBps: 0 → 50');
  });

  it('shows nothing of another merchant, and cannot be changed', async () => {
    await record('key.created', { label: 'theirs' });
    const other = await Staff.of(service, { merchantId: await merchant('Other Shop'), role: 'owner' });
    expect((await other.get(AUDIT)).html).not.toContain('theirs');
    const dataSource = service.app.get(DataSource);
    for (const statement of [`UPDATE audit_entry SET actor = 'x'`, 'DELETE FROM audit_entry'])
      await expect(dataSource.query(statement)).rejects.toThrow('append-only');
  });
});
