import { DataSource } from 'typeorm';
import { ANYBODYS } from '../../../src/database/by.js';
import { AuditLog } from '../../../src/modules/accounts/audit/audit-log.service.js';
import { InvitationsService } from '../../../src/modules/accounts/people/invitations.service.js';
import { PeopleService } from '../../../src/modules/accounts/people/people.service.js';
import { LinksService } from '../../../src/modules/accounts/sign-in/links.service.js';
import { MerchantsService } from '../../../src/modules/merchants/merchants.service.js';
import { Jobs } from '../../../src/platform/jobs/jobs.js';
import { enabled } from '../../support/dashboard/dashboard-stage.js';
import { linkPath, Staff } from '../../support/dashboard/staff.js';
import { by, CLI_ACTOR } from '../../support/intents/by.js';
import { MailServer } from '../../support/servers/mail-server.js';
import { eventually } from '../../support/servers/receiver.js';
import { securityEvents } from '../../support/service/counted.js';
import { inOneMinute } from '../../support/service/one-minute.js';
import { Service } from '../../support/service/service.js';
import { written } from '../../support/service/written.js';

const FORGOTTEN = '/dashboard/sign-in/forgotten';
const NEW_PASSWORD = 'quite another sentence for tests';

let mail: MailServer;
let service: Service;
let merchantId: string;

beforeAll(async () => {
  mail = await MailServer.start();
  service = await Service.start({
    env: { SMTP_URL: mail.url, MAIL_FROM: 'Rappen <pay@rappen.example>', TRUST_PROXY: '1' },
  });
  ({ merchantId } = await service.shop());
});
afterAll(async () => {
  await service.stop();
  await mail.stop();
});

const query = <Row>(sql: string, values: unknown[] = []) =>
  service.app.get(DataSource).query<Row[]>(sql, values);
const owner = () => Staff.of(service, { merchantId, role: 'owner' });
const idOf = async ({ email }: Staff) => (await service.app.get(PeopleService).findByEmail(email))!.id;
const anotherShop = async () =>
  (await service.app.get(MerchantsService).create({ name: 'Another Shop' }, 'approved', by('test'))).id;
const ask = (email: string, by = Staff.stranger(service)) => by.post(FORGOTTEN, { email });
/** Both jobs have their turn with every look: what they do is tried here, not how often. */
const eventuallyDone: typeof eventually = (look, holds) =>
  eventually(() => {
    for (const job of ['forgotten-passwords', 'personal-mail']) service.app.get(Jobs).wake(job);
    return look();
  }, holds);
const answered = () =>
  eventuallyDone(
    () => query('SELECT FROM password_request'),
    (rows) => rows.length === 0,
  );

/** The links that a mailbox has been sent, oldest first. */
async function linksTo(email: string, count = 1): Promise<string[]> {
  const links = () =>
    mail
      .mailsTo(email)
      .flatMap(({ text }) => text.match(/http\S+\/dashboard\/link\/\S+/g) ?? [])
      .map((url) => linkPath({ url }));
  return eventuallyDone(links, (all) => all.length >= count);
}

it('sets a new password by a link in the mailbox, once, and ends every session', async () => {
  const person = await owner();
  const { html } = await Staff.stranger(service).get('/dashboard/sign-in');
  expect(html).toContain(`href="${FORGOTTEN}"`);
  const answer = await ask(` ${person.email.toUpperCase()}`);
  expect([answer.status, answer.location]).toEqual([303, `${FORGOTTEN}?asked=1`]);
  const [link = ''] = await linksTo(person.email);
  expect((await person.get('/dashboard/account')).status).toBe(200); // to ask changes nothing
  const stranger = Staff.stranger(service, person.email);
  expect((await stranger.get(link)).html).toContain('Set a new password');
  expect((await stranger.post(link, { password: NEW_PASSWORD })).location).toBe('/dashboard/sign-in');
  expect((await person.get('/dashboard/account')).location).toMatch(/sign-in/);
  expect((await stranger.signIn(Staff.PASSWORD)).status).toBe(422);
  expect((await stranger.signIn(NEW_PASSWORD)).location).toBe('/dashboard');
  expect((await stranger.post(link, { password: 'and a third sentence for tests' })).status).toBe(404);
  const actions = (await service.app.get(AuditLog).list(ANYBODYS, 20))
    .filter(({ subject, actor }) => actor !== 'cli' && subject !== merchantId)
    .map(({ action, actor }) => [action, actor]);
  expect(actions).toContainEqual(['password.reset-asked', 'sign-in page']);
  expect(actions).toContainEqual(['password.reset', person.email]);
  await eventuallyDone(
    () => mail.mailsTo(person.email).map(({ headers }) => headers['subject']),
    (subjects) => subjects.includes('Your password was reset'),
  );
});

it('keeps no token in the clear', async () => {
  const person = await owner();
  await ask(person.email);
  const [link = ''] = await linksTo(person.email);
  const token = link.split('/').at(-1)!;
  const [{ rows } = { rows: '' }] = await query<{ rows: string }>(
    `SELECT concat((SELECT string_agg(l::text, '') FROM one_time_link l WHERE email = $1),
                   (SELECT string_agg(m::text, '') FROM outgoing_mail m WHERE recipient = $1),
                   (SELECT string_agg(e::text, '') FROM audit_entry e WHERE subject = $2)) AS rows`,
    [person.email, await idOf(person)],
  );
  expect(rows).toContain('password.reset-asked');
  expect(rows).not.toContain(token);
});

it('answers and does the same whether there is an account, and writes only where there is one', async () => {
  const person = await owner();
  // What has no password of its own yet has an invitation to take.
  const invited = 'invited@staff.example';
  await query(`INSERT INTO person (id, email) VALUES ('usr_invited', $1)`, [invited]);
  const nobody = 'nobody-at-all@staff.example';
  const answers = [];
  for (const email of [person.email, nobody, invited]) {
    const { status, location, html, headers } = await ask(email);
    answers.push(JSON.stringify([status, location, html, [...headers.keys()].sort()]));
  }
  expect(new Set(answers).size).toBe(1);
  await linksTo(person.email);
  await answered();
  const links = await query<{ email: string }>(`SELECT email FROM one_time_link WHERE email = ANY ($1)`, [
    [nobody, invited],
  ]);
  expect([links, mail.mailsTo(nobody), mail.mailsTo(invited)]).toEqual([[], [], []]);
});

it('the second factor is asked for as before', async () => {
  const person = await owner();
  await enabled({ id: await idOf(person), staff: person });
  await ask(person.email);
  const [link = ''] = await linksTo(person.email);
  const stranger = Staff.stranger(service, person.email);
  await stranger.post(link, { password: NEW_PASSWORD });
  expect((await stranger.signIn(NEW_PASSWORD)).location).toMatch(/sign-in\/code/);
  expect((await stranger.get('/dashboard/account')).location).toMatch(/sign-in/);
});

it('a link is good for an hour, and only until another of them was taken', async () => {
  const person = await owner();
  await ask(person.email);
  await linksTo(person.email);
  await ask(person.email);
  const [first = '', second = ''] = await linksTo(person.email, 2);
  const byOperator = linkPath(await service.app.get(LinksService).reset(person.email, CLI_ACTOR));
  const stranger = Staff.stranger(service, person.email);
  expect((await stranger.post(second, { password: NEW_PASSWORD })).status).toBe(303);
  for (const other of [first, byOperator]) expect((await stranger.get(other)).status).toBe(404);
  await ask(person.email);
  const third = (await linksTo(person.email, 3)).at(-1)!;
  const [{ minutes } = { minutes: 0 }] = await query<{ minutes: number }>(
    `SELECT extract(epoch FROM max(expires_at) - clock_timestamp())::integer / 60 AS minutes FROM one_time_link
     WHERE email = $1 AND used_at IS NULL AND kind = 'reset' AND expires_at > clock_timestamp()`,
    [person.email],
  );
  expect(minutes).toBeGreaterThanOrEqual(58);
  expect(minutes).toBeLessThanOrEqual(60);
  await query(`UPDATE one_time_link SET expires_at = clock_timestamp() WHERE email = $1`, [person.email]);
  expect((await stranger.get(third)).status).toBe(404);
});

it('a change of the password ends every link by which another could be set', async () => {
  const person = await owner();
  await ask(person.email);
  const [mailed = ''] = await linksTo(person.email);
  const byOperator = linkPath(await service.app.get(LinksService).reset(person.email, CLI_ACTOR));
  const fields = { present: Staff.PASSWORD, next: NEW_PASSWORD };
  expect((await person.post('/dashboard/account/password', fields)).location).toBe('/dashboard/account');
  const holder = Staff.stranger(service, person.email);
  for (const link of [mailed, byOperator])
    expect((await holder.post(link, { password: 'a third plain sentence' })).status).toBe(404);
});

it('of links that the operator hands out the last alone is good; asking for one ends none, and a withdrawal all', async () => {
  const person = await owner();
  const links = service.app.get(LinksService);
  const stranger = Staff.stranger(service, person.email);
  const statusesOf = async (all: readonly string[]) => {
    const answers = all.map((link) => stranger.get(link));
    return (await Promise.all(answers)).map(({ status }) => status);
  };
  const handOut = async () => linkPath(await links.reset(person.email, CLI_ACTOR));
  await ask(person.email);
  const [mailed = ''] = await linksTo(person.email);
  const [first, second] = [await handOut(), await handOut()];
  expect(await statusesOf([first, second, mailed])).toEqual([404, 200, 200]);
  await ask(person.email);
  const [, another = ''] = await linksTo(person.email, 2);
  expect(await statusesOf([second, mailed, another])).toEqual([200, 200, 200]);
  const together = await Promise.all([handOut(), handOut(), handOut(), handOut()]);
  expect((await statusesOf(together)).sort()).toEqual([200, 404, 404, 404]);
  const withdrawals = await Promise.all([1, 2].map(() => links.withdrawResets(person.email, CLI_ACTOR)));
  expect(withdrawals.sort()).toEqual([false, true]);
  expect(new Set(await statusesOf([second, mailed, another, ...together]))).toEqual(new Set([404]));
  const entries = await query(
    `SELECT FROM audit_entry WHERE action = 'password.reset-withdrawn' AND subject = $1`,
    [await idOf(person)],
  );
  expect(entries).toHaveLength(1);
  expect((await person.get('/dashboard/account')).status).toBe(200);
});

/** Of the mailbox: those that were made, and those that can be used now. */
async function resetsOf(email: string): Promise<{ made: number; open: number }> {
  const [counts] = await query<{ made: number; open: number }>(
    `SELECT count(*)::integer AS made,
            count(*) FILTER (WHERE used_at IS NULL AND expires_at > clock_timestamp())::integer AS open
     FROM one_time_link WHERE email = $1 AND kind = 'reset'`,
    [email],
  );
  return counts!;
}

/** As if so much time had passed for a mailbox. */
async function passed(email: string, minutes: number): Promise<void> {
  const values = [email, minutes];
  await query(
    `UPDATE one_time_link SET created_at = created_at - make_interval(mins => $2),
                              expires_at = expires_at - make_interval(mins => $2) WHERE email = $1`,
    values,
  );
  await query(
    `UPDATE outgoing_mail SET created_at = created_at - make_interval(mins => $2) WHERE recipient = $1`,
    values,
  );
}

const refusedTo = async (person: Staff) => {
  await written(service);
  const id = await idOf(person);
  return query<{ actor: string; why: string }>(
    `SELECT actor, detail ->> 'why' AS why FROM audit_entry WHERE action = 'sign-in.throttled' AND subject = $1`,
    [id],
  );
};

async function askAndWait(email: string): Promise<void> {
  expect((await ask(email)).status).toBe(303);
  await answered();
}

it('whoever asks all day keeps nobody from a link: five go at once, then one whenever none is open', async () => {
  const person = await owner();
  const counted = () => securityEvents(service, 'sign-in-throttled');
  const before = await counted();
  for (let i = 0; i < 7; i += 1) await askAndWait(person.email);
  expect(await resetsOf(person.email)).toEqual({ made: 5, open: 5 });
  expect(await counted()).toBe(before + 2);
  expect(await refusedTo(person)).toEqual([{ actor: 'a stranger', why: 'reset' }]);
  for (let hour = 1; hour < 24; hour += 1) {
    await passed(person.email, 61);
    for (let i = 0; i < 2; i += 1) await askAndWait(person.email);
    expect(await resetsOf(person.email)).toEqual({ made: 5 + hour, open: 1 });
  }
  // A day of it leaves room for what others send there.
  const invitation = { email: person.email, merchantId: await anotherShop(), role: 'reviewer' };
  await service.app.get(InvitationsService).invite(invitation, CLI_ACTOR);
  const links = await linksTo(person.email, 5 + 23);
  const stranger = Staff.stranger(service, person.email);
  const good = [];
  for (const link of links)
    if ((await stranger.get(link)).html.includes('Set a new password')) good.push(link);
  expect(good).toHaveLength(1);
  expect((await stranger.post(good[0]!, { password: NEW_PASSWORD })).location).toBe('/dashboard/sign-in');
  // The link was used up: whoever asks has another one.
  await askAndWait(person.email);
  expect((await resetsOf(person.email)).open).toBe(1);
});

it('a link that was withdrawn keeps nobody from another, however many there were', async () => {
  const person = await owner();
  for (let i = 0; i < 5; i += 1) await askAndWait(person.email);
  await service.app.get(LinksService).withdrawResets(person.email, CLI_ACTOR);
  await askAndWait(person.email);
  expect(await resetsOf(person.email)).toEqual({ made: 6, open: 1 });
});

it('a mailbox that has had enough of all links for a day gets no other, and there is none that nobody has', async () => {
  const person = await owner();
  await query(
    `INSERT INTO outgoing_mail (id, recipient, subject, language, sent_at)
     SELECT 'eml_full_' || n, $1, 'a link', 'en', clock_timestamp() FROM generate_series(1, 40) n`,
    [person.email],
  );
  await askAndWait(person.email);
  expect(await resetsOf(person.email)).toEqual({ made: 0, open: 0 });
  expect(await refusedTo(person)).toEqual([{ actor: 'a stranger', why: 'reset' }]);
  const asked = await query(
    `SELECT FROM audit_entry WHERE subject = $1 AND action = 'password.reset-asked'`,
    [await idOf(person)],
  );
  expect(asked).toEqual([]);
});

it('takes thirty requests a minute from an address', async () => {
  const stranger = Staff.stranger(service);
  const statuses: number[] = [];
  await inOneMinute(service, async () => {
    for (let i = 0; i < 31; i += 1) statuses.push((await ask(`x${i}@staff.example`, stranger)).status);
  });
  expect(statuses).toEqual([...new Array<number>(30).fill(303), 429]);
});

it('says what is no address beside the field, and takes a form of no other site', async () => {
  const { status, html } = await ask('not an address');
  expect([status, html.includes('id="email-flaw"')]).toEqual([422, true]);
  const foreign = await fetch(service.url + FORGOTTEN, {
    method: 'POST',
    headers: { origin: 'https://evil.example', accept: 'text/html' },
    body: new URLSearchParams({ email: 'a@b.example' }),
  });
  expect(foreign.status).toBe(403);
});

it('without mail the page says who can help, and nothing is kept', async () => {
  const silent = await Service.start();
  try {
    const stranger = Staff.stranger(silent);
    expect((await stranger.get(FORGOTTEN)).html).toContain('sends no mail');
    expect((await stranger.post(FORGOTTEN, { email: 'a@b.example' })).status).toBe(409);
    expect(await silent.app.get(DataSource).query('SELECT FROM password_request')).toEqual([]);
  } finally {
    await silent.stop();
  }
});
