import { DataSource } from 'typeorm';
import type { Actor, Invitation } from '../../../src/modules/accounts/accounts.types.js';
import { AdmissionService } from '../../../src/modules/accounts/admission/admission.service.js';
import { OneTimeLinksRepository } from '../../../src/modules/accounts/people/data/one-time-links.repository.js';
import { InvitationsService } from '../../../src/modules/accounts/people/invitations.service.js';
import { OperatorsService } from '../../../src/modules/accounts/people/operators.service.js';
import { MerchantsService } from '../../../src/modules/merchants/merchants.service.js';
import { comparable } from '../../support/dashboard/comparable.js';
import { linkPath, Staff } from '../../support/dashboard/staff.js';
import { asIfNever } from '../../support/database/as-if-never.js';
import { isWaitedFor, meanwhile } from '../../support/database/meanwhile.js';
import { by, CLI_ACTOR } from '../../support/intents/by.js';
import { productionCommand } from '../../support/service/command-line.js';
import { Service } from '../../support/service/service.js';

const PEOPLE = '/dashboard/settings/people';
const ATTACKERS_PASSWORD = 'the sentence of an attacker';

let service: Service;
let attackersShop: string;
let victimsShop: string;
let attacker: Staff;
let victim: Staff;
let cfo: string;

beforeAll(async () => {
  service = await Service.start({ env: { TRUST_PROXY: '1', RATE_LIMIT_FAILED_AUTH_PER_MINUTE: '1000' } });
});
afterAll(() => service.stop());
beforeEach(async () => {
  const merchants = service.app.get(MerchantsService);
  attackersShop = (await merchants.create({ name: 'Another Shop' }, 'approved', by('test'))).id;
  victimsShop = (await merchants.create({ name: 'B Corporation' }, 'approved', by('test'))).id;
  attacker = await Staff.of(service, { merchantId: attackersShop, role: 'owner' });
  victim = await Staff.of(service, { merchantId: victimsShop, role: 'owner' });
  cfo = `cfo-${Math.random().toString(36).slice(2)}@bcorp.test`;
});

const query = <Row>(sql: string, values: unknown[] = []) =>
  service.app.get(DataSource).query<Row[]>(sql, values);
const standing = async (email = cfo) => {
  const rows = await query<{ name: string; role: string }>(
    `SELECT m.name, ms.role FROM membership ms JOIN person p ON p.id = ms.person_id JOIN merchant m ON m.id = ms.merchant_id
     WHERE p.email = $1 ORDER BY m.name`,
    [email],
  );
  const [person] = await query<{ isOperator: boolean }>(
    'SELECT is_operator AS "isOperator" FROM person WHERE email = $1',
    [email],
  );
  return [...rows.map(({ name, role }) => `${name}: ${role}`), ...(person?.isOperator ? ['operator'] : [])];
};
const linkIn = (html: string) => /\/dashboard\/link\/[\w-]{43}/.exec(html)?.[0];

/** The attacker invites the victim's officer into his own shop, opens the link himself, and has the account. */
async function squat(): Promise<Staff> {
  const { html } = await attacker.post(PEOPLE, { email: cfo, role: 'read-only' });
  const squatter = Staff.stranger(service, cfo);
  await squatter.post(linkIn(html)!, { password: ATTACKERS_PASSWORD });
  expect((await squatter.signIn(ATTACKERS_PASSWORD)).status).toBe(303);
  return squatter;
}

/** Whom the second invitation is really for: they open what they were given, and do what the page says. */
async function openInnocently(link: string): Promise<void> {
  const person = Staff.stranger(service, cfo);
  await person.get(link);
  await person.post(link, { password: 'the sentence of the officer' });
  await person.post(link);
}

/** All that the attacker can do with the account: he even knows the ids of invitations that are not his. */
async function takeWhatIsOffered(squatter: Staff): Promise<void> {
  await squatter.signIn(ATTACKERS_PASSWORD);
  await squatter.get('/dashboard/invitations');
  const rows = await query<Record<string, string>>('SELECT * FROM one_time_link WHERE email = $1', [cfo]);
  for (const { id } of rows) {
    await squatter.post(`/dashboard/invitations/${id}/accept`);
    await squatter.post(`/dashboard/invitations/${id}/accept`, { token: 'x'.repeat(43) });
  }
  await squatter.post('/dashboard/merchant', { merchant: victimsShop });
}

const cli = (...args: string[]) => productionCommand(service.config, ...args);

it('an invitation is to a merchant or to operate the service, and never both, whoever makes it', async () => {
  const merchant = ['--merchant', victimsShop, '--role', 'read-only'];
  const refusal = 'not as both at once';
  await expect(cli('user', 'invite', '--email', cfo, ...merchant, '--operator')).rejects.toThrow(refusal);
  const both = { email: cfo, merchantId: victimsShop, role: 'read-only', isOperator: true };
  const invitations = service.app.get(InvitationsService);
  await expect(invitations.invite(both, CLI_ACTOR)).rejects.toThrow(refusal);
  expect(await query('SELECT FROM one_time_link WHERE email = $1', [cfo])).toEqual([]);
  await invitations.invite({ ...both, isOperator: false }, CLI_ACTOR);
  const made = query('UPDATE one_time_link SET is_operator = true WHERE email = $1', [cfo]);
  await expect(made).rejects.toMatchObject({ constraint: 'one_time_link_offers_one' });
});

describe('an account that its inviter made under somebody else’s address', () => {
  it('becomes no owner of the merchant that invites the address later', async () => {
    const squatter = await squat();
    const { html } = await victim.post(PEOPLE, { email: cfo, role: 'owner' });
    const link = linkIn(html);
    if (link !== undefined) await openInnocently(link);
    await takeWhatIsOffered(squatter);
    expect(await standing()).toEqual(['Another Shop: read-only']);
  });

  it('becomes no operator when the command line invites the address', async () => {
    const squatter = await squat();
    const { url } = await cli('user', 'invite', '--email', cfo, '--operator');
    await openInnocently(new URL(url!).pathname);
    await takeWhatIsOffered(squatter);
    expect(await standing()).toEqual(['Another Shop: read-only']);
  });

  it('becomes no owner when the command line invites the address', async () => {
    const squatter = await squat();
    const merchant = ['--merchant', victimsShop, '--role', 'owner'];
    const { url } = await cli('user', 'invite', '--email', cfo, ...merchant);
    await openInnocently(new URL(url!).pathname);
    await takeWhatIsOffered(squatter);
    expect(await standing()).toEqual(['Another Shop: read-only']);
  });
});

describe('an account that is reset for its person, second factors and all', () => {
  const resetFor = async (email: string) => {
    const { url, ...told } = await cli('user', 'reset', '--email', email, '--end-roles');
    return { link: new URL(url!).pathname, told };
  };
  const removals = (email: string) =>
    query(
      `SELECT actor, merchant_id AS "merchantId", detail ->> 'role' AS role FROM audit_entry
       WHERE action = 'person.removed' AND detail ->> 'email' = $1`,
      [email],
    );

  it('keeps nothing that was joined before its address was proved, and opens nowhere else than where its person joins', async () => {
    const squatter = await squat();
    await squatter.post('/dashboard/merchant', { merchant: attackersShop });
    const { link, told } = await resetFor(cfo);
    const ended = { merchantId: attackersShop, role: 'read-only' };
    expect(told).toMatchObject({ endedMemberships: [ended] });
    expect(await standing()).toEqual([]);
    expect(await removals(cfo)).toEqual([{ actor: 'cli', ...ended }]);
    const officer = Staff.stranger(service, cfo);
    await officer.post(link, { password: 'the sentence of the officer' });
    await cli('user', 'confirm', '--email', cfo);
    for (const merchantId of [victimsShop, attackersShop]) {
      const invitation = { email: cfo, merchantId, role: 'owner' };
      await service.app.get(InvitationsService).invite(invitation, CLI_ACTOR);
      await officer.signIn('the sentence of the officer');
      const [, accept = ''] = /action="([^"]+\/accept)"/.exec(
        (await officer.get('/dashboard/invitations')).html,
      )!;
      expect((await officer.post(accept)).status).toBe(303);
      await officer.signIn('the sentence of the officer');
      expect((await officer.get('/dashboard/settings')).html).toContain(
        '<p class="side-name"><bdi>B Corporation</bdi>',
      );
    }
  });

  it('keeps what it belongs to where its address was proved', async () => {
    const officer = await Staff.of(service, { merchantId: victimsShop, role: 'owner', isEmailProven: true });
    expect((await resetFor(officer.email)).told).toMatchObject({ endedMemberships: [] });
    expect(await standing(officer.email)).toEqual(['B Corporation: owner']);
    expect(await removals(officer.email)).toEqual([]);
  });

  it('is left as it is, without a proof, until somebody says whose it is', async () => {
    const officer = await Staff.of(service, { merchantId: victimsShop, role: 'owner' });
    const lostPhone = ['user', 'reset', '--email', officer.email, '--second-factors'];
    await expect(cli(...lostPhone)).rejects.toThrow('say so first (user confirm)');
    expect((await officer.get('/dashboard/account')).status).toBe(200);
    await cli('user', 'confirm', '--email', officer.email);
    expect(await cli(...lostPhone)).toMatchObject({ endedMemberships: [] });
    expect(await standing(officer.email)).toEqual(['B Corporation: owner']);
  });

  it('keeps it without a proof, too, where only a link is made', async () => {
    const officer = await Staff.of(service, { merchantId: victimsShop, role: 'owner' });
    expect(await cli('user', 'reset', '--email', officer.email)).not.toHaveProperty('endedMemberships');
    expect(await standing(officer.email)).toEqual(['B Corporation: owner']);
  });
});

it('an invitation sets no password of an account whose second factors were reset', async () => {
  const officer = await Staff.of(service, { merchantId: victimsShop, role: 'owner', isEmailProven: true });
  await cli('user', 'reset', '--email', officer.email, '--second-factors');
  const { html } = await attacker.post(PEOPLE, { email: officer.email, role: 'read-only' });
  const thief = Staff.stranger(service, officer.email);
  await thief.post(linkIn(html)!, { password: ATTACKERS_PASSWORD });
  expect((await thief.signIn(ATTACKERS_PASSWORD)).status).toBe(422);
  expect(await standing(officer.email)).toEqual(['B Corporation: owner']);
});

it.each([
  ['whose address was not proved', false],
  ['whose address was proved', true],
])(
  'nobody who has an account %s is added without their word, nor moved to another merchant, nor told of to the inviter',
  async (_what, isEmailProven) => {
    const officer = await Staff.of(service, { merchantId: victimsShop, role: 'owner', isEmailProven });
    const answer = await attacker.post(PEOPLE, { email: officer.email, role: 'developer' });
    expect(await standing(officer.email)).toEqual(['B Corporation: owner']);
    expect((await officer.get('/dashboard/settings')).html).toContain('B Corporation');
    const other = await attacker.post(PEOPLE, { email: cfo, role: 'developer' });
    expect(answer.status).toBe(200);
    expect(comparable(answer, officer.email)).toEqual(comparable(other, cfo));
  },
);

describe('an invitation whose maker could not make it any more', () => {
  let leaver: Staff;
  let second: Staff;
  beforeEach(async () => {
    leaver = await Staff.of(service, { merchantId: victimsShop, role: 'owner' });
    second = await Staff.of(service, { merchantId: attackersShop, role: 'reviewer', isEmailProven: true });
  });

  const invitations = () => service.app.get(InvitationsService);
  const inviteBy = async (staff: Staff, email: string, path = PEOPLE) =>
    linkIn((await staff.post(path, { email, role: 'owner' })).html)!;
  const asOwner = (email: string) => ({ email, merchantId: victimsShop, role: 'owner' });
  const change = async (verb: string, form: Record<string, string>) => {
    const [person] = await query<{ id: string }>('SELECT id FROM person WHERE email = $1', [leaver.email]);
    expect((await victim.post(`${PEOPLE}/${person!.id}/${verb}`, form)).location).toBe(PEOPLE);
  };
  const answered = async (verb: 'accept' | 'decline') => {
    const { html } = await second.get('/dashboard/invitations');
    const [, path = ''] = new RegExp(`action="([^"]+/${verb})"`).exec(html) ?? [];
    expect((await second.post(path)).status).toBe(303);
  };
  const statusOf = async (link: string) => (await Staff.stranger(service, cfo).get(link)).status;
  const withdrawn = () =>
    query(
      `SELECT actor, subject, detail FROM audit_entry WHERE merchant_id = $1 AND action = 'invitation.withdrawn' ORDER BY id`,
      [victimsShop],
    );

  it.each([
    ['is removed', 'remove', {}],
    ['gets another role', 'role', { role: 'developer' }],
  ])('ends when its maker %s, each with an entry, and nobody else’s does', async (_what, verb, form) => {
    const operator = await Staff.of(service, { isOperator: true });
    const lost = await inviteBy(leaver, cfo);
    await inviteBy(leaver, second.email);
    const kept = [
      await inviteBy(victim, `another-${cfo}`),
      await inviteBy(operator, `operator-${cfo}`, `/dashboard/operator/merchants/${victimsShop}/invite`),
      linkPath(await invitations().invite(asOwner(`cli-${cfo}`), CLI_ACTOR)),
    ];
    expect((await second.get('/dashboard/invitations')).html).toContain('B Corporation');
    expect((await second.get('/dashboard/account')).html).toContain('You are invited');
    await change(verb, form);
    expect(await statusOf(lost)).toBe(404);
    expect((await Staff.stranger(service, cfo).post(lost, { password: Staff.PASSWORD })).status).toBe(404);
    expect((await second.get('/dashboard/invitations')).html).not.toContain('B Corporation');
    expect(await Promise.all(kept.map(statusOf))).toEqual([200, 200, 200]);
    const detail = { role: 'owner', invitedBy: leaver.email };
    const entries = [cfo, second.email].map((subject) => ({ actor: victim.email, subject, detail }));
    expect(await withdrawn()).toEqual(expect.arrayContaining(entries));
    expect(await withdrawn()).toHaveLength(entries.length);
    expect(await standing()).toEqual([]);
  });

  it('stands while its maker operates the service, and no longer', async () => {
    const link = await inviteBy(leaver, cfo);
    await query(`UPDATE person SET is_operator = true WHERE email = $1`, [leaver.email]);
    await change('remove', {});
    expect(await statusOf(link)).toBe(200);
    await service.app.get(OperatorsService).dismiss(leaver.email, CLI_ACTOR);
    expect(await statusOf(link)).toBe(404);
    expect(await withdrawn()).toMatchObject([
      { actor: 'cli', subject: cfo, detail: { role: 'owner', invitedBy: leaver.email } },
    ]);
  });

  it('is refused where it was written while its maker was being removed', async () => {
    const link = await inviteBy(leaver, cfo);
    await inviteBy(leaver, second.email);
    const [, accept = ''] = /action="([^"]+\/accept)"/.exec(
      (await second.get('/dashboard/invitations')).html,
    )!;
    await change('remove', {});
    // As they stand that were committed after the removal had looked for them.
    await asIfNever(
      service.app.get(DataSource),
      ['one_time_link', 'one_time_link_stays_over'],
      `UPDATE one_time_link SET expires_at = now() + interval '1 hour', ended_as = NULL WHERE merchant_id = $1`,
      [victimsShop],
    );
    expect((await Staff.stranger(service, cfo).post(link, { password: Staff.PASSWORD })).status).toBe(404);
    expect((await second.post(accept)).status).toBe(404);
    expect((await second.get('/dashboard/account')).html).not.toContain('You are invited');
    expect(await standing()).toEqual([]);
    expect(await standing(second.email)).toEqual(['Another Shop: reviewer']);
  });

  it('ends with its merchant, whoever made it, and none to that is made again', async () => {
    const links = [
      await inviteBy(victim, cfo),
      linkPath(await invitations().invite(asOwner(`cli-${cfo}`), CLI_ACTOR)),
    ];
    await service.app.get(AdmissionService).decide(victimsShop, 'closed', 'a test', CLI_ACTOR);
    expect(await Promise.all(links.map(statusOf))).toEqual([404, 404]);
    expect(await withdrawn()).toHaveLength(2);
    await expect(invitations().invite(asOwner(cfo), CLI_ACTOR)).rejects.toThrow('closed for good');
  });

  it.each<[string, 'end' | 'endInvitations', () => Promise<unknown>, string]>([
    ['accepted', 'end', () => answered('accept'), 'accepted'],
    ['declined', 'end', () => answered('decline'), 'declined'],
    [
      'withdrawn',
      'endInvitations',
      () => invitations().withdraw(victimsShop, second.email, CLI_ACTOR),
      'withdrawn',
    ],
    ['replaced', 'endInvitations', () => invitations().invite(asOwner(second.email), CLI_ACTOR), 'replaced'],
  ])(
    'is %s while its merchant is being closed: neither waits for the other for ever',
    async (_what, step, answer, as) => {
      await invitations().invite(asOwner(second.email), CLI_ACTOR);
      const links = service.app.get(OneTimeLinksRepository);
      const take = links[step].bind(links) as (...all: unknown[]) => Promise<unknown>;
      // It has the link, and nothing of the merchant yet.
      const held = new Promise<() => void>((reach) => {
        jest.spyOn(links, step).mockImplementationOnce(async (...all: unknown[]) => {
          const taken = await take(...all);
          await new Promise<void>((goOn) => reach(goOn));
          return taken as never;
        });
      });
      const answering = answer();
      const goOn = await held;
      const closing = service.app.get(AdmissionService).decide(victimsShop, 'closed', 'a test', CLI_ACTOR);
      await isWaitedFor(service.app.get(DataSource));
      goOn();
      const failed = (await Promise.allSettled([answering, closing])).filter(
        ({ status }) => status === 'rejected',
      );
      expect(failed).toEqual([]);
      const [link] = await query(
        'SELECT ended_as AS as FROM one_time_link WHERE email = $1 ORDER BY id LIMIT 1',
        [second.email],
      );
      const [merchant] = await query('SELECT status FROM merchant WHERE id = $1', [victimsShop]);
      expect([link, merchant]).toEqual([{ as }, { status: 'closed' }]);
    },
  );
});

describe('an operator who is dismissed', () => {
  let leaver: Staff;
  beforeEach(async () => {
    const ofTheirs = { merchantId: attackersShop, role: 'owner', isEmailProven: true } as const;
    leaver = await Staff.of(service, { ...ofTheirs, isOperator: true });
  });

  const dismiss = (email: string) => service.app.get(OperatorsService).dismiss(email, CLI_ACTOR);
  const invite = async (invitation: Invitation, actor: Actor = CLI_ACTOR) =>
    linkPath(await service.app.get(InvitationsService).invite(invitation, actor));
  const statusOf = async (link: string) => (await Staff.stranger(service, cfo).get(link)).status;
  const idOf = async ({ email }: Staff) =>
    (await query<{ id: string }>('SELECT id FROM person WHERE email = $1', [email]))[0]!.id;
  const entries = (action: string) =>
    query<{ merchant: string | null; subject: string }>(
      `SELECT merchant_id AS merchant, subject FROM audit_entry WHERE action = $1 ORDER BY id`,
      [action],
    );
  const since = async (action: string, doing: () => Promise<unknown>) => {
    const before = (await entries(action)).length;
    await doing();
    return (await entries(action)).slice(before);
  };

  it('is signed out everywhere, and stays what they are to merchants', async () => {
    expect((await leaver.get('/dashboard/operator')).status).toBe(200);
    const dismissed = await since('operator.dismissed', () => dismiss(` ${leaver.email.toUpperCase()}`));
    expect(dismissed).toEqual([{ merchant: null, subject: await idOf(leaver) }]);
    expect((await leaver.get('/dashboard/account')).location).toMatch(/sign-in/);
    expect((await leaver.signIn(Staff.PASSWORD)).status).toBe(303);
    expect((await leaver.get('/dashboard/settings')).html).toContain('Another Shop');
    expect((await leaver.get('/dashboard/operator')).status).toBe(403);
    expect(await standing(leaver.email)).toEqual(['Another Shop: owner']);
  });

  it('has no way back: what they offered as one ends, and what would make them one again', async () => {
    const actor = { name: leaver.email, personId: await idOf(leaver), ip: null };
    const lost = [
      await invite({ email: cfo, isOperator: true }, actor),
      await invite({ email: `owner-${cfo}`, merchantId: victimsShop, role: 'owner' }, actor),
      await invite({ email: leaver.email, isOperator: true }),
    ];
    const kept = [
      await invite({ email: `theirs-${cfo}`, merchantId: attackersShop, role: 'reviewer' }, actor),
      await invite({ email: `another-${cfo}`, isOperator: true }),
    ];
    expect((await leaver.get('/dashboard/invitations')).html).toContain('/accept');
    const withdrawn = await since('invitation.withdrawn', () => dismiss(leaver.email));
    expect(await Promise.all(lost.map(statusOf))).toEqual([404, 404, 404]);
    expect(await Promise.all(kept.map(statusOf))).toEqual([200, 200]);
    expect(withdrawn).toHaveLength(lost.length);
    expect(withdrawn).toEqual(
      expect.arrayContaining([
        { merchant: null, subject: cfo },
        { merchant: victimsShop, subject: `owner-${cfo}` },
        { merchant: null, subject: leaver.email },
      ]),
    );
    await leaver.signIn(Staff.PASSWORD);
    expect((await leaver.get('/dashboard/invitations')).html).not.toContain('/accept');
    expect(await standing(leaver.email)).toEqual(['Another Shop: owner']);
  });

  it('becomes none again by an invitation that is accepted meanwhile', async () => {
    await invite({ email: leaver.email, isOperator: true });
    const { html } = await leaver.get('/dashboard/invitations');
    const [, accept = ''] = /action="([^"]+\/accept)"/.exec(html)!;
    const { status } = await meanwhile(
      service.app.get(DataSource),
      (tx) => tx.query('UPDATE person SET is_operator = false WHERE email = $1', [leaver.email]),
      () => leaver.post(accept),
      (tx) =>
        tx.query('UPDATE one_time_link SET expires_at = clock_timestamp() WHERE email = $1', [leaver.email]),
    );
    expect(status).toBe(404);
    expect(await standing(leaver.email)).toEqual(['Another Shop: owner']);
  });

  it('was one: of anybody else nothing ends, also not the offer to be one', async () => {
    const offer = await invite({ email: victim.email, isOperator: true });
    const changes = await since('invitation.withdrawn', () =>
      expect(dismiss(victim.email)).rejects.toThrow(`${victim.email} is no operator.`),
    );
    expect(changes).toEqual([]);
    expect(await statusOf(offer)).toBe(200);
    expect((await victim.get('/dashboard/account')).status).toBe(200);
    await expect(dismiss(cfo)).rejects.toThrow('is no operator');
  });

  it('may be the last one, and is one again by an invitation, which of an operator makes none twice', async () => {
    await query('UPDATE person SET is_operator = false WHERE email <> $1', [leaver.email]);
    await dismiss(leaver.email);
    expect(await service.app.get(OperatorsService).list()).toEqual([]);
    await leaver.signIn(Staff.PASSWORD);
    const joined = await since('operator.joined', async () => {
      for (let times = 0; times < 2; times += 1) {
        await invite({ email: leaver.email, isOperator: true });
        const { html } = await leaver.get('/dashboard/invitations');
        const [, accept = ''] = /action="([^"]+\/accept)"/.exec(html)!;
        expect((await leaver.post(accept)).status).toBe(303);
      }
    });
    expect(await standing(leaver.email)).toEqual(['Another Shop: owner', 'operator']);
    expect(joined).toEqual([{ merchant: null, subject: await idOf(leaver) }]);
  });
});
