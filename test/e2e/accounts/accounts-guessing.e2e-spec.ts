import { setImmediate as othersTurn } from 'node:timers/promises';
import { base32nopad } from '@scure/base';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { isPassword } from '../../../src/modules/accounts/passwords/password-hashing.js';
import { codeAt, stepAt } from '../../../src/modules/accounts/second-factors/domain/totp.js';
import { LinksService } from '../../../src/modules/accounts/sign-in/links.service.js';
import { linkPath, Staff } from '../../support/dashboard/staff.js';
import { CLI_ACTOR } from '../../support/intents/by.js';
import { MailServer, mailText } from '../../support/servers/mail-server.js';
import { eventually } from '../../support/servers/receiver.js';
import { securityEvents } from '../../support/service/counted.js';
import { Service, type Shop } from '../../support/service/service.js';
import { written } from '../../support/service/written.js';

let mail: MailServer;
let service: Service;
let shop: Shop;

beforeAll(async () => {
  mail = await MailServer.start();
  const limits = { TRUST_PROXY: '1', RATE_LIMIT_FAILED_AUTH_PER_MINUTE: '1000' };
  const env = { ...limits, SMTP_URL: mail.url, MAIL_FROM: 'Rappen <pay@rappen.example>' };
  service = await Service.start({ env });
  shop = await service.shop();
});
afterAll(async () => {
  await service.stop();
  await mail.stop();
});

const owner = () => Staff.of(service, { merchantId: shop.merchantId, role: 'owner' });
const query = <Row>(sql: string, values: unknown[] = []) =>
  service.app.get(DataSource).query<Row[]>(sql, values);
const counted = (event: string) => securityEvents(service, event);

/** More strangers than there are places, each of whom comes again at once, for as long as something is tried. */
async function whileStrangersFillTheQueue(trying: () => Promise<void>): Promise<void> {
  let isOver = false;
  const strangers = Array.from({ length: 112 }, async () => {
    while (!isOver) {
      await isPassword('a guess', null, null).catch(() => undefined);
      await othersTurn();
    }
  });
  try {
    await trying();
  } finally {
    isOver = true;
    await Promise.all(strangers);
  }
}

/** An authenticator that the person has set up. @returns what enters its code, which turns codes on */
async function codesOf(person: Staff) {
  await person.post('/dashboard/account/second-factor/begin');
  const { html } = await person.get('/dashboard/account/second-factor');
  const secret = Buffer.from(base32nopad.decode(/data-copy="([A-Z2-7]{32})"/.exec(html)?.[1] ?? ''));
  return () =>
    person.post('/dashboard/account/second-factor/enable', { code: codeAt(secret, stepAt(new Date())) });
}

const WAITING_FOR_PERSON = `
  SELECT pid FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%person%'`;

/** All that wrong tries at an account leave. */
async function tracesOf({ email }: Staff) {
  await written(service);
  const [row] = await query<{ counted: number; used: number; entries: number }>(
    `SELECT (SELECT coalesce(sum(failures), 0)::integer FROM guess_delay WHERE subject NOT LIKE 'said:%') AS counted,
            (SELECT count(*)::integer FROM guess_delay WHERE next_at > clock_timestamp() AND subject NOT LIKE 'said:%') AS used,
            (SELECT count(*)::integer FROM audit_entry WHERE action IN ('sign-in.failed', 'account.guessed-at')
               AND person_id = (SELECT id FROM person WHERE email = $1)) AS entries`,
    [email],
  );
  return { ...row, lines: [await counted('sign-in-failed'), await counted('account-guessed-at')] };
}

it('one who guesses all the time keeps nobody else from signing in, nor from proving who they are', async () => {
  const person = await owner();
  const guesser = Staff.stranger(service, person.email);
  const seen = [];
  for (let i = 0; i < 17; i++) {
    for (let j = 0; j < 3; j++) seen.push((await guesser.signIn('a wrong guess')).status);
    const anywhere = await Staff.stranger(service, person.email).signIn(Staff.PASSWORD);
    const again = await person.post('/dashboard/confirm', { password: Staff.PASSWORD });
    expect([i, anywhere.status, anywhere.location, again.status]).toEqual([i, 303, '/dashboard', 303]);
  }
  expect(seen.filter((status) => status === 429).length).toBeGreaterThan(30);
});

it('a botnet is out of tries after some hundred, and a browser that is known is let in meanwhile', async () => {
  const person = await owner();
  await person.signIn(Staff.PASSWORD);
  await Staff.stranger(service, person.email).signIn('a wrong guess');
  await query(
    `UPDATE guess_delay SET next_at = clock_timestamp() + interval '8 hours' WHERE subject LIKE 'password:strangers:%'`,
  );
  const bots = [];
  for (let i = 0; i < 3; i++)
    bots.push((await Staff.stranger(service, person.email).signIn('a wrong guess')).status);
  expect(bots).toEqual([429, 429, 429]);
  expect((await Staff.stranger(service, person.email).signIn(Staff.PASSWORD)).status).toBe(429);
  expect((await person.signIn(Staff.PASSWORD)).location).toBe('/dashboard');
});

it('strangers who fill the queue keep nobody out who is known, and whom they do keep out is not taken for a guesser', async () => {
  const person = await owner();
  await person.signIn(Staff.PASSWORD);
  const forgetful = await owner();
  const link = linkPath(await service.app.get(LinksService).reset(forgetful.email, CLI_ACTOR));
  // Of a browser that gets in once the next try would be one that is known.
  const elsewhere = () => Staff.stranger(service, person.email).signIn(Staff.PASSWORD);
  await query('DELETE FROM guess_delay');
  const [before, throttled] = [await tracesOf(person), await counted('sign-in-throttled')];
  await whileStrangersFillTheQueue(async () => {
    for (let refused = 0; refused < 12;) {
      const { status } = await elsewhere();
      expect([303, 503]).toContain(status);
      if (status === 503) refused += 1;
    }
    const session = await person.post('/dashboard/confirm', { password: Staff.PASSWORD });
    const device = await person.signIn(Staff.PASSWORD);
    const holder = await Staff.stranger(service).post(link, { password: 'another plain sentence' });
    expect([session, device, holder].map(({ status }) => status)).toEqual([303, 303, 303]);
  });
  expect(await tracesOf(person)).toEqual(before);
  expect(await counted('sign-in-throttled')).toBe(throttled + 12);
  await written(service);
  expect(
    await query(
      `SELECT actor, detail ->> 'why' AS why FROM audit_entry WHERE action = 'sign-in.throttled'
         AND subject = (SELECT id FROM person WHERE email = $1)`,
      [person.email],
    ),
  ).toEqual([{ actor: 'a stranger', why: 'password' }]);
  expect((await elsewhere()).location).toBe('/dashboard');
});

it('a code that the database failed over was no wrong one', async () => {
  const person = await owner();
  const enter = await codesOf(person);
  await query('DELETE FROM guess_delay');
  const before = await tracesOf(person);
  const holder = new Client({ connectionString: service.config.databaseUrl });
  await holder.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('SELECT FROM person WHERE email = $1 FOR UPDATE', [person.email]);
    for (let i = 0; i < 5; i++) {
      const entered = enter();
      const [waiting] = await eventually(
        () => query<{ pid: number }>(WAITING_FOR_PERSON),
        (rows) => rows.length === 1,
      );
      await query('SELECT pg_terminate_backend($1)', [waiting!.pid]);
      expect((await entered).status).toBe(503);
    }
  } finally {
    await holder.end();
  }
  expect(await tracesOf(person)).toEqual(before);
  expect((await enter()).status).toBe(200);
});

it('whom the budget of all strangers keeps waiting does not wait longer for having tried', async () => {
  const person = await owner();
  await Staff.stranger(service, person.email).signIn('a wrong guess');
  const strangers = `subject LIKE 'password:strangers:%'`;
  await query(`UPDATE guess_delay SET next_at = clock_timestamp() + interval '8 hours' WHERE ${strangers}`);
  const elsewhere = Staff.stranger(service, person.email);
  for (let i = 0; i < 5; i++) expect((await elsewhere.signIn(Staff.PASSWORD)).status).toBe(429);
  await query(`DELETE FROM guess_delay WHERE ${strangers}`);
  expect((await elsewhere.signIn(Staff.PASSWORD)).location).toBe('/dashboard');
});

it('whose account is guessed at is told once a day; the log and the figures have it', async () => {
  const person = await owner();
  const before = await counted('sign-in-failed');
  for (let i = 0; i < 24; i++) await Staff.stranger(service, person.email).signIn('a wrong guess');
  const told = () =>
    mail.mailsTo(person.email).filter(({ headers }) => headers['subject']?.includes('tries passwords'));
  await eventually(told, (mails) => mails.length === 1);
  expect(await counted('sign-in-failed')).toBe(before + 24);
  expect(await counted('account-guessed-at')).toBeGreaterThan(0);
  const rows = await query<{ n: string }>(
    `SELECT count(*) AS n FROM audit_entry WHERE action = 'account.guessed-at'
       AND person_id = (SELECT id FROM person WHERE email = $1)`,
    [person.email],
  );
  expect([rows[0]!.n, told().length]).toEqual(['1', 1]);
});

it.each([
  ['passwords', 10, (stranger: Staff) => stranger.signIn('a wrong guess')],
  [
    'codes',
    3,
    async (stranger: Staff) => {
      await stranger.signIn(Staff.PASSWORD);
      return stranger.post('/dashboard/sign-in/code', { code: '000000' });
    },
  ],
])('whose %s are guessed at slowly is told as well', async (what, tries, guess) => {
  const person = await owner();
  if (what === 'codes') await (await codesOf(person))();
  const told = () =>
    mail
      .mailsTo(person.email)
      .filter(({ headers }) =>
        headers['subject']?.includes(what === 'codes' ? 'knows your password' : 'tries passwords'),
      );
  for (let i = 0; i < tries; i++) {
    expect([i, told()]).toEqual([i, []]);
    await guess(Staff.stranger(service, person.email));
    // Each comes when nothing is left of the one before but that it was.
    await query(
      `UPDATE guess_delay SET next_at = clock_timestamp() - interval '2 hours', counted_from = counted_from - interval '2 hours'`,
    );
  }
  await eventually(told, (mails) => mails.length === 1);
});

it('tells a person of a new browser, and the owners of a new key, with who, when and from where', async () => {
  const person = await owner();
  await Staff.stranger(service, person.email).signIn(Staff.PASSWORD);
  await person.post('/dashboard/developers/keys', { label: 'Till', 'scope-read': 'on' });
  const texts = await eventually(
    () => mail.mailsTo(person.email).map(mailText),
    (all) => all.some((text) => text.includes('API key')) && all.some((text) => text.includes('new browser')),
  );
  const key = texts.find((text) => text.includes('API key'))!;
  for (const part of [
    'Till',
    person.email,
    'When: ',
    'From: 198.51.',
    `Look at it: ${service.url}/dashboard/developers/keys`,
  ])
    expect(key).toContain(part);
});

it('gives the session another cookie with each proof of identity', async () => {
  const person = await owner();
  const before = person.sessionCookie;
  await person.post('/dashboard/confirm', { password: Staff.PASSWORD });
  expect(person.sessionCookie.value).not.toBe(before.value);
  const old = await fetch(`${service.url}/dashboard`, {
    headers: { cookie: `${before.name}=${before.value}` },
    redirect: 'manual',
  });
  expect([old.status, (await person.get('/dashboard')).status]).toEqual([303, 200]);
});

it('takes another password instead of the present one, not the same again', async () => {
  const person = await owner();
  const fields = { present: Staff.PASSWORD, next: Staff.PASSWORD };
  const same = await person.post('/dashboard/account/password', fields);
  expect([same.status, same.html.includes('This is the present password')]).toEqual([422, true]);
});
