import { Logger } from '@nestjs/common';
import { base32nopad } from '@scure/base';
import { DataSource } from 'typeorm';
import { codeAt, stepAt } from '../../../src/modules/accounts/second-factors/domain/totp.js';
import { GuessDelaysRepository } from '../../../src/modules/accounts/sessions/data/guess-delays.repository.js';
import { LinksService } from '../../../src/modules/accounts/sign-in/links.service.js';
import { linkPath, Staff } from '../../support/dashboard/staff.js';
import { CLI_ACTOR } from '../../support/intents/by.js';
import { Service, type Shop } from '../../support/service/service.js';
import { written } from '../../support/service/written.js';

const SECOND_FACTOR = '/dashboard/account/second-factor';
const RECOVERY_CODES = '/dashboard/account/recovery-codes';
const NEXT_PASSWORD = 'another plain sentence';

let service: Service;
let shop: Shop;

beforeAll(async () => {
  // Each person is an address of its own: the limit of sign-ins per address is not what is tried here.
  service = await Service.start({ env: { TRUST_PROXY: '1', RATE_LIMIT_FAILED_AUTH_PER_MINUTE: '1000' } });
  shop = await service.shop();
});
afterAll(() => service.stop());

const owner = () => Staff.of(service, { merchantId: shop.merchantId, role: 'owner' });
const query = <Row>(sql: string, values: unknown[] = []) =>
  service.app.get(DataSource).query<Row[]>(sql, values);
/** The same person with another browser. */
const elsewhere = ({ email }: Staff) => Staff.stranger(service, email);
const isSignedIn = async (person: Staff) => (await person.get('/dashboard')).status === 200;
const auditOf = async ({ email }: Staff) =>
  (
    await query<{ action: string }>(
      `SELECT action FROM audit_entry WHERE person_id = (SELECT id FROM person WHERE email = $1) ORDER BY id`,
      [email],
    )
  ).map(({ action }) => action);

/** What an authenticator app knows once it has read the page. */
class Authenticator {
  private constructor(private readonly secret: Buffer) {}

  static reading(html: string): Authenticator {
    const [, base32 = ''] = /data-copy="([A-Z2-7]{32})"/.exec(html) ?? [];
    return new Authenticator(Buffer.from(base32nopad.decode(base32)));
  }

  code(steps = 0): string {
    return codeAt(this.secret, stepAt(new Date()) + steps);
  }
}

/** Somebody whose codes are on, as if their app's last code were long ago. */
async function withCodes(): Promise<{ person: Staff; app: Authenticator; recoveryCodes: string[] }> {
  const person = await owner();
  await person.post(`${SECOND_FACTOR}/begin`);
  const app = Authenticator.reading((await person.get(SECOND_FACTOR)).html);
  const { html } = await person.post(`${SECOND_FACTOR}/enable`, { code: app.code() });
  const recoveryCodes = [...html.matchAll(/<li><code>([^<]+)<\/code>/g)].map(([, code = '']) => code);
  await query('UPDATE person SET totp_last_step = 0 WHERE email = $1', [person.email]);
  return { person, app, recoveryCodes };
}

const enter = (person: Staff, code: string) => person.post('/dashboard/sign-in/code', { code });

/** As if the person had last proved their identity eleven minutes ago. */
const growStale = ({ email }: Staff) =>
  query(
    `UPDATE session SET proven_at = proven_at - interval '11 minutes' WHERE person_id = (SELECT id FROM person WHERE email = $1)`,
    [email],
  );

describe('turning codes on', () => {
  it('needs a code of the new secret, shows ten recovery codes once, and signs out everywhere else', async () => {
    const person = await owner();
    const other = elsewhere(person);
    await other.signIn(Staff.PASSWORD);
    expect((await person.post(`${SECOND_FACTOR}/begin`)).location).toBe(SECOND_FACTOR);
    const page = (await person.get(SECOND_FACTOR)).html;
    expect(page).toContain('<path class="qr-dark"');
    const app = Authenticator.reading(page);
    const wrong = await person.post(`${SECOND_FACTOR}/enable`, { code: app.code(5) });
    expect([wrong.status, wrong.html.includes('not right')]).toEqual([422, true]);
    expect(await isSignedIn(other)).toBe(true);
    const { status, html } = await person.post(`${SECOND_FACTOR}/enable`, { code: app.code() });
    expect([status, html.match(/<li><code>(?:[0-9a-z]{4}-){3}[0-9a-z]{4}<\/code>/g)?.length]).toEqual([
      200, 10,
    ]);
    expect([await isSignedIn(person), await isSignedIn(other)]).toEqual([true, false]);
    expect((await person.get(SECOND_FACTOR)).html).not.toContain('qr-dark');
    expect((await person.get(RECOVERY_CODES)).html).toContain('10 unused recovery codes');
    expect((await person.post(`${SECOND_FACTOR}/begin`)).status).toBe(409);
    expect(await auditOf(person)).toContain('codes.enabled');
  });

  it('shows the recovery codes, which are nowhere else, also where the guess cannot be forgiven, and says that', async () => {
    const person = await owner();
    await person.post(`${SECOND_FACTOR}/begin`);
    const app = Authenticator.reading((await person.get(SECOND_FACTOR)).html);
    const failing = jest
      .spyOn(service.app.get(GuessDelaysRepository), 'forget')
      .mockRejectedValueOnce(new Error('not forgotten'));
    const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const { status, html } = await person.post(`${SECOND_FACTOR}/enable`, { code: app.code() });
    const failures = logged.mock.calls.map(([words]) => words as unknown);
    for (const spy of [failing, logged]) spy.mockRestore();
    expect([status, html.match(/<li><code>/g)?.length]).toEqual([200, 10]);
    expect(failures).toMatchObject([{ err: { message: 'not forgotten' } }]);
  });

  it('keeps neither the secret nor the recovery codes in the clear', async () => {
    const person = await owner();
    await person.post(`${SECOND_FACTOR}/begin`);
    const { html } = await person.get(SECOND_FACTOR);
    const [, secret] = /data-copy="([A-Z2-7]{32})"/.exec(html)!;
    const shown = await person.post(`${SECOND_FACTOR}/enable`, { code: Authenticator.reading(html).code() });
    const [, code] = /<li><code>([^<]+)<\/code>/.exec(shown.html)!;
    const [{ stored }] = (await query<{ stored: string }>(
      `SELECT (SELECT string_agg(p::text, '|') FROM person p) || (SELECT string_agg(r::text, '|') FROM recovery_code r) AS stored`,
    )) as [{ stored: string }];
    expect(stored).not.toContain(secret);
    expect(stored).not.toContain(code!.replaceAll('-', ''));
    expect(stored).not.toContain(code);
  });

  it.each(['begin', 'enable', 'disable'])('needs a fresh proof of identity to %s', async (step) => {
    const person = await owner();
    await growStale(person);
    const asked = await person.get(SECOND_FACTOR);
    expect([asked.status, asked.location]).toEqual([
      303,
      '/dashboard/confirm?to=%2Fdashboard%2Faccount%2Fsecond-factor',
    ]);
    expect((await person.post(`${SECOND_FACTOR}/${step}`)).location).toMatch(/^\/dashboard\/confirm/);
  });
});

describe('signing in with codes on', () => {
  it('opens nothing before the code was right', async () => {
    const { person, app } = await withCodes();
    const browser = elsewhere(person);
    expect((await browser.signIn(Staff.PASSWORD)).location).toMatch(/^\/dashboard\/sign-in\/code/);
    const halfWay = browser.cookie;
    expect((await browser.get('/dashboard')).location).toMatch(/^\/dashboard\/sign-in/);
    expect((await browser.get('/dashboard/sign-in/code')).status).toBe(200);
    expect((await enter(browser, app.code(9))).status).toBe(422);
    expect(await isSignedIn(browser)).toBe(false);
    expect((await enter(browser, app.code())).location).toBe('/dashboard');
    expect(await isSignedIn(browser)).toBe(true);
    expect(browser.cookie).not.toBe(halfWay);
  });

  it('takes a code once: not again, not the one before it, and only one of two at the same moment', async () => {
    const { person, app } = await withCodes();
    const browsers = await Promise.all(
      [1, 2].map(async () => {
        const browser = elsewhere(person);
        await browser.signIn(Staff.PASSWORD);
        return browser;
      }),
    );
    // Both of one moment: the step before that of a later one would be a code that nobody has entered.
    const [earlier, code] = [app.code(-1), app.code()];
    const answers = await Promise.all(browsers.map((browser) => enter(browser, code)));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 422]);
    const third = elsewhere(person);
    await third.signIn(Staff.PASSWORD);
    expect((await enter(third, code)).status).toBe(422);
    expect((await enter(third, earlier)).status).not.toBe(303);
    expect(await isSignedIn(third)).toBe(false);
  });

  it('takes each recovery code once, however it is typed', async () => {
    const { person, recoveryCodes } = await withCodes();
    const spell = [(code: string) => code.toUpperCase(), (code: string) => code.replaceAll('-', ' ')];
    for (const [i, spelled] of spell.entries()) {
      const browser = elsewhere(person);
      await browser.signIn(Staff.PASSWORD);
      expect((await enter(browser, spelled(recoveryCodes[i]!))).location).toBe('/dashboard');
      const again = elsewhere(person);
      await again.signIn(Staff.PASSWORD);
      expect((await enter(again, recoveryCodes[i]!)).status).toBe(422);
    }
    expect((await person.get(RECOVERY_CODES)).html).toContain('8 unused recovery codes');
    expect((await auditOf(person)).filter((action) => action === 'recovery-code.used')).toHaveLength(2);
  });

  it('makes new recovery codes, after which the old ones are worth nothing', async () => {
    const { person, recoveryCodes } = await withCodes();
    const { html } = await person.post(RECOVERY_CODES);
    const [, renewed = ''] = /<li><code>([^<]+)<\/code>/.exec(html)!;
    const browser = elsewhere(person);
    await browser.signIn(Staff.PASSWORD);
    expect((await enter(browser, recoveryCodes[0]!)).status).toBe(422);
    expect((await enter(browser, renewed)).location).toBe('/dashboard');
    expect((await (await owner()).post(RECOVERY_CODES)).status).toBe(409);
  });

  it('makes a guesser of codes wait, on every half-open sign-in, and not the person elsewhere', async () => {
    const { person, app } = await withCodes();
    const guesser = elsewhere(person);
    await guesser.signIn(Staff.PASSWORD);
    await enter(guesser, '000000x');
    await query(`UPDATE guess_delay SET failures = 9 WHERE subject LIKE 'code:stranger:%'`);
    await enter(guesser, '000000x');
    await guesser.signIn(Staff.PASSWORD);
    const waiting = await enter(guesser, app.code());
    expect([waiting.status, Number(waiting.headers.get('retry-after')) > 0]).toEqual([429, true]);
    const browser = elsewhere(person);
    await browser.signIn(Staff.PASSWORD);
    expect((await enter(browser, app.code())).status).toBe(303);
  });

  it('gives all strangers together few codes, and tells the log that somebody has the password', async () => {
    const { person, app } = await withCodes();
    for (let i = 0; i < 12; i++) {
      const stranger = elsewhere(person);
      await stranger.signIn(Staff.PASSWORD);
      expect((await enter(stranger, '000000x')).status).toBe(422);
    }
    const late = elsewhere(person);
    await late.signIn(Staff.PASSWORD);
    expect((await enter(late, app.code())).status).toBe(429);
    await written(service);
    expect(await auditOf(person)).toContain('account.guessed-at');
  });

  it('begins again with the password ten minutes after it, or without one', async () => {
    const { person, app } = await withCodes();
    const browser = elsewhere(person);
    expect((await enter(browser, app.code())).location).toBe('/dashboard/sign-in');
    await browser.signIn(Staff.PASSWORD);
    await query(
      `UPDATE session SET created_at = created_at - interval '11 minutes' WHERE stage = 'second-factor'`,
    );
    expect((await enter(browser, app.code())).location).toBe('/dashboard/sign-in');
    expect((await browser.get('/dashboard/sign-in/code')).location).toBe('/dashboard/sign-in');
  });

  it('asks for a code too when identity is to be proven again', async () => {
    const { person, app } = await withCodes();
    await growStale(person);
    const confirm = (code: string) => person.post('/dashboard/confirm', { password: Staff.PASSWORD, code });
    expect((await confirm('')).status).toBe(422);
    expect((await person.get(SECOND_FACTOR)).status).toBe(303);
    expect((await confirm(app.code())).status).toBe(303);
    expect((await person.get(SECOND_FACTOR)).status).toBe(200);
  });

  it('is by the password alone again once codes are off, and the recovery codes are worth nothing', async () => {
    const { person } = await withCodes();
    expect((await person.post(`${SECOND_FACTOR}/disable`)).location).toBe('/dashboard/account');
    expect((await elsewhere(person).signIn(Staff.PASSWORD)).location).toBe('/dashboard');
    const [{ left }] = (await query<{ left: string }>(
      'SELECT count(*) AS left FROM recovery_code r JOIN person p ON p.id = r.person_id WHERE p.email = $1',
      [person.email],
    )) as [{ left: string }];
    expect(Number(left)).toBe(0);
  });

  it('asks for a code after a password reset as well, unless the operator dropped it', async () => {
    const { person, app } = await withCodes();
    const links = service.app.get(LinksService);
    const link = linkPath(await links.reset(person.email, CLI_ACTOR));
    const browser = elsewhere(person);
    await browser.post(link, { password: NEXT_PASSWORD });
    expect((await browser.signIn(NEXT_PASSWORD)).location).toMatch(/sign-in\/code/);
    expect((await enter(browser, app.code())).status).toBe(303);
    const dropped = linkPath(await links.reset(person.email, CLI_ACTOR, 'roles too'));
    expect(await isSignedIn(browser)).toBe(false);
    await browser.post(dropped, { password: Staff.PASSWORD });
    expect((await browser.signIn(Staff.PASSWORD)).location).toBe('/dashboard');
  });
});

describe('the account', () => {
  const change = (person: Staff, present: string, next: string) =>
    person.post('/dashboard/account/password', { present, next });

  it('takes a new password with the present one, which ends every other session', async () => {
    const person = await owner();
    const other = elsewhere(person);
    await other.signIn(Staff.PASSWORD);
    expect((await change(person, 'not the present one', NEXT_PASSWORD)).status).toBe(422);
    expect((await change(person, Staff.PASSWORD, 'short')).status).toBe(422);
    expect(await isSignedIn(other)).toBe(true);
    expect((await change(person, Staff.PASSWORD, NEXT_PASSWORD)).location).toBe('/dashboard/account');
    expect([await isSignedIn(person), await isSignedIn(other)]).toEqual([true, false]);
    expect((await other.signIn(Staff.PASSWORD)).status).toBe(422);
    expect((await other.signIn(NEXT_PASSWORD)).status).toBe(303);
  });

  it('takes a new password only from somebody who has just proved their identity, and guesses of it wait', async () => {
    const person = await owner();
    await growStale(person);
    expect((await change(person, Staff.PASSWORD, NEXT_PASSWORD)).location).toMatch(/^\/dashboard\/confirm/);
    await person.post('/dashboard/confirm', { password: Staff.PASSWORD });
    await change(person, 'a wrong guess', NEXT_PASSWORD);
    await query('UPDATE guess_delay SET failures = 9');
    await change(person, 'a wrong guess', NEXT_PASSWORD);
    expect((await change(person, Staff.PASSWORD, NEXT_PASSWORD)).status).toBe(429);
  });

  it('says what somebody else may have done there, to nobody else, though no mail is configured', async () => {
    const [person, other] = [await owner(), await owner()];
    expect((await person.get('/dashboard/account')).html).not.toContain('Was this you?');
    const firefox = {
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    };
    const credentials = { email: person.email, password: Staff.PASSWORD };
    await elsewhere(person).post('/dashboard/sign-in', credentials, firefox);
    await query(
      `INSERT INTO audit_entry (actor, person_id, action, subject, detail)
       SELECT 'a stranger', id, action, id, detail::jsonb FROM person, (VALUES
         ('account.guessed-at', '{"guessed": "password", "tries": 10}'), ('account.guessed-at', '{"guessed": "code", "tries": 3}'),
         ('second-factor.missed', '{}')) AS entries (action, detail)
       WHERE email = $1`,
      [person.email],
    );
    const { html } = await person.get('/dashboard/account');
    const [, told = ''] = /Was this you\?([\s\S]*)<\/section>/.exec(html)!;
    expect([...told.matchAll(/<td class="what">([^<]+?) <span/g)].map(([, what]) => what)).toEqual([
      'The password was right, and no second step followed',
      'Wrong codes were tried',
      'Wrong passwords were tried',
      'Signed in with a new browser: Firefox on Linux',
    ]);
    expect((await other.get('/dashboard/account')).html).not.toContain('Was this you?');
  });

  it('lists where somebody is signed in, and ends one of them or all others', async () => {
    const person = await owner();
    const [one, two] = [elsewhere(person), elsewhere(person)];
    const firefox = {
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    };
    await one.post('/dashboard/sign-in', { email: person.email, password: Staff.PASSWORD }, firefox);
    await two.signIn(Staff.PASSWORD);
    const { html } = await person.get('/dashboard/account');
    expect(html).toContain('Firefox on Linux');
    expect(html.match(/sessions\/ses_[^/]+\/end/g)).toHaveLength(2);
    const [, firefoxId = ''] = /Firefox on Linux[\s\S]*?sessions\/(ses_[^/]+)\/end/.exec(html)!;
    expect((await person.post(`/dashboard/account/sessions/${firefoxId}/end`)).status).toBe(303);
    expect([await isSignedIn(one), await isSignedIn(two)]).toEqual([false, true]);
    expect((await person.post(`/dashboard/account/sessions/${firefoxId}/end`)).status).toBe(404);
    await person.post('/dashboard/account/sessions/end-others');
    expect([await isSignedIn(person), await isSignedIn(two)]).toEqual([true, false]);
    expect(await auditOf(person)).toEqual(expect.arrayContaining(['session.ended', 'sessions.ended']));
  });

  it('ends no session of another person', async () => {
    const [person, colleague] = [await owner(), await owner()];
    const { html } = await person.get('/dashboard/account');
    expect(html).not.toContain(colleague.email);
    const [{ id }] = (await query<{ id: string }>(
      'SELECT s.id FROM session s JOIN person p ON p.id = s.person_id WHERE p.email = $1',
      [colleague.email],
    )) as [{ id: string }];
    expect((await person.post(`/dashboard/account/sessions/${id}/end`)).status).toBe(404);
    expect(await isSignedIn(colleague)).toBe(true);
  });
});
