import { DataSource } from 'typeorm';
import type { AuditAction } from '../../../src/database/audit-actions.js';
import type { Actor, Role } from '../../../src/modules/accounts/accounts.types.js';
import { AuditLog } from '../../../src/modules/accounts/audit/audit-log.service.js';
import { InvitationsService } from '../../../src/modules/accounts/people/invitations.service.js';
import { MembersService } from '../../../src/modules/accounts/people/members.service.js';
import { PeopleService } from '../../../src/modules/accounts/people/people.service.js';
import { MerchantsService } from '../../../src/modules/merchants/merchants.service.js';
import { comparable } from '../../support/dashboard/comparable.js';
import { linkPath, Staff } from '../../support/dashboard/staff.js';
import { by, CLI_ACTOR } from '../../support/intents/by.js';
import { MailServer } from '../../support/servers/mail-server.js';
import { eventually } from '../../support/servers/receiver.js';
import { Service } from '../../support/service/service.js';

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
  (await service.app.get(MerchantsService).create({ name }, 'approved', by('test'))).id;
const people = () => service.app.get(PeopleService);
const rolesOf = async (id = merchantId) =>
  Object.fromEntries(
    (await service.app.get(MembersService).list(id)).map(({ email, role }) => [email, role]),
  );
const idOf = async (email: string) => (await people().findByEmail(email))!.id;
const actions = async () =>
  (await service.app.get(AuditLog).list(merchantId, 20)).map(({ action }) => action);
const newcomer = () => `new-${Math.random().toString(36).slice(2)}@staff.example`;

/** The link in the newest mail to a mailbox, as its owner opens it. */
const mailedLink = async (email: string) => {
  const mails = await eventually(
    () => mail.mailsTo(email),
    (all) => all.some(({ text }) => text.includes('/dashboard/link/')),
  );
  return /\/dashboard\/link\/[\w-]{43}/.exec(mails.findLast(({ text }) => text.includes('/link/'))!.text)![0];
};
const inviteBy = (by: Staff, email: string, role: Role) => by.post(PEOPLE, { email, role });

it('mails the link to the mailbox alone, and lets its holder in with their role', async () => {
  const email = newcomer();
  const answer = await inviteBy(owner, email.toUpperCase(), 'reviewer');
  expect([answer.status, answer.html.includes('/dashboard/link/')]).toEqual([200, false]);
  const link = await mailedLink(email);
  const list = await owner.get(PEOPLE);
  expect([list.html.includes(email), list.html.includes(link)]).toEqual([true, false]);
  const guest = Staff.stranger(service, email);
  const taken = await guest.post(link, { password: Staff.PASSWORD });
  expect(taken.location).toBe('/dashboard/sign-in');
  expect(await rolesOf()).toEqual({ [owner.email]: 'owner', [email]: 'reviewer' });
  expect((await guest.signIn(Staff.PASSWORD)).status).toBe(303);
  expect((await owner.get(`${PEOPLE}/${await idOf(email)}`)).html).not.toContain('never');
  expect((await actions()).slice(0, 2)).toEqual(['person.joined', 'person.invited']);
});

it('stores the link that waits to be mailed so that no dump gives it away', async () => {
  const email = newcomer();
  mail.busy.add(email);
  await inviteBy(owner, email, 'owner');
  const [{ rows }] = await service.app
    .get(DataSource)
    .query<[{ rows: string }]>(
      `SELECT string_agg(e::text, '') AS rows FROM outgoing_mail e WHERE recipient = $1`,
      [email],
    );
  expect([rows.includes(email), rows.includes('/dashboard/link/')]).toEqual([true, false]);
});

it('says in the list that the mail was refused', async () => {
  const email = newcomer();
  mail.unknown.add(email);
  await inviteBy(owner, email, 'developer');
  const list = await eventually(
    () => owner.get(PEOPLE),
    ({ html }) => html.includes('the mail was refused'),
  );
  expect(list.status).toBe(200);
});

it('ends an earlier invitation with a new one, and with a withdrawal', async () => {
  const email = newcomer();
  const invite = async (role: Role) => {
    mail.mails.length = 0;
    await inviteBy(owner, email, role);
    return mailedLink(email);
  };
  const first = await invite('owner');
  const second = await invite('read-only');
  const guest = Staff.stranger(service, email);
  expect((await guest.get(first)).status).toBe(404);
  expect((await guest.get(second)).status).toBe(200);
  expect((await owner.post(`${PEOPLE}/withdraw`, { email })).location).toBe(PEOPLE);
  expect((await guest.get(second)).status).toBe(404);
  expect((await owner.get(PEOPLE)).html).not.toContain(email);
});

it('adds somebody who has an account once they have accepted while signed in, by the link in their mailbox', async () => {
  const elsewhere = await merchant('Other Shop');
  const colleague = await Staff.of(service, { merchantId: elsewhere, role: 'developer' });
  expect((await inviteBy(owner, colleague.email, 'read-only')).status).toBe(200);
  expect((await rolesOf())[colleague.email]).toBeUndefined();
  // The address is not proved yet, so that the account itself is told nothing.
  expect((await colleague.get('/dashboard/invitations')).html).not.toContain('Alpine Coffee');
  const link = await mailedLink(colleague.email);
  const [, signIn = ''] = /href="(\/dashboard\/invitations\/link\/[\w-]+)"/.exec(
    (await Staff.stranger(service).get(link)).html,
  )!;
  const thief = await Staff.of(service, { merchantId: elsewhere, role: 'owner', isEmailProven: true });
  expect((await thief.post(signIn)).status).toBe(404);
  expect((await colleague.get(signIn)).html).toContain('Join Alpine Coffee as read-only');
  expect((await rolesOf())[colleague.email]).toBeUndefined();
  expect((await colleague.post(signIn)).location).toBe('/dashboard/account');
  expect((await rolesOf())[colleague.email]).toBe('read-only');
  expect((await rolesOf(elsewhere))[colleague.email]).toBe('developer');
  expect((await actions())[0]).toBe('person.joined');
  expect((await colleague.post(signIn)).status).toBe(404);
  const again = await inviteBy(owner, colleague.email, 'owner');
  expect([again.status, again.html.includes('belongs to this merchant already')]).toEqual([409, true]);
  expect((await rolesOf())[colleague.email]).toBe('read-only');
});

it.each([
  ['whose address was not proved', false],
  ['whose address was proved', true],
])(
  'answers the same for an address with an account %s as for one without, in its list too',
  async (_what, isEmailProven) => {
    const elsewhere = await merchant('Other Shop');
    const colleague = await Staff.of(service, { merchantId: elsewhere, role: 'developer', isEmailProven });
    const tellOf = async (email: string) => {
      const answer = await inviteBy(owner, email, 'read-only');
      const list = await eventually(
        () => owner.get(PEOPLE),
        ({ html }) => html.includes('<td>mailed</td>'),
      );
      await owner.post(`${PEOPLE}/withdraw`, { email });
      // Which says so once.
      await owner.get(PEOPLE);
      return [comparable(answer, email), comparable(list, email)];
    };
    const [answer, list] = await tellOf(colleague.email);
    expect([answer!.status, list!.html.includes('read-only')]).toEqual([200, true]);
    expect([answer, list]).toEqual(await tellOf(newcomer()));
  },
);

it('proves nothing by a link that the command line has shown, though mail is configured', async () => {
  const invitations = service.app.get(InvitationsService);
  const shown = (email: string) =>
    invitations.invite({ email, merchantId, role: 'developer', showLink: true }, CLI_ACTOR);
  const isProven = async (email: string) =>
    (
      await service.app
        .get(DataSource)
        .query<{ isProven: boolean }[]>(
          `SELECT email_proven_at IS NOT NULL AS "isProven" FROM person WHERE email = $1`,
          [email],
        )
    )[0]?.isProven;
  const email = newcomer();
  const guest = Staff.stranger(service, email);
  const taken = await guest.post(linkPath(await shown(email)), { password: Staff.PASSWORD });
  expect([taken.location, await isProven(email)]).toEqual(['/dashboard/sign-in', false]);
  const elsewhere = await merchant('Other Shop');
  const colleague = await Staff.of(service, { merchantId: elsewhere, role: 'developer' });
  const link = linkPath(await shown(colleague.email)).replace('/link/', '/invitations/link/');
  await colleague.post(link);
  expect([await isProven(colleague.email), (await rolesOf())[colleague.email]]).toEqual([false, undefined]);
  // By the mailbox it is, and takes the role.
  await inviteBy(owner, colleague.email, 'developer');
  await colleague.post((await mailedLink(colleague.email)).replace('/link/', '/invitations/link/'));
  expect([await isProven(colleague.email), (await rolesOf())[colleague.email]]).toEqual([true, 'developer']);
});

it('needs a proof of identity within ten minutes to accept', async () => {
  const elsewhere = await merchant('Other Shop');
  const colleague = await Staff.of(service, { merchantId: elsewhere, role: 'owner', isEmailProven: true });
  await inviteBy(owner, colleague.email, 'developer');
  const { html } = await colleague.get('/dashboard/invitations');
  const [, accept = ''] = /action="([^"]+\/accept)"/.exec(html)!;
  await service.app.get(DataSource).query(`UPDATE session SET proven_at = proven_at - interval '11 minutes'`);
  expect((await colleague.post(accept)).location).toMatch(/^\/dashboard\/confirm/);
  expect((await rolesOf())[colleague.email]).toBeUndefined();
});

it('declines without anything having changed', async () => {
  const elsewhere = await merchant('Other Shop');
  const colleague = await Staff.of(service, { merchantId: elsewhere, role: 'owner', isEmailProven: true });
  await inviteBy(owner, colleague.email, 'developer');
  const [, decline = ''] = /action="([^"]+\/decline)"/.exec(
    (await colleague.get('/dashboard/invitations')).html,
  )!;
  expect((await colleague.post(decline)).location).toBe('/dashboard/invitations');
  expect((await colleague.get('/dashboard')).html).not.toContain('You are invited.');
  expect((await rolesOf())[colleague.email]).toBeUndefined();
  expect((await actions())[0]).toBe('invitation.declined');
});

it('proves an address by a link in its mailbox, opened by the account that asked', async () => {
  const colleague = await Staff.of(service, { merchantId, role: 'developer' });
  await colleague.post('/dashboard/invitations/prove');
  const path = (await mailedLink(colleague.email)).replace(
    '/dashboard/link/',
    '/dashboard/invitations/link/',
  );
  const isProven = async () => (await colleague.get('/dashboard/account')).html.includes('Not proved');
  expect((await owner.post(path)).status).toBe(404);
  expect(await isProven()).toBe(true);
  expect((await colleague.post(path)).location).toBe('/dashboard/invitations');
  expect(await isProven()).toBe(false);
});

it('lets nobody be buried in invitations: five to an address, twenty by a person, a day', async () => {
  const email = newcomer();
  const byOne = [];
  for (let i = 0; i < 6; i++) byOne.push((await inviteBy(owner, email, 'read-only')).status);
  expect(byOne).toEqual([200, 200, 200, 200, 200, 429]);
  const other = await Staff.of(service, { merchantId: await merchant('Other Shop'), role: 'owner' });
  expect((await inviteBy(other, email, 'read-only')).status).toBe(429);
  for (let i = 0; i < 15; i++) expect((await inviteBy(owner, newcomer(), 'read-only')).status).toBe(200);
  const refused = await inviteBy(owner, newcomer(), 'read-only');
  expect([refused.status, refused.html.includes('20 people today')]).toEqual([429, true]);
});

it('nor by a merchant: thirty a day, whoever of its people they are of, and no other merchant’s are among them', async () => {
  const [second, third] = [
    await Staff.of(service, { merchantId, role: 'owner' }),
    await Staff.of(service, { merchantId, role: 'owner' }),
  ];
  const other = await Staff.of(service, { merchantId: await merchant('Other Shop'), role: 'owner' });
  const statuses = new Set<number>();
  for (const by of [...Array<Staff>(19).fill(owner), ...Array<Staff>(10).fill(second), other, third])
    statuses.add((await inviteBy(by, newcomer(), 'read-only')).status);
  expect([...statuses]).toEqual([200]);
  for (const by of [owner, second, third]) {
    const refused = await inviteBy(by, newcomer(), 'read-only');
    expect([refused.status, refused.html.includes('30 people today')]).toEqual([429, true]);
  }
  expect((await inviteBy(other, newcomer(), 'read-only')).status).toBe(200);
});

/** How many invitations passed and how many were refused, of as many as `inviters` has entries, all sent at once. */
const invitedAtOnce = async (inviters: readonly Staff[]) => {
  const answers = await Promise.all(inviters.map((one) => inviteBy(one, newcomer(), 'read-only')));
  return [200, 429].map((status) => answers.filter((one) => one.status === status).length);
};

it('counts invitations that come at the same moment: of sixty by three people of a merchant thirty pass', async () => {
  const inviters = [owner];
  for (let i = 0; i < 2; i++) inviters.push(await Staff.of(service, { merchantId, role: 'owner' }));
  expect(await invitedAtOnce(Array<Staff[]>(20).fill(inviters).flat())).toEqual([30, 30]);
});

it('counts those of one person in the same way: of twenty-four twenty pass', async () => {
  expect(await invitedAtOnce(Array<Staff>(24).fill(owner))).toEqual([20, 4]);
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
  const both = await Staff.of(service, { merchantId: elsewhere, role: 'developer', isEmailProven: true });
  await inviteBy(owner, both.email, 'developer');
  const [, accept = ''] = /action="([^"]+\/accept)"/.exec((await both.get('/dashboard/invitations')).html)!;
  expect((await both.get((await both.post(accept)).location!)).html).toContain(
    'You have joined Alpine Coffee',
  );
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
  const CLI: Actor = { name: 'cli', personId: null, ip: null };
  const record = (action: AuditAction, detail = {}, actor = CLI) =>
    service.app.get(AuditLog).record(service.app.get(DataSource).manager, actor, {
      merchantId,
      action,
      subject: 'thing_1',
      detail,
    });
  const times = (html: string, text: string) => html.split(text).length - 1;

  it('is shown newest first, page by page', async () => {
    for (let i = 1; i <= 60; i++) await record('key.created', { label: `key-${i}.` });
    const first = await owner.get(AUDIT);
    expect([
      times(first.html, 'Label: key-'),
      first.html.includes('key-60.'),
      first.html.includes('key-10.'),
    ]).toEqual([50, true, false]);
    const older = / href="([^"]+)" rel="next"/.exec(first.html)![1]!.replaceAll('&#x3D;', '=');
    const second = await owner.get(older);
    expect([times(second.html, 'Label: key-'), second.html.includes('key-10.')]).toEqual([10, true]);
    expect(second.html).toContain('rel="prev"');
  });

  it('is filtered by person and by action', async () => {
    await record('key.created');
    await record(
      'key.revoked',
      { label: 'Shop', changes: { toleranceBps: [0, 50] } },
      { ...CLI, name: 'ann' },
    );
    const cells = async (query: string) => {
      const { html } = await owner.get(`${AUDIT}?${query}`);
      return [times(html, '<td class="what">key created'), times(html, '<td class="what">key revoked')];
    };
    expect(await cells('')).toEqual([1, 1]);
    expect(await cells('action=key.created')).toEqual([1, 0]);
    expect(await cells('person=ann')).toEqual([0, 1]);
    expect(await cells('person=ann&action=key.created')).toEqual([0, 0]);
    expect((await owner.get(AUDIT)).html).toContain('Tolerance: 0 % → 0.5 %');
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
