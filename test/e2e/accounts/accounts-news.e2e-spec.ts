import { DataSource } from 'typeorm';
import { AUDIT_ACTIONS, type AuditAction } from '../../../src/database/audit-actions.js';
import type { Role } from '../../../src/modules/accounts/accounts.types.js';
import { AuditLog } from '../../../src/modules/accounts/audit/audit-log.service.js';
import { EmailProofs } from '../../../src/modules/accounts/people/email-proofs.service.js';
import { InvitationsService } from '../../../src/modules/accounts/people/invitations.service.js';
import { MembersService } from '../../../src/modules/accounts/people/members.service.js';
import { OperatorsService } from '../../../src/modules/accounts/people/operators.service.js';
import { PeopleService } from '../../../src/modules/accounts/people/people.service.js';
import { LinksService } from '../../../src/modules/accounts/sign-in/links.service.js';
import { MerchantsService } from '../../../src/modules/merchants/merchants.service.js';
import { WebhooksService } from '../../../src/modules/webhooks/webhooks.service.js';
import { sessionOf, Staff } from '../../support/dashboard/staff.js';
import { CLI_ACTOR } from '../../support/intents/by.js';
import { MailServer, mailText } from '../../support/servers/mail-server.js';
import { eventually } from '../../support/servers/receiver.js';
import { Service } from '../../support/service/service.js';

let mail: MailServer;
let service: Service;

beforeAll(async () => {
  mail = await MailServer.start();
  const env = { SMTP_URL: mail.url, MAIL_FROM: 'Rappen <pay@rappen.example>' };
  service = await Service.start({ env });
});
afterAll(async () => {
  await service.stop();
  await mail.stop();
});

let made = 0;
async function person(who: { merchantId?: string; role?: Role; isOperator?: boolean }) {
  const email = `person-${(made += 1)}@staff.example`;
  const id = await service.app
    .get(PeopleService)
    .create({ email, password: Staff.PASSWORD, ...who }, CLI_ACTOR);
  return { id, email };
}
const manager = () => service.app.get(DataSource).manager;
const record = (action: AuditAction, merchantId: string | null, subject: string, detail = {}) =>
  service.app.get(AuditLog).record(manager(), CLI_ACTOR, { merchantId, action, subject, detail });
const toldOf = async (action: AuditAction) =>
  (
    await manager().query<{ recipient: string }[]>(
      `SELECT recipient FROM outgoing_mail WHERE starts_with(about, $1 || ':') ORDER BY recipient`,
      [action],
    )
  ).map(({ recipient }) => recipient);
const textsTo = (email: string) => mail.mailsTo(email).map(mailText);
/** As if the hour were over in which they collect. */
const sendCollected = (email: string) =>
  manager().query(
    `UPDATE outgoing_mail SET next_attempt_at = clock_timestamp()
      WHERE recipient = $1 AND sealed_text IS NOT NULL AND attempts = 0`,
    [email],
  );

/**
 * Whom each action is told; what is not here is told to nobody. Owners hear of what is of their merchant, operators of what is
 * of none.
 */
const TOLD: Partial<Record<AuditAction, readonly ('owner' | 'operator' | 'subject')[]>> = {
  'address.proven': ['subject'],
  'codes.disabled': ['subject'],
  'codes.enabled': ['subject'],
  'key.created': ['owner'],
  'operator.dismissed': ['operator', 'subject'],
  'operator.joined': ['operator', 'subject'],
  'passkey.added': ['subject'],
  'passkey.removed': ['subject'],
  'password.changed': ['subject'],
  'password.reset': ['subject'],
  'password.reset-offered': ['subject'],
  'person.created': ['owner'],
  'person.invited': ['owner', 'operator'],
  'person.joined': ['owner', 'subject'],
  'person.removed': ['owner', 'subject'],
  'person.role-changed': ['owner', 'subject'],
  'recovery-code.used': ['subject'],
  'recovery-codes.renewed': ['subject'],
  'session.ended': ['subject'],
  'sessions.ended': ['subject'],
  'settings.changed': ['owner'],
  'signed-in.new-device': ['subject'],
  'wallet.own-added': ['owner'],
  'wallet.own-removed': ['owner'],
  'wallet.set': ['owner'],
  'webhook.created': ['owner'],
  'webhook.secret-rotated': ['owner'],
  'webhook.url-changed': ['owner'],
};

/** With which an action is news at all. */
const DETAIL: Partial<Record<AuditAction, object>> = {
  'settings.changed': { changes: { toleranceBps: [0, 100] } },
};

it.each([
  ['a merchant', 'operator'],
  ['none', 'owner'],
] as const)('tells of each action of %s exactly those whom it concerns', async (whose, nobody) => {
  await manager().query('UPDATE person SET is_operator = false');
  const { merchantId } = await service.shop();
  const { merchantId: elsewhere } = await service.shop(undefined, 'Other Shop');
  const who = {
    owner: await person({ merchantId, role: 'owner' }),
    operator: await person({ isOperator: true }),
    subject: await person({ merchantId, role: 'developer' }),
  };
  await person({ merchantId: elsewhere, role: 'owner' });
  await manager().query('DELETE FROM outgoing_mail');
  const seen: Partial<Record<AuditAction, string[]>> = {};
  for (const action of AUDIT_ACTIONS) {
    const of = whose === 'none' ? null : merchantId;
    await record(action, of, who.subject.id, DETAIL[action]);
    seen[action] = await toldOf(action);
  }
  const expected = AUDIT_ACTIONS.map((action) => [
    action,
    (TOLD[action] ?? [])
      .filter((name) => name !== nobody)
      .map((name) => who[name].email)
      .sort(),
  ]);
  expect(seen).toEqual(Object.fromEntries(expected));
});

it('leaves out no kind of news because of another, and collects what comes too often', async () => {
  const { merchantId } = await service.shop();
  const { email } = await person({ merchantId, role: 'owner' });
  for (let i = 1; i <= 41; i++) await record('key.created', merchantId, `key_${i}`, { label: `key ${i}.` });
  await record('wallet.set', merchantId, 'ethereum');
  await eventually(
    () => textsTo(email),
    (all) => all.some((text) => text.includes('wallet')),
  );
  const ofKeys = () => textsTo(email).filter((text) => text.includes('API key'));
  await eventually(ofKeys, (mails) => mails.length === 5);
  await sendCollected(email);
  const mails = await eventually(ofKeys, (all) => all.length === 6);
  expect(mails[5]).toContain('This happened 36 times');
  expect(mails[5]).toContain('key 41.');
});

it('hides no news of a merchant behind those of another that the same person owns', async () => {
  const [{ merchantId: theirs }, { merchantId: own }] = [
    await service.shop(undefined, 'Shared Shop'),
    await service.shop(undefined, 'Own Shop'),
  ];
  const { email, id } = await person({ merchantId: theirs, role: 'owner' });
  await manager().query(`INSERT INTO membership (person_id, merchant_id, role) VALUES ($1, $2, 'owner')`, [
    id,
    own,
  ]);
  for (let i = 1; i <= 6; i++) await record('wallet.set', theirs, 'ethereum');
  await record('wallet.set', own, 'ethereum');
  for (let i = 1; i <= 6; i++) await record('wallet.set', theirs, 'ethereum');
  const of = (name: string) => textsTo(email).filter((text) => text.includes(`where ${name} is paid`));
  // Of its own number, at once.
  await eventually(
    () => of('Own Shop'),
    ({ length }) => length === 1,
  );
  await eventually(
    () => of('Shared Shop'),
    ({ length }) => length === 5,
  );
  await sendCollected(email);
  const shared = await eventually(
    () => of('Shared Shop'),
    ({ length }) => length === 6,
  );
  expect(shared[5]).toContain('This happened 7 times');
  expect(of('Own Shop')).toHaveLength(1);
});

it('hides nothing that is about oneself behind what the owners are told of others', async () => {
  const { merchantId } = await service.shop();
  const { email, id } = await person({ merchantId, role: 'owner' });
  const other = await person({ merchantId, role: 'developer' });
  for (let i = 1; i <= 6; i++) await record('person.role-changed', merchantId, other.id);
  await record('person.role-changed', merchantId, id);
  await record('person.role-changed', merchantId, other.id);
  await sendCollected(email);
  const texts = await eventually(
    () => textsTo(email).filter((text) => text.includes('role was changed')),
    ({ length }) => length === 7,
  );
  expect(texts.filter((text) => text.includes('Your role was changed'))).toHaveLength(1);
});

it('tells the owners where events go from now on, and that they are signed otherwise', async () => {
  const { merchantId } = await service.shop();
  const { email } = await person({ merchantId, role: 'owner' });
  const [by, webhooks] = [service.app.get(AuditLog).by(CLI_ACTOR), service.app.get(WebhooksService)];
  const [first, second] = ['https://93.184.216.34/first', 'https://93.184.216.34/second'];
  const { endpoint } = await webhooks.createEndpoint({ merchantId, url: first }, by);
  const ref = { merchantId, endpointId: endpoint.id };
  await webhooks.changeUrl(ref, second, by);
  await webhooks.rotateSecret(ref, by);
  const texts = await eventually(
    () => textsTo(email).filter((text) => text.includes('/dashboard/developers/webhooks')),
    ({ length }) => length === 3,
  );
  const all = texts.join('\n');
  for (const part of [
    `go to ${first} from now on`,
    `to ${second} from now on`,
    `Before: ${first}`,
    `to ${second} and was`,
  ])
    expect(all).toContain(part);
});

it('tells the owners what is accepted from now on and where alerts go, and not how the merchant looks', async () => {
  const { merchantId } = await service.shop();
  const { email } = await person({ merchantId, role: 'owner' });
  const [by, merchants] = [service.app.get(AuditLog).by(CLI_ACTOR), service.app.get(MerchantsService)];
  await merchants.set(merchantId, { color: '#0a5c36' }, by);
  await merchants.set(merchantId, { acceptShortBps: 10_000 }, by);
  await merchants.set(merchantId, { alertEmails: ['ops@shop.example'] }, by);
  const texts = await eventually(
    () => textsTo(email).filter((text) => text.startsWith('What is accepted')),
    ({ length }) => length === 2,
  );
  expect(await toldOf('settings.changed')).toContain(email);
  const all = texts.join('\n');
  expect(all).toContain('Accept what is short by at most: 0 % → 100 %');
  expect(all).toContain('Alerts go to: nobody → ops@shop.example');
  expect(all).not.toContain('#0a5c36');
});

it('tells a person of their new role, their removal and a link to their account, and all operators of another', async () => {
  const { merchantId } = await service.shop();
  const [first, second] = [
    await person({ merchantId, role: 'owner' }),
    await person({ merchantId, role: 'owner' }),
  ];
  const members = service.app.get(MembersService);
  const [before, joined] = [await person({ isOperator: true }), await person({ isOperator: true })];
  await members.setRole(merchantId, second.id, 'developer', CLI_ACTOR);
  await members.remove(merchantId, second.id, CLI_ACTOR);
  await service.app.get(LinksService).reset(second.email, CLI_ACTOR);
  const told = async (email: string, text: string) =>
    eventually(
      () => textsTo(email),
      (all) => all.some((one) => one.includes(text)),
    );
  await told(second.email, 'Your role was changed');
  await told(second.email, 'You were removed');
  await told(second.email, 'A link that sets a new password was made for your account');
  await told(first.email, 'Somebody’s role was changed');
  await told(before.email, 'Somebody has become an operator');
  await told(joined.email, 'You have become an operator');
});

it('tells a person whose address the operator has confirmed, and nobody who proved it by the mailbox', async () => {
  const [confirmed, proved] = [await person({}), await person({})];
  await service.app.get(EmailProofs).vouch(confirmed.email, CLI_ACTOR);
  const text = await mailed(confirmed.email, 'The account of this address was confirmed to be yours');
  expect(text).toContain('The operator’s command line confirmed that the account of this address is yours');
  expect(text).toContain('tell whoever runs the service before it is invited anywhere');
  await manager().transaction((tx) =>
    service.app.get(PeopleService).proveEmail(tx, proved.id, 'mailbox', CLI_ACTOR),
  );
  expect(await toldOf('address.proven')).not.toContain(proved.email);
});

it('tells an operator who is dismissed and all who remain, and nobody where there was none to dismiss', async () => {
  const [gone, stays] = [await person({ isOperator: true }), await person({ isOperator: true })];
  await manager().query(`DELETE FROM outgoing_mail`);
  await service.app.get(OperatorsService).dismiss(gone.email, CLI_ACTOR);
  const told = (email: string, start: string) =>
    eventually(
      () => textsTo(email).find((text) => text.startsWith(start)) ?? '',
      (text) => text !== '',
    );
  const subject = await told(gone.email, 'You are no longer an operator');
  expect(subject).toContain('command line dismissed you as an operator of this service. You are signed out');
  expect(subject).toContain('ask whoever runs the service');
  expect(subject).toContain('/dashboard/account');
  const others = await told(stays.email, 'Somebody is no longer an operator');
  expect(others).toContain(`command line dismissed ${gone.email} as an operator`);
  expect(others).toContain('/dashboard/operator/audit');
  const recipients = await toldOf('operator.dismissed');
  expect(recipients.filter((email) => email === gone.email)).toHaveLength(1);
  await expect(service.app.get(OperatorsService).dismiss(gone.email, CLI_ACTOR)).rejects.toThrow(
    'no operator',
  );
  expect(await toldOf('operator.dismissed')).toEqual(recipients);
});

/** The first mail to somebody that begins so. */
const mailed = (email: string, start: string) =>
  eventually(
    () => textsTo(email).find((text) => text.startsWith(start)) ?? '',
    (text) => text !== '',
  );

it('tells all owners of an invitation, its maker too, and operators of one to be one', async () => {
  const { merchantId } = await service.shop(undefined, 'Inviting Shop');
  const maker = await Staff.of(service, { merchantId, role: 'owner' });
  const other = await person({ merchantId, role: 'owner' });
  const member = await person({ merchantId, role: 'developer' });
  const operator = await person({ isOperator: true });
  await manager().query('DELETE FROM outgoing_mail');
  await maker.post('/dashboard/settings/people', { email: 'me@evil.example', role: 'owner' });
  for (const email of [maker.email, other.email]) {
    const text = await mailed(email, 'Somebody was invited · Inviting Shop');
    expect(text).toContain(`${maker.email} invited me@evil.example to join Inviting Shop as owner.`);
    expect(text).toContain('withdraw the invitation');
    expect(text).toContain('/dashboard/settings/people');
  }
  const told = await toldOf('person.invited');
  expect([told.includes(operator.email), told.includes(member.email)]).toEqual([false, false]);
  const offer = { email: 'me@evil.example', isOperator: true };
  await service.app.get(InvitationsService).invite(offer, CLI_ACTOR);
  const text = await mailed(operator.email, 'Somebody was invited to operate this service');
  expect(text).toContain('command line invited me@evil.example to be an operator of this service.');
  expect(textsTo(member.email).join()).not.toContain('me@evil.example');
});

it('tells a person of sessions that were ended from another, and of a merchant that they joined', async () => {
  const { merchantId } = await service.shop();
  const somebody = await Staff.of(service, { merchantId, role: 'owner', isEmailProven: true });
  const { email } = somebody;
  const [{ id }] = await manager().query<[{ id: string }]>('SELECT id FROM person WHERE email = $1', [email]);
  await sessionOf(service, { id, email }, 'the other one');
  const [{ other }] = await manager().query<[{ other: string }]>(
    `SELECT id AS other FROM session WHERE person_id = $1 AND user_agent = 'the other one'`,
    [id],
  );
  await somebody.post(`/dashboard/account/sessions/${other}/end`);
  const one = await mailed(email, 'One of your sessions was ended');
  expect(one).toContain('that browser is signed out');
  await somebody.post('/dashboard/account/sessions/end-others');
  const all = await mailed(email, 'Your account was signed out everywhere else');
  expect(all).toContain('change your password now');
  expect(all).toContain(`By: ${email}`);

  const { merchantId: another } = await service.shop(undefined, 'Another Shop');
  const invitation = { email, merchantId: another, role: 'reviewer' };
  await service.app.get(InvitationsService).invite(invitation, CLI_ACTOR);
  const { html } = await somebody.get('/dashboard/invitations');
  await somebody.post(/action="([^"]+\/accept)"/.exec(html)?.[1] ?? '');
  const joined = await mailed(email, 'You have joined · Another Shop');
  expect(joined).toContain('Your account has joined Another Shop as reviewer');
  expect(joined).toContain('change your password now');
});
