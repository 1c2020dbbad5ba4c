import { createHash } from 'node:crypto';
import { DataSource } from 'typeorm';
import { OneTimeLinksRepository } from '../../../src/modules/accounts/people/data/one-time-links.repository.js';
import { MembersService } from '../../../src/modules/accounts/people/members.service.js';
import { OperatorsService } from '../../../src/modules/accounts/people/operators.service.js';
import { PeopleService } from '../../../src/modules/accounts/people/people.service.js';
import { type Dropped, LinksService } from '../../../src/modules/accounts/sign-in/links.service.js';
import { RateWindows } from '../../../src/platform/rate-limit/rate-windows.js';
import { Retention } from '../../../src/platform/retention/retention.js';
import { answerBy, enabled, withPasskey } from '../../support/dashboard/dashboard-stage.js';
import { linkPath, type PageAnswer, Staff } from '../../support/dashboard/staff.js';
import { CLI_ACTOR } from '../../support/intents/by.js';
import { eventually } from '../../support/servers/receiver.js';
import { Service, type Shop } from '../../support/service/service.js';
import { written } from '../../support/service/written.js';

const NEXT = 'another plain sentence of mine';
/** Mail is written and never sent. */
const MAIL = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'Rappen <pay@rappen.example>' };

let service: Service;
let shop: Shop;

beforeAll(async () => {
  const env = { ...MAIL, TRUST_PROXY: '1', RATE_LIMIT_FAILED_AUTH_PER_MINUTE: '1000' };
  service = await Service.start({ env });
  shop = await service.shop();
});
afterAll(() => service.stop());

const query = <Row>(sql: string, values: unknown[] = []) =>
  service.app.get(DataSource).query<Row[]>(sql, values);
const owner = () => Staff.of(service, { merchantId: shop.merchantId, role: 'owner' });
const elsewhere = ({ email }: Staff) => Staff.stranger(service, email);
const idOf = async ({ email }: Staff) =>
  (await query<{ id: string }>('SELECT id FROM person WHERE email = $1', [email]))[0]!.id;

/** Strangers have used up what they may guess of this account. */
async function guessAllDay(person: Staff): Promise<void> {
  const hashed = (of: string) => createHash('sha256').update(of).digest('base64url');
  const subjects = [
    `password:strangers:${hashed(person.email)}`,
    `code:strangers:${hashed(await idOf(person))}`,
  ];
  await query(
    `INSERT INTO guess_delay (subject, failures, next_at) SELECT subject, 999, clock_timestamp() + interval '1 day'
     FROM unnest($1::text[]) AS subject ON CONFLICT (subject) DO UPDATE SET next_at = excluded.next_at`,
    [subjects],
  );
  expect((await elsewhere(person).signIn('a wrong guess')).status).toBe(429);
}
const strangersWait = async (person: Staff) => {
  const hash = createHash('sha256')
    .update(await idOf(person))
    .digest('base64url');
  const password = (await elsewhere(person).signIn('a wrong guess')).status === 429;
  const code =
    (await query('SELECT FROM guess_delay WHERE subject = $1', [`code:strangers:${hash}`])).length > 0;
  return { password, code };
};
/** Mails about a sign-in in a new browser. */
const told = async ({ email }: Staff) =>
  (
    await query(
      `SELECT FROM outgoing_mail WHERE recipient = $1 AND starts_with(about, 'signed-in.new-device:')`,
      [email],
    )
  ).length;
const isKnown = async (browser: Staff, password: string) => {
  const before = await told(browser);
  expect((await browser.signIn(password)).location).toBe('/dashboard');
  return (await told(browser)) === before;
};
const invitationOf = async (email: string, deliveredTo: 'mailbox' | 'inviter') => {
  const wanted = { kind: 'invitation', email, merchantId: shop.merchantId, role: 'reviewer' } as const;
  const { token } = await service.app
    .get(DataSource)
    .transaction((tx) =>
      service.app.get(OneTimeLinksRepository).make(tx, { ...wanted, deliveredTo, hours: 1 }, CLI_ACTOR),
    );
  return token;
};
const notSeenForLong = async (person: Staff) =>
  query(
    `UPDATE known_device SET last_seen_at = clock_timestamp() - interval '181 days' WHERE person_id = $1`,
    [await idOf(person)],
  );
const changePassword = (person: Staff) =>
  person.post('/dashboard/account/password', { present: Staff.PASSWORD, next: NEXT });

async function reset(person: Staff, dropped: Dropped): Promise<void> {
  const link = await service.app.get(LinksService).reset(person.email, CLI_ACTOR, dropped);
  await elsewhere(person).post(linkPath(link), { password: NEXT });
}

describe('a new password', () => {
  it('leaves the browser that changed it known, also while strangers guess', async () => {
    const person = await owner();
    await person.signIn(Staff.PASSWORD);
    await changePassword(person);
    await guessAllDay(person);
    await person.post('/dashboard/sign-out');
    expect((await person.signIn(NEXT)).location).toBe('/dashboard');
  });

  it.each([
    ['a change', (person: Staff) => changePassword(person)],
    ['a reset', (person: Staff) => reset(person, 'nothing')],
    ['a reset with the second factors', (person: Staff) => reset(person, 'roles too')],
  ])('lets nobody wait for what was guessed before it: by %s', async (_, renew) => {
    const person = await owner();
    await person.signIn(Staff.PASSWORD);
    await guessAllDay(person);
    await renew(person);
    expect((await elsewhere(person).signIn(NEXT)).location).toBe('/dashboard');
    expect(await strangersWait(person)).toEqual({ password: false, code: false });
  });

  it.each([
    ['a change', (person: Staff) => changePassword(person), true],
    ['a reset', (person: Staff) => reset(person, 'nothing'), false],
    ['a reset with the second factors', (person: Staff) => reset(person, 'roles too'), false],
  ])(
    'makes every other browser a new one, of which the person is told: by %s',
    async (_, renew, isOwnKnown) => {
      const person = await owner();
      const phone = elsewhere(person);
      await person.signIn(Staff.PASSWORD);
      await phone.signIn(Staff.PASSWORD);
      await renew(person);
      expect([await isKnown(person, NEXT), await isKnown(phone, NEXT)]).toEqual([isOwnKnown, false]);
    },
  );
});

describe('a reset where a second factor is on', () => {
  const budget = async (person: Staff) =>
    query(`SELECT failures, next_at FROM guess_delay WHERE subject = $1`, [
      `code:strangers:${createHash('sha256')
        .update(await idOf(person))
        .digest('base64url')}`,
    ]);
  const takeReset = async (taker: Staff, password: string) => {
    const link = await service.app.get(LinksService).reset(taker.email, CLI_ACTOR);
    expect((await taker.post(linkPath(link), { password })).location).toBe('/dashboard/sign-in');
    expect((await taker.signIn(password)).location).toContain('/dashboard/sign-in/code');
  };
  const guess = (taker: Staff) => taker.post('/dashboard/sign-in/code', { code: '000000x' });
  const withCodes = async () => {
    const person = await owner();
    const codes = await enabled({ id: await idOf(person), staff: person });
    return { person, codes };
  };

  it('forgives no codes that were guessed, and its taker is a stranger who is told of', async () => {
    const { person } = await withCodes();
    const taker = elsewhere(person);
    await takeReset(taker, NEXT);
    for (let i = 0; i < 3; i += 1) expect((await guess(taker)).status).toBe(422);
    const before = await budget(person);
    expect(before).toMatchObject([{ failures: 3 }]);
    await takeReset(taker, 'a third plain sentence of mine');
    expect(await budget(person)).toEqual(before);
    expect(
      await query('SELECT FROM unfinished_sign_in WHERE person_id = $1', [await idOf(person)]),
    ).toHaveLength(1);
    await written(service);
    expect(
      await query(
        `SELECT FROM outgoing_mail WHERE recipient = $1 AND starts_with(about, 'account.guessed-at:')`,
        [person.email],
      ),
    ).toHaveLength(1);
  });

  it('lets its taker show the new password while strangers guess, and its codes wait as theirs do', async () => {
    const { person } = await withCodes();
    const taker = elsewhere(person);
    await takeReset(taker, NEXT);
    await guessAllDay(person);
    expect((await elsewhere(person).signIn(NEXT)).status).toBe(429);
    expect((await taker.signIn(NEXT)).location).toContain('/dashboard/sign-in/code');
    expect((await guess(taker)).status).toBe(429);
  });

  it('makes the browser known for codes in which the second step was passed, of which the person is told', async () => {
    const { person, codes } = await withCodes();
    const taker = elsewhere(person);
    await takeReset(taker, NEXT);
    const pass = (code = '') => taker.post('/dashboard/sign-in/code', { code });
    const before = await told(person);
    expect((await pass(codes[0])).location).toBe('/dashboard');
    expect(await told(person)).toBe(before + 1);
    await taker.post('/dashboard/sign-out');
    await guessAllDay(person);
    expect((await taker.signIn(NEXT)).location).toContain('/dashboard/sign-in/code');
    expect((await pass(codes[1])).location).toBe('/dashboard');
    expect(await told(person)).toBe(before + 1);
  });

  it.each<[string, (person: Staff) => Promise<unknown>]>([
    ['the operator takes the second factors too', (person) => reset(person, 'roles too')],
    ['the password is changed in a session', (person) => changePassword(person)],
  ])('is not meant where %s: then codes are forgiven', async (_, renew) => {
    const { person } = await withCodes();
    await guessAllDay(person);
    await renew(person);
    expect(await budget(person)).toEqual([]);
  });
});

describe('the browser that takes a one-time link', () => {
  it.each<[string, Dropped]>([
    ['a reset', 'nothing'],
    ['a reset with the second factors', 'roles too'],
  ])('is known from then on, and no other, however strangers guess: by %s', async (_, dropped) => {
    const person = await owner();
    const taker = elsewhere(person);
    await person.signIn(Staff.PASSWORD);
    const link = await service.app.get(LinksService).reset(person.email, CLI_ACTOR, dropped);
    expect((await taker.post(linkPath(link), { password: NEXT })).location).toBe('/dashboard/sign-in');
    await guessAllDay(person);
    expect((await elsewhere(person).signIn(NEXT)).status).toBe(429);
    expect((await person.signIn(NEXT)).status).toBe(429);
    expect(await isKnown(taker, NEXT)).toBe(true);
  });

  it.each([
    ['is known by an invitation in its mailbox', 'mailbox', true],
    ['is a stranger’s by one that others have seen', 'inviter', false],
  ] as const)('%s', async (_, deliveredTo, isItsPersons) => {
    const email = `${deliveredTo}@staff.example`;
    const token = await invitationOf(email, deliveredTo);
    const taker = Staff.stranger(service, email);
    expect((await taker.post(`/dashboard/link/${token}`, { password: NEXT })).location).toBe(
      '/dashboard/sign-in',
    );
    expect(taker.cookie.includes('device-')).toBe(isItsPersons);
    await guessAllDay(taker);
    expect((await taker.signIn(NEXT)).status).toBe(isItsPersons ? 303 : 429);
  });
});

it('a stranger who uses up the requests of an address keeps nobody out who is known behind it', async () => {
  const [windows, from] = [service.app.get(RateWindows), { 'x-forwarded-for': '203.0.113.77' }];
  const inSession = await owner();
  const known = elsewhere(inSession);
  await known.signIn(Staff.PASSWORD);
  await known.post('/dashboard/sign-out');
  const forger = { ...from, cookie: known.cookie.replaceAll(/=[^;]+/g, `=${'x'.repeat(43)}`) };
  const ask = async () => {
    for (let i = 0; i < 600; i++) windows.hit('dashboard:203.0.113.77');
    const signIn = { email: inSession.email, password: Staff.PASSWORD };
    return [
      (await Staff.stranger(service).get('/dashboard/sign-in', from)).status,
      (await Staff.stranger(service).get('/dashboard/sign-in', forger)).status,
      (await inSession.get('/dashboard/account', from)).status,
      (await inSession.post('/dashboard/confirm', { password: Staff.PASSWORD }, from)).status,
      (await known.get('/dashboard/sign-in', from)).status,
      (await known.post('/dashboard/sign-in', signIn, from)).status,
    ];
  };
  // Again where a minute has ended in between.
  const seen = await eventually(ask, (statuses) => statuses[0] === 429 && statuses[1] === 429);
  expect(seen).toEqual([429, 429, 200, 303, 200, 303]);
});

it('tells of a sign-in when no browser is known any more', async () => {
  const person = await owner();
  await person.signIn(Staff.PASSWORD);
  await notSeenForLong(person);
  await service.app.get(Retention).run();
  expect(await isKnown(elsewhere(person), Staff.PASSWORD)).toBe(false);
});

it('is silent about the first sign-in alone', async () => {
  const email = 'newcomer@staff.example';
  const person = { email, password: Staff.PASSWORD, merchantId: shop.merchantId };
  await service.app.get(PeopleService).create(person, CLI_ACTOR);
  const [first, second] = [Staff.stranger(service, email), Staff.stranger(service, email)];
  expect([await isKnown(first, Staff.PASSWORD), await isKnown(second, Staff.PASSWORD)]).toEqual([
    true,
    false,
  ]);
});

/** Has an account, has taken a link to it, and has never signed in. */
const TAKERS: Readonly<Record<string, () => Promise<Staff>>> = {
  'an invitation in the mailbox': async () => {
    const taker = Staff.stranger(service, 'invited-newcomer@staff.example');
    await taker.post(`/dashboard/link/${await invitationOf(taker.email, 'mailbox')}`, { password: NEXT });
    return taker;
  },
  'a reset': async () => {
    const taker = Staff.stranger(service, 'reset-newcomer@staff.example');
    const account = { email: taker.email, password: Staff.PASSWORD, merchantId: shop.merchantId };
    await service.app.get(PeopleService).create(account, CLI_ACTOR);
    const link = await service.app.get(LinksService).reset(taker.email, CLI_ACTOR);
    await taker.post(linkPath(link), { password: NEXT });
    return taker;
  },
};

it.each(Object.keys(TAKERS))(
  'tells of whoever signs in first in another browser than the one that took %s, and not of that one',
  async (link) => {
    const taker = await TAKERS[link]!();
    expect(await told(taker)).toBe(0);
    expect([await isKnown(elsewhere(taker), NEXT), await isKnown(taker, NEXT)]).toEqual([false, true]);
    const entries = await query(
      `SELECT FROM audit_entry WHERE actor = $1 AND action = 'signed-in.new-device'`,
      [taker.email],
    );
    expect(entries).toHaveLength(1);
  },
);

it('tells of a passkey that signs in in another browser', async () => {
  const person = await owner();
  const device = await withPasskey({ service }, { id: await idOf(person), staff: person });
  const other = elsewhere(person);
  const before = await told(person);
  const signIn = async () => other.post('/dashboard/sign-in/passkey', await answerBy(device, other));
  expect((await signIn()).location).toBe('/dashboard');
  expect(await told(person)).toBe(before + 1);
  await signIn();
  expect(await told(person)).toBe(before + 1);
});

it('tells of a sign-in in a browser that was not used for too long, also while that is still stored', async () => {
  const person = await owner();
  await person.signIn(Staff.PASSWORD);
  await notSeenForLong(person);
  expect([await isKnown(person, Staff.PASSWORD), await isKnown(person, Staff.PASSWORD)]).toEqual([
    false,
    true,
  ]);
});

describe('whoever is thrown out', () => {
  const ACCOUNT = '/dashboard/account';
  const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  /** What a sign-in in a browser that is not known leaves, whether or not a second step is asked for. */
  const traces = async (person: Staff) => {
    const unfinished = await query('SELECT FROM unfinished_sign_in WHERE person_id = $1', [
      await idOf(person),
    ]);
    return (await told(person)) + unfinished.length;
  };
  const isStranger = async (browser: Staff) => {
    const before = await traces(browser);
    expect((await browser.signIn(Staff.PASSWORD)).status).toBe(303);
    return (await traces(browser)) > before;
  };
  const turnCodesOn = async (person: Staff) => enabled({ id: await idOf(person), staff: person });
  const addPasskey = async (person: Staff) =>
    withPasskey({ service }, { id: await idOf(person), staff: person });
  const endOne = async (person: Staff) => {
    const { html } = await person.get(ACCOUNT);
    const [, session] = /Firefox on Linux[\s\S]*?sessions\/(ses_[^/]+)\/end/.exec(html)!;
    expect((await person.post(`${ACCOUNT}/sessions/${session}/end`)).status).toBe(303);
  };
  const enter = (browser: Staff) =>
    browser.post(
      '/dashboard/sign-in',
      { email: browser.email, password: Staff.PASSWORD },
      { 'user-agent': FIREFOX },
    );

  /** The thief gets in, and is thrown out. */
  const WAYS: Readonly<Record<string, (person: Staff, thief: Staff) => Promise<PageAnswer | void>>> = {
    'one session is ended': async (person, thief) => {
      await enter(thief);
      await endOne(person);
    },
    'all other sessions are ended': async (person, thief) => {
      await enter(thief);
      return person.post(`${ACCOUNT}/sessions/end-others`);
    },
    'codes are turned on': async (person, thief) => {
      await enter(thief);
      await turnCodesOn(person);
    },
    'codes are turned off': async (person, thief) => {
      const [code = ''] = await turnCodesOn(person);
      await enter(thief);
      expect((await thief.post('/dashboard/sign-in/code', { code })).location).toBe('/dashboard');
      return person.post(`${ACCOUNT}/second-factor/disable`);
    },
    'a passkey is added': async (person, thief) => {
      await enter(thief);
      await addPasskey(person);
    },
    'a passkey is removed': async (person, thief) => {
      const answer = await answerBy(await addPasskey(person), thief);
      expect((await thief.post('/dashboard/sign-in/passkey', answer)).location).toBe('/dashboard');
      const [key] = await query<{ id: string }>('SELECT id FROM passkey WHERE person_id = $1', [
        await idOf(person),
      ]);
      return person.post(`${ACCOUNT}/passkeys/${key!.id}/remove`);
    },
  };

  it.each(Object.keys(WAYS))(
    'is a stranger in that browser when %s, and their person not in the one that does it',
    async (way) => {
      const person = await owner();
      await person.signIn(Staff.PASSWORD);
      const thief = elsewhere(person);
      await WAYS[way]!(person, thief);
      expect((await thief.get(ACCOUNT)).status).toBe(303);
      expect([await isStranger(person), await isStranger(thief)]).toEqual([false, true]);
    },
  );

  it('is one also where no session was alive any more', async () => {
    const person = await owner();
    await person.signIn(Staff.PASSWORD);
    const [first, second] = [elsewhere(person), elsewhere(person)];
    await enter(first);
    await first.post('/dashboard/sign-out');
    await enter(second);
    await endOne(person);
    expect([await isStranger(first), await isStranger(second)]).toEqual([true, true]);
  });

  it('guesses codes as a stranger once they are asked for, of which the person is told', async () => {
    const person = await owner();
    await person.signIn(Staff.PASSWORD);
    const thief = elsewhere(person);
    await enter(thief);
    await turnCodesOn(person);
    for (let i = 0; i < 3; i += 1) {
      await thief.signIn(Staff.PASSWORD);
      await thief.post('/dashboard/sign-in/code', { code: '000000x' });
    }
    await written(service);
    const mails = await query(
      `SELECT FROM outgoing_mail WHERE recipient = $1 AND starts_with(about, 'account.guessed-at:')`,
      [person.email],
    );
    expect(mails).toHaveLength(1);
    expect((await strangersWait(person)).code).toBe(true);
  });

  it.each<[string, boolean, (person: Staff, id: string) => Promise<unknown>]>([
    ['signs out', false, (person) => person.post('/dashboard/sign-out')],
    [
      'is dismissed as an operator',
      true,
      async (person, id) => {
        await query('UPDATE person SET is_operator = true WHERE id = $1', [id]);
        await service.app.get(OperatorsService).dismiss(person.email, CLI_ACTOR);
      },
    ],
    [
      'is removed from their only merchant',
      true,
      (_, id) => service.app.get(MembersService).remove(shop.merchantId, id, CLI_ACTOR),
    ],
    [
      'is removed from one of their merchants',
      false,
      async (_, id) => {
        const other = await service.shop(undefined, 'Other Shop');
        await query(`INSERT INTO membership (person_id, merchant_id, role) VALUES ($1, $2, 'reviewer')`, [
          id,
          other.merchantId,
        ]);
        await service.app.get(MembersService).remove(shop.merchantId, id, CLI_ACTOR);
      },
    ],
  ])('who %s is a stranger in their browser: %s', async (_, isOne, leave) => {
    const [person] = [await owner(), await owner()];
    await person.signIn(Staff.PASSWORD);
    await leave(person, await idOf(person));
    expect(await isStranger(person)).toBe(isOne);
  });
});
