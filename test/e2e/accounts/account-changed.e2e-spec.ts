import { base32nopad } from '@scure/base';
import { DataSource, type EntityManager } from 'typeorm';
import type { Actor, Browser, Invitation } from '../../../src/modules/accounts/accounts.types.js';
import { MembershipsRepository } from '../../../src/modules/accounts/data/memberships.repository.js';
import { PeopleRepository } from '../../../src/modules/accounts/data/people.repository.js';
import { hashPassword } from '../../../src/modules/accounts/passwords/password-hashing.js';
import { InvitationsService } from '../../../src/modules/accounts/people/invitations.service.js';
import { MembersService } from '../../../src/modules/accounts/people/members.service.js';
import { codeAt, stepAt } from '../../../src/modules/accounts/second-factors/domain/totp.js';
import { SecondFactorsService } from '../../../src/modules/accounts/second-factors/second-factors.service.js';
import { CredentialChanges } from '../../../src/modules/accounts/sessions/credential-changes.js';
import { SessionsService } from '../../../src/modules/accounts/sessions/sessions.service.js';
import { LinksService } from '../../../src/modules/accounts/sign-in/links.service.js';
import { Authenticator } from '../../support/dashboard/authenticator.js';
import { answerBy, creationBy } from '../../support/dashboard/dashboard-stage.js';
import { linkPath, type PageAnswer, sessionOf, Staff } from '../../support/dashboard/staff.js';
import { meanwhile } from '../../support/database/meanwhile.js';
import { CLI_ACTOR } from '../../support/intents/by.js';
import { eventually } from '../../support/servers/receiver.js';
import { securityEvents } from '../../support/service/counted.js';
import { Service, type Shop } from '../../support/service/service.js';
import { written } from '../../support/service/written.js';

// Whatever looks at a password or a code takes a while, and the account may be another one afterwards.
const ACCOUNT = '/dashboard/account';
const FACTOR = `${ACCOUNT}/second-factor`;
const NEXT = 'another plain sentence of mine';
const REFUSED = 'This account was changed or signed out meanwhile';

let service: Service;
let shop: Shop;
let person: Staff;
let id: string;
let hash: string;

beforeAll(async () => {
  const env = { TRUST_PROXY: '1', RATE_LIMIT_FAILED_AUTH_PER_MINUTE: '1000' };
  service = await Service.start({ env });
  shop = await service.shop();
  hash = await hashPassword(NEXT, 'somebody@staff.example');
});
afterAll(() => service.stop());
beforeEach(async () => {
  person = await Staff.of(service, { merchantId: shop.merchantId, role: 'owner' });
  [{ id }] = (await query<{ id: string }>('SELECT id FROM person WHERE email = $1', [person.email])) as [
    { id: string },
  ];
  // Its form's token, which would be asked for amid the change.
  await person.get('/dashboard/confirm');
});

const query = <Row>(sql: string, values: unknown[] = []) =>
  service.app.get(DataSource).query<Row[]>(sql, values);
/** What was asked is answered after the change, though it had looked before. */
const overtaken = (ask: () => Promise<PageAnswer>, change: (tx: EntityManager) => Promise<unknown>) =>
  meanwhile(service.app.get(DataSource), locked, ask, change);
const locked = (tx: EntityManager) => service.app.get(PeopleRepository).lock(tx, id);

const sessions = async () =>
  (await query<{ stage: string }>('SELECT stage FROM session WHERE person_id = $1', [id])).map(
    ({ stage }) => stage,
  );
const changedPassword = async (tx: EntityManager, keep: Browser | null = null) => {
  const changed = { person: await locked(tx), email: person.email };
  return service.app.get(CredentialChanges).password(tx, changed, hash, keep, CLI_ACTOR);
};
const forgotten = async (tx: EntityManager) =>
  service.app
    .get(SecondFactorsService)
    .forget(tx, { person: await locked(tx), email: person.email }, CLI_ACTOR);
const signedOutEverywhere = async (tx: EntityManager) =>
  service.app.get(SessionsService).endElsewhere(tx, await locked(tx), null);
const mustBeRefused = ({ status, html }: PageAnswer) =>
  expect([status, html.includes(REFUSED)]).toEqual([409, true]);
const traces = () =>
  query(
    `SELECT actor, person_id AS "personId" FROM audit_entry
     WHERE subject = $1 AND action = 'sign-in.failed' AND detail ->> 'why' = 'changed'`,
    [id],
  );
/** Whoever asked had what opened the account a moment before: that is counted, and stands in its log. */
async function mustLeaveTrace(actor: string, overtaking: () => Promise<PageAnswer>): Promise<PageAnswer> {
  const counted = () => securityEvents(service, 'sign-in-failed');
  const before = await counted();
  const answer = await overtaking();
  mustBeRefused(answer);
  await written(service);
  expect(await traces()).toEqual([{ actor, personId: id }]);
  expect(await counted()).toBe(before + 1);
  return answer;
}
const elsewhere = () => Staff.stranger(service, person.email);

/** @returns codes of the authenticator that the person has from now on */
async function withCodes(): Promise<() => string> {
  await person.post(`${FACTOR}/begin`);
  const { html } = await person.get(FACTOR);
  const secret = Buffer.from(base32nopad.decode(/data-copy="([A-Z2-7]{32})"/.exec(html)?.[1] ?? ''));
  const { status } = await person.post(`${FACTOR}/enable`, { code: codeAt(secret, stepAt(new Date())) });
  expect(status).toBe(200);
  return () => codeAt(secret, stepAt(new Date()) + 1);
}

const links = () => service.app.get(LinksService);
const changePassword = () => person.post(`${ACCOUNT}/password`, { present: Staff.PASSWORD, next: NEXT });
const addPasskey = async () => {
  const made = await creationBy(new Authenticator(service.url), { id, staff: person });
  return () => person.post(`${ACCOUNT}/passkeys`, { ...made, label: 'a key' });
};

/** What changes how the account is opened, each with what it needs before. */
const CHANGES: [string, () => Promise<() => Promise<unknown>>][] = [
  ['the password is changed', () => Promise.resolve(changePassword)],
  [
    'the password is set by a link',
    async () => {
      const link = linkPath(await links().reset(person.email, CLI_ACTOR));
      return () => elsewhere().post(link, { password: NEXT });
    },
  ],
  [
    'all that opens it is taken away',
    () => Promise.resolve(() => links().reset(person.email, CLI_ACTOR, 'roles too')),
  ],
  ['codes are turned on', () => Promise.resolve(withCodes)],
  [
    'codes are turned off',
    async () => {
      await withCodes();
      return () => person.post(`${FACTOR}/disable`);
    },
  ],
  ['a passkey is added', addPasskey],
  [
    'a passkey is removed',
    async () => {
      await (
        await addPasskey()
      )();
      const [key] = await query<{ id: string }>('SELECT id FROM passkey WHERE person_id = $1', [id]);
      return () => person.post(`${ACCOUNT}/passkeys/${key!.id}/remove`);
    },
  ],
  [
    'recovery codes are renewed',
    async () => {
      await (
        await addPasskey()
      )();
      return () => person.post(`${ACCOUNT}/recovery-codes`);
    },
  ],
];

describe('a right password that is none any more when it would open a session opens none', () => {
  it.each<[string, (tx: EntityManager) => Promise<unknown>]>([
    ['another was set', (tx) => changedPassword(tx)],
    [
      'a second factor was asked for',
      async (tx) => service.app.get(PeopleRepository).enableTotp(tx, await locked(tx), 'sealed', 0),
    ],
    ['all that opens the account was taken away', forgotten],
  ])('when %s', async (_what, change) => {
    await query('DELETE FROM session WHERE person_id = $1', [id]);
    await mustLeaveTrace('a stranger', () => overtaken(() => elsewhere().signIn(Staff.PASSWORD), change));
    expect(await sessions()).toEqual([]);
  });

  it('and is no first step of two either', async () => {
    await withCodes();
    await query('DELETE FROM session WHERE person_id = $1', [id]);
    const signIn = () => elsewhere().signIn(Staff.PASSWORD);
    await mustLeaveTrace('a stranger', () => overtaken(signIn, (tx) => changedPassword(tx)));
    expect(await sessions()).toEqual([]);
  });
});

it('a second step whose first has ended opens no session', async () => {
  const code = await withCodes();
  const stranger = elsewhere();
  expect((await stranger.signIn(Staff.PASSWORD)).location).toContain('/sign-in/code');
  const enter = () => stranger.post('/dashboard/sign-in/code', { code: code() });
  await mustLeaveTrace('a stranger', () => overtaken(enter, signedOutEverywhere));
  expect(await sessions()).toEqual([]);
});

it('a right password is a stranger’s where its browser was known only before it was looked at', async () => {
  await withCodes();
  const { html } = await person.post(`${ACCOUNT}/recovery-codes`);
  const [, code = ''] = /<code>([^<]+)<\/code>/.exec(html)!;
  const thief = elsewhere();
  await thief.signIn(Staff.PASSWORD);
  expect((await thief.post('/dashboard/sign-in/code', { code })).location).toBe('/dashboard');
  await overtaken(() => thief.signIn(Staff.PASSWORD), signedOutEverywhere);
  expect(await query('SELECT FROM unfinished_sign_in WHERE person_id = $1', [id])).toHaveLength(1);
});

it('a passkey that was removed meanwhile opens no session', async () => {
  const device = new Authenticator(service.url);
  const made = await creationBy(device, { id, staff: person });
  expect((await person.post(`${ACCOUNT}/passkeys`, { ...made, label: 'a key' })).status).toBe(200);
  const stranger = elsewhere();
  const answer = await answerBy(device, stranger);
  const enter = () => stranger.post('/dashboard/sign-in/passkey', answer);
  await mustLeaveTrace('a stranger', () => overtaken(enter, forgotten));
  expect(await sessions()).toEqual([]);
});

it('a password that was right before proves nothing to a session that changed it and goes on', async () => {
  const [{ id: sessionId }] = (await query<{ id: string }>('SELECT id FROM session WHERE person_id = $1', [
    id,
  ])) as [{ id: string }];
  const answer = await mustLeaveTrace('a session', () =>
    overtaken(
      () => person.post('/dashboard/confirm', { password: Staff.PASSWORD }),
      (tx) => changedPassword(tx, { sessionId, device: null }),
    ),
  );
  expect(answer.headers.getSetCookie()).toEqual([]);
});

it('a recovery code proves nothing to a session that ended before it was looked at', async () => {
  await withCodes();
  const { html } = await person.post(`${ACCOUNT}/recovery-codes`);
  const [, code = ''] = /<code>([^<]+)<\/code>/.exec(html)!;
  const factors = service.app.get(SecondFactorsService);
  const prove = factors.prove.bind(factors);
  const spy = jest.spyOn(factors, 'prove').mockImplementationOnce(async (...args) => {
    await service.app.get(DataSource).transaction(signedOutEverywhere);
    await prove(...args);
  });
  await mustLeaveTrace('a session', () =>
    person.post('/dashboard/confirm', { password: Staff.PASSWORD, code }),
  );
  spy.mockRestore();
});

it('a change of the password that another was quicker than changes nothing', async () => {
  const fields = { present: Staff.PASSWORD, next: 'what a thief would have chosen' };
  const change = () => person.post(`${ACCOUNT}/password`, fields);
  await mustLeaveTrace('a session', () => overtaken(change, changedPassword));
  expect(await query('SELECT password_hash AS hash FROM person WHERE id = $1', [id])).toEqual([{ hash }]);
});

it('a link that the change of a password ends at the moment at which it is taken sets none', async () => {
  const link = linkPath(await service.app.get(LinksService).reset(person.email, CLI_ACTOR));
  const fields = { password: 'what its holder would have chosen' };
  expect((await overtaken(() => elsewhere().post(link, fields), changedPassword)).status).toBe(404);
  expect(await query('SELECT password_hash AS hash FROM person WHERE id = $1', [id])).toEqual([{ hash }]);
});

describe('a link that sets a password tries none', () => {
  const reset = async () => linkPath(await links().reset(person.email, CLI_ACTOR));

  it('one that nobody may choose is refused alike whether it is the present one or not', async () => {
    // As a version may have taken it that judged less.
    const present = 'password1234';
    await query('UPDATE person SET password_hash = $2 WHERE id = $1', [
      id,
      await hashPassword(present, person.email),
    ]);
    const link = await reset();
    const holder = elsewhere();
    const [right, wrong] = [
      await holder.post(link, { password: present }),
      await holder.post(link, { password: 'password4321' }),
    ];
    expect(right.status).toBe(422);
    expect([right.status, right.html]).toEqual([wrong.status, wrong.html]);
  });

  it('of guesses at one moment the first alone is answered: it is the password where it was none', async () => {
    const link = await reset();
    let right: Promise<PageAnswer> | undefined;
    const wrong = await overtaken(
      () => elsewhere().post(link, { password: NEXT }),
      async () => {
        let isAnswered = false;
        right = elsewhere().post(link, { password: Staff.PASSWORD });
        void right.then(() => (isAnswered = true));
        const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
        await eventually(
          async () => isAnswered || (await query(waiting)).length > 1,
          (isSo) => isSo,
        );
      },
    );
    expect([wrong.status, (await right)?.status]).toEqual([303, 404]);
  });
});

describe('another password', () => {
  const byLink = async (password: string) =>
    elsewhere().post(linkPath(await links().reset(person.email, CLI_ACTOR)), { password });
  const inSession = (next: string) => person.post(`${ACCOUNT}/password`, { present: Staff.PASSWORD, next });

  it.each([
    ['in a session', inSession],
    ['by a link', byLink],
  ])('%s is none that the names of its person’s merchants lead to', async (_where, choose) => {
    const next = 'Zwirbelblick-2026';
    expect((await choose(next)).status).toBe(303);
    const { merchantId } = await service.shop(undefined, 'Zwirbelblick Optik');
    person = await Staff.of(service, { merchantId, role: 'reviewer' });
    const { status, html } = await choose(next);
    expect([status, html.includes('one of the first that somebody would guess')]).toEqual([422, true]);
  });

  it('is not the one that was taken off with the second factors, which opens nothing meanwhile', async () => {
    const mustOpenNothing = async () =>
      expect((await elsewhere().signIn(Staff.PASSWORD)).html).toContain('password is not right');
    const holder = elsewhere();
    for (let times = 0; times < 2; times += 1) {
      const link = linkPath(await links().reset(person.email, CLI_ACTOR, 'roles too'));
      await mustOpenNothing();
      const { status, html } = await holder.post(link, { password: Staff.PASSWORD });
      expect([status, html.includes('This is the last password')]).toEqual([422, true]);
      await mustOpenNothing();
      expect((await holder.post(link, { password: NEXT })).status).toBe(303);
      expect((await holder.signIn(NEXT)).status).toBe(303);
      const back = { present: NEXT, next: Staff.PASSWORD };
      expect((await holder.post(`${ACCOUNT}/password`, back)).status).toBe(303);
    }
    await links().reset(person.email, CLI_ACTOR, 'roles too');
    const second = linkPath(await links().reset(person.email, CLI_ACTOR, 'roles too'));
    expect((await holder.post(second, { password: Staff.PASSWORD })).status).toBe(422);
    await mustOpenNothing();
  });
});

it.each([
  ['turns no codes off', () => Promise.resolve(`${FACTOR}/disable`)],
  ['gets no other recovery codes', () => Promise.resolve(`${ACCOUNT}/recovery-codes`)],
  [
    'removes no passkey',
    async () => {
      const made = await creationBy(new Authenticator(service.url), { id, staff: person });
      await person.post(`${ACCOUNT}/passkeys`, { ...made, label: 'a key' });
      const keys = await query<{ id: string }>('SELECT id FROM passkey WHERE person_id = $1', [id]);
      return `${ACCOUNT}/passkeys/${keys[0]!.id}/remove`;
    },
  ],
])('whoever was signed out meanwhile %s', async (_what, prepare) => {
  await withCodes();
  const path = await prepare();
  const all = () =>
    query(
      `SELECT totp_enabled_at, (SELECT count(*) FROM passkey WHERE person_id = p.id) AS passkeys,
              (SELECT string_agg(encode(hash, 'hex'), ' ' ORDER BY hash) FROM recovery_code WHERE person_id = p.id) AS codes
       FROM person p WHERE id = $1`,
      [id],
    );
  const before = await all();
  mustBeRefused(await overtaken(() => person.post(path), signedOutEverywhere));
  expect(await all()).toEqual(before);
});

describe('what was offered in an account', () => {
  const PEOPLE = '/dashboard/settings/people';
  const thief = () => `thief-${Math.random().toString(36).slice(2)}@evil.example`;
  const invite = async (
    invitation: Invitation,
    actor: Actor = { name: person.email, personId: id, ip: null },
  ) => linkPath(await service.app.get(InvitationsService).invite(invitation, actor));
  const asOwner = () => ({ email: thief(), merchantId: shop.merchantId, role: 'owner' });
  const statusOf = async (link: string) => (await Staff.stranger(service).get(link)).status;
  const withdrawn = () =>
    query<{ merchant: string | null; subject: string }>(
      `SELECT merchant_id AS merchant, subject FROM audit_entry
       WHERE action = 'invitation.withdrawn' AND detail ->> 'invitedBy' = $1 ORDER BY subject`,
      [person.email],
    );

  it.each(CHANGES)('ends when %s, each with an entry, and nobody else’s does', async (_what, prepare) => {
    await query('UPDATE person SET is_operator = true WHERE id = $1', [id]);
    const change = await prepare();
    const [toOwn, toOperate] = [asOwner(), { email: thief(), isOperator: true }];
    const lost = [await invite(toOwn), await invite(toOperate)];
    const kept = await invite(asOwner(), CLI_ACTOR);
    expect(await Promise.all([...lost, kept].map(statusOf))).toEqual([200, 200, 200]);
    await change();
    expect(await Promise.all([...lost, kept].map(statusOf))).toEqual([404, 404, 200]);
    const taken = await Staff.stranger(service).post(lost[0]!, { password: Staff.PASSWORD });
    expect(taken.status).toBe(404);
    const entries = [
      { merchant: shop.merchantId, subject: toOwn.email },
      { merchant: null, subject: toOperate.email },
    ];
    expect(await withdrawn()).toEqual(entries.sort((a, b) => (a.subject < b.subject ? -1 : 1)));
  });

  it.each(CHANGES)('and whoever is in there in another browser is out when %s', async (_what, prepare) => {
    const change = await prepare();
    const cookie = await sessionOf(service, { id, email: person.email }, 'another');
    const another = () => service.app.get(SessionsService).find(cookie);
    expect(await another()).not.toBeNull();
    await change();
    expect(await another()).toBeNull();
  });

  it('is said to have ended, with how much it was', async () => {
    await invite(asOwner());
    await changePassword();
    const one = 'An open invitation that you made has ended. Invite again whoever is to join.';
    expect((await person.get(ACCOUNT)).html).toContain(one);
    await invite(asOwner());
    await invite(asOwner());
    const added = await (await addPasskey())();
    expect(added.html).toContain('2 open invitations that you made have ended.');
    await invite(asOwner());
    expect((await person.post(`${ACCOUNT}/recovery-codes`)).html).toContain(one);
    await invite(asOwner());
    expect(await links().reset(person.email, CLI_ACTOR)).not.toHaveProperty('endedInvitations');
    expect(await links().reset(person.email, CLI_ACTOR, 'roles too')).toMatchObject({ endedInvitations: 1 });
  });

  it('stays where it is signed out everywhere else, which takes no proof', async () => {
    const link = await invite(asOwner());
    await person.post(`${ACCOUNT}/sessions/end-others`);
    expect(await statusOf(link)).toBe(200);
  });

  it('is nothing where the session in which it is offered ends at that moment', async () => {
    const { email } = asOwner();
    mustBeRefused(await overtaken(() => person.post(PEOPLE, { email, role: 'owner' }), changedPassword));
    expect(await query('SELECT FROM one_time_link WHERE email = $1', [email])).toEqual([]);
  });
});

describe('a secret that awaits its first code', () => {
  const factors = () => service.app.get(SecondFactorsService);
  /** As after a sign-in in another browser. */
  const inAnotherSession = async () =>
    (await service.app
      .get(SessionsService)
      .find(await sessionOf(service, { id, email: person.email }, 'another')))!;
  const shown = async () => /data-copy="([A-Z2-7]{32})"/.exec((await person.get(FACTOR)).html)?.[1];
  const awaited = () =>
    query('SELECT FROM session WHERE person_id = $1 AND pending_totp_secret IS NOT NULL', [id]);
  const ENDED = 'What you began to set up in your authenticator app has ended.';

  it('is shown, and counts, in the session alone that began it', async () => {
    const other = await inAnotherSession();
    await factors().begin(other);
    const { base32 } = (await factors().pending(other))!;
    expect(await shown()).toBeUndefined();
    const code = codeAt(Buffer.from(base32nopad.decode(base32)), stepAt(new Date()));
    expect((await person.post(`${FACTOR}/enable`, { code })).status).toBe(409);
    await person.post(`${FACTOR}/begin`);
    expect(await shown()).not.toBe(base32);
    expect((await factors().pending(other))!.base32).toBe(base32);
  });

  // While codes are on there is none to begin.
  const BEFORE_CODES = CHANGES.filter(([what]) => what !== 'codes are turned off');

  it.each(BEFORE_CODES)('of another session is gone when %s', async (_what, prepare) => {
    const change = await prepare();
    const thief = await inAnotherSession();
    await factors().begin(thief);
    expect(await factors().pending(thief)).not.toBeNull();
    await change();
    expect(await factors().pending(thief)).toBeNull();
    expect(await awaited()).toEqual([]);
    expect(await shown()).toBeUndefined();
  });

  it.each<[string, () => Promise<unknown>]>([
    ['the password is changed', changePassword],
    [
      'its person proves again who they are',
      () => person.post('/dashboard/confirm', { password: Staff.PASSWORD }),
    ],
  ])('goes with the cookie under which it was begun, when %s', async (_what, change) => {
    await person.post(`${FACTOR}/begin`);
    expect(await shown()).toBeDefined();
    await change();
    expect(await shown()).toBeUndefined();
  });

  it('is said to have ended by a proof of identity, and nothing is where none was begun', async () => {
    const proven = async () => {
      await person.post('/dashboard/confirm', { password: Staff.PASSWORD });
      return (await person.get(FACTOR)).html.includes(ENDED);
    };
    expect(await proven()).toBe(false);
    await person.post(`${FACTOR}/begin`);
    expect([await proven(), await proven()]).toEqual([true, false]);
  });

  it('and has ended makes no code a wrong one: nobody waits, and no entry tells of a guess', async () => {
    const enable = () => person.post(`${FACTOR}/enable`, { code: '000000x' });
    const begin = () => person.post(`${FACTOR}/begin`);
    await begin();
    await person.post('/dashboard/confirm', { password: Staff.PASSWORD });
    await person.get(FACTOR);
    for (let i = 0; i < 5; i += 1) {
      const { status, html } = await enable();
      expect([status, html.includes(ENDED), html.includes('/second-factor/begin')]).toEqual([
        409,
        true,
        true,
      ]);
    }
    await written(service);
    const failed = () =>
      query(`SELECT FROM audit_entry WHERE person_id = $1 AND action = 'sign-in.failed'`, [id]);
    expect(await failed()).toEqual([]);
    await begin();
    expect((await enable()).status).toBe(422);
    await written(service);
    expect(await failed()).toHaveLength(1);
  });

  it('is not said to have ended where its code is sent twice: it is on', async () => {
    await withCodes();
    const { status, html } = await person.post(`${FACTOR}/enable`, { code: '000000x' });
    expect([status, html.includes('Codes are on already'), html.includes(ENDED)]).toEqual([409, true, false]);
  });

  it('of none that is on nothing can be turned off: nothing ends, and nobody is told', async () => {
    await person.post(`${FACTOR}/begin`);
    const awaitedBefore = await awaited();
    const another = elsewhere();
    await another.signIn(Staff.PASSWORD);
    const told = () =>
      query(`SELECT FROM audit_entry WHERE subject = $1 AND action = 'codes.disabled'`, [id]);
    const { status, html } = await person.post(`${FACTOR}/disable`);
    expect([status, html.includes('Codes are off already')]).toEqual([409, true]);
    expect([await told(), await awaited()]).toEqual([[], awaitedBefore]);
    expect((await another.get('/dashboard/account')).status).toBe(200);
  });

  it('is not begun by whoever is signed out at that moment', async () => {
    mustBeRefused(await overtaken(() => person.post(`${FACTOR}/begin`), signedOutEverywhere));
    expect(await awaited()).toEqual([]);
  });
});

describe('recovery codes', () => {
  const codes = () => query('SELECT FROM recovery_code WHERE person_id = $1', [id]);

  it('are not renewed for somebody whose last second factor went at that moment', async () => {
    await withCodes();
    const off = async (tx: EntityManager) => {
      await service.app.get(PeopleRepository).disableTotp(tx, await locked(tx));
      await tx.query('DELETE FROM recovery_code WHERE person_id = $1', [id]);
    };
    const { status, html } = await overtaken(() => person.post(`${ACCOUNT}/recovery-codes`), off);
    expect([status, html.includes('Recovery codes come with')]).toEqual([409, true]);
    expect(await codes()).toEqual([]);
  });

  it('are new with the first second factor, whatever lies there, and stay with another', async () => {
    await query(`INSERT INTO recovery_code (person_id, hash) VALUES ($1, 'of somebody else')`, [id]);
    await withCodes();
    expect(await codes()).toHaveLength(10);
    const stored = () =>
      query<{ hash: Buffer }>('SELECT hash FROM recovery_code WHERE person_id = $1 ORDER BY hash', [id]);
    const before = await stored();
    await (
      await addPasskey()
    )();
    expect(await stored()).toEqual(before);
  });
});

it('whoever is removed from their only merchant while they sign in is out', async () => {
  await Staff.of(service, { merchantId: shop.merchantId, role: 'owner' });
  const signedIn = async (tx: EntityManager) =>
    service.app
      .get(SessionsService)
      .open(tx, await locked(tx), { ip: '192.0.2.1', userAgent: 'another' }, 'full');
  await meanwhile(
    service.app.get(DataSource),
    signedIn,
    () => service.app.get(MembersService).remove(shop.merchantId, id, CLI_ACTOR),
    // Whoever has the person's lock gets the membership's.
    (tx) => service.app.get(MembershipsRepository).lock(tx, id, shop.merchantId),
  );
  expect(await sessions()).toEqual([]);
});
