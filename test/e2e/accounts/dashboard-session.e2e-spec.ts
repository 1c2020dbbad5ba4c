import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { InvitationsService } from '../../../src/modules/accounts/people/invitations.service.js';
import { LinksService } from '../../../src/modules/accounts/sign-in/links.service.js';
import { RateWindows } from '../../../src/platform/rate-limit/rate-windows.js';
import { linkPath, type PageAnswer, Staff } from '../../support/dashboard/staff.js';
import { CLI_ACTOR } from '../../support/intents/by.js';
import { eventually } from '../../support/servers/receiver.js';
import { Service, type Shop } from '../../support/service/service.js';

const SIGN_INS_PER_MINUTE = 200;

let service: Service;
let shop: Shop;

beforeAll(async () => {
  service = await Service.start({ env: { RATE_LIMIT_FAILED_AUTH_PER_MINUTE: String(SIGN_INS_PER_MINUTE) } });
  shop = await service.shop();
});
afterAll(() => service.stop());

const owner = () => Staff.of(service, { merchantId: shop.merchantId, role: 'owner' });
const query = <Row>(sql: string, values: unknown[] = []) =>
  service.app.get(DataSource).query<Row[]>(sql, values);

describe('signing in', () => {
  it('leads to the page that was asked for', async () => {
    const stranger = Staff.stranger(service);
    const asked = await stranger.get('/dashboard?x=1');
    expect([asked.status, asked.location]).toEqual([303, '/dashboard/sign-in?to=%2Fdashboard%3Fx%3D1']);
    const page = await stranger.get(asked.location!);
    expect(page.html).toContain('name="to" value="/dashboard?x&#x3D;1"');
    const person = await owner();
    expect(
      (
        await person.post('/dashboard/sign-in', {
          email: person.email,
          password: Staff.PASSWORD,
          to: '/dashboard?x=1',
        })
      ).location,
    ).toBe('/dashboard?x=1');
    expect(
      (
        await person.post('/dashboard/sign-in', {
          email: person.email,
          password: Staff.PASSWORD,
          to: '//evil.example',
        })
      ).location,
    ).toBe('/dashboard');
  });

  it('shows the merchant, its places and the person', async () => {
    const person = await owner();
    const { status, html } = await person.get('/dashboard');
    expect(status).toBe(200);
    expect(html).toContain('Test Shop');
    expect(html).toContain(person.email);
    expect(html).toMatch(/<h1>Home<\/h1>/);
  });

  it('says the same about an unknown address, a wrong password, and a person without one', async () => {
    const person = await owner();
    await service.app
      .get(InvitationsService)
      .invite({ email: 'invited@staff.example', isOperator: true }, CLI_ACTOR);
    const answers = [];
    for (const [email, password] of [
      ['unknown@staff.example', 'whatever it is'],
      [person.email, 'whatever it is'],
      ['invited@staff.example', 'whatever it is'],
    ] as const) {
      const { status, html } = await Staff.stranger(service, email).signIn(password);
      answers.push([status, html.replaceAll(email, '')]);
    }
    expect(answers[0]![0]).toBe(422);
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });

  it('gives a new session each time, and ends the one before', async () => {
    const person = await owner();
    const before = person.cookie;
    await person.signIn(Staff.PASSWORD);
    expect(person.cookie).not.toBe(before);
    const response = await fetch(`${service.url}/dashboard`, {
      headers: { cookie: before },
      redirect: 'manual',
    });
    expect(response.status).toBe(303);
  });

  it('sets a cookie that scripts and other sites do not get, and stores only its hash', async () => {
    const person = await owner();
    const { headers } = await person.signIn(Staff.PASSWORD);
    expect(headers.getSetCookie().join()).toMatch(/^session-\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax/);
    const token = person.cookie.split('=')[1]!;
    const [{ stored }] = (await query<{ stored: string }>(
      'SELECT string_agg(row_to_json(s)::text, $1) AS stored FROM session s',
      ['\n'],
    )) as [{ stored: string }];
    expect(stored).not.toContain(token);
  });

  it('ends with signing out, for whoever holds the cookie', async () => {
    const person = await owner();
    const { cookie } = person;
    expect((await person.post('/dashboard/sign-out')).location).toBe('/dashboard/sign-in');
    const response = await fetch(`${service.url}/dashboard`, { headers: { cookie }, redirect: 'manual' });
    expect(response.status).toBe(303);
  });

  it.each([
    ['half an hour of silence', `last_seen_at = last_seen_at - interval '31 minutes'`],
    ['twelve hours, whatever was done', `created_at = created_at - interval '12 hours 1 minute'`],
  ])('ends after %s', async (_, change) => {
    const person = await owner();
    await query(`UPDATE session SET ${change} WHERE person_id = (SELECT id FROM person WHERE email = $1)`, [
      person.email,
    ]);
    expect((await person.get('/dashboard')).status).toBe(303);
  });
});

describe('guessing', () => {
  /** As if so many guesses had been made, and the wait after the last were over. */
  const afterFailures = (failures: number) =>
    query('UPDATE guess_delay SET failures = $1, next_at = clock_timestamp()', [failures]);
  const waitOf = ({ headers }: PageAnswer) => Number(headers.get('retry-after'));

  it('makes an account wait longer each time, known or unknown, and takes the right password afterwards', async () => {
    const person = await owner();
    for (const email of [person.email, 'stranger@staff.example']) {
      const guesser = Staff.stranger(service, email);
      expect((await guesser.signIn('a wrong guess')).status).toBe(422);
      await afterFailures(8);
      expect((await guesser.signIn('a wrong guess')).status).toBe(422);
      const first = await guesser.signIn('a wrong guess');
      expect(first.status).toBe(429);
      await afterFailures(9);
      expect((await guesser.signIn('a wrong guess')).status).toBe(422);
      expect(waitOf(await guesser.signIn('a wrong guess'))).toBeGreaterThan(waitOf(first));
    }
    await afterFailures(10);
    expect((await person.signIn(Staff.PASSWORD)).status).toBe(303);
    expect((await person.signIn(Staff.PASSWORD)).status).toBe(303);
  });

  it('waits a quarter of an hour at most, so that nobody can lock another out for good', async () => {
    const guesser = Staff.stranger(service, (await owner()).email);
    await guesser.signIn('a wrong guess');
    await afterFailures(5_000);
    await guesser.signIn('a wrong guess');
    expect(waitOf(await guesser.signIn('a wrong guess'))).toBeLessThanOrEqual(900);
  });

  it('looks at one of a dozen guesses that come at the same moment', async () => {
    const guesser = Staff.stranger(service, 'parallel@staff.example');
    await guesser.signIn('a wrong guess');
    await afterFailures(10);
    const answers = await Promise.all(Array.from({ length: 12 }, () => guesser.signIn('a wrong guess')));
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(1);
  });
});

describe('forms', () => {
  it.each([
    ['of another site', { origin: 'https://evil.example' }],
    ['of the checkout', { origin: 'http://localhost:1' }],
    ['of another site, as the browser says it', { 'sec-fetch-site': 'cross-site' }],
    ['of a neighbouring site', { 'sec-fetch-site': 'same-site' }],
    ['without a known origin', { origin: 'null' }],
  ])('%s change nothing, with or without a session', async (_, headers: Record<string, string>) => {
    const person = await owner();
    expect((await person.post('/dashboard/sign-out', {}, headers)).status).toBe(403);
    expect((await person.get('/dashboard')).status).toBe(200);
    const signIn = { email: person.email, password: Staff.PASSWORD };
    expect((await Staff.stranger(service).post('/dashboard/sign-in', signIn, headers)).status).toBe(403);
  });

  it('change nothing without the token of their session', async () => {
    const [person, other] = [await owner(), await owner()];
    const { html } = await other.get('/dashboard');
    const foreign = /name="csrf" value="([^"]+)"/.exec(html)![1]!;
    for (const csrf of ['', 'x', foreign]) {
      expect((await person.post('/dashboard/sign-out', { csrf })).status).toBe(403);
    }
    expect((await person.get('/dashboard')).status).toBe(200);
  });

  it('change nothing when they are no forms', async () => {
    const person = await owner();
    await person.get('/dashboard');
    const response = await fetch(`${service.url}/dashboard/sign-out`, {
      method: 'POST',
      headers: { cookie: person.cookie, origin: service.url, 'content-type': 'text/plain' },
      body: 'csrf=x',
    });
    expect(response.status).toBe(403);
  });
});

describe('somebody who owns two merchants', () => {
  let second: Shop;
  beforeAll(async () => {
    second = await service.shop(['read'], 'A Second Shop');
  });

  /** In a session that has never switched. */
  const ownerOfBoth = async () => {
    const person = await owner();
    await query(
      `INSERT INTO membership (person_id, merchant_id, role) SELECT id, $2, 'owner' FROM person WHERE email = $1`,
      [person.email, second.merchantId],
    );
    return person;
  };
  const switchTo = (person: Staff, { merchantId: merchant }: Shop) =>
    person.post('/dashboard/merchant', { merchant });
  const namesOfBoth = () =>
    query<{ name: string }>('SELECT name FROM merchant WHERE id IN ($1, $2) ORDER BY id', [
      shop.merchantId,
      second.merchantId,
    ]);
  /** A form of a page of the first merchant that is still open. */
  const sendOpen = (person: Staff, shown: string | string[] = shop.merchantId) =>
    person.post('/dashboard/settings', { name: 'Renamed', shown });

  it('changes nothing with a form of one merchant after going to the other in another tab, and is told so', async () => {
    const person = await ownerOfBoth();
    const before = await namesOfBoth();
    expect((await person.get('/dashboard/settings')).html).toContain(
      `name="shown" value="${shop.merchantId}"`,
    );
    await switchTo(person, second);
    const english = await sendOpen(person);
    expect(english.status).toBe(409);
    expect(english.html).toContain(
      'This form was for “Test Shop”, and you look at “A Second Shop” now. Nothing was changed.',
    );
    await person.post('/dashboard/language', { language: 'de', to: '/dashboard' });
    expect((await sendOpen(person)).html).toContain(
      'Dieses Formular war für «Test Shop», und Sie sind jetzt bei «A Second Shop». Es wurde nichts geändert.',
    );
    expect(await namesOfBoth()).toEqual(before);
  });

  it('is told to load the page again by a form that says no merchant', async () => {
    const { status, html } = await sendOpen(await ownerOfBoth(), []);
    expect([status, html.includes('This form is out of date. Load its page again.')]).toEqual([409, true]);
  });

  it('changes nothing of the other with an open form of one that they were removed from', async () => {
    const person = await ownerOfBoth();
    const before = await namesOfBoth();
    await person.get('/dashboard/settings');
    await query(
      'DELETE FROM membership WHERE merchant_id = $2 AND person_id = (SELECT id FROM person WHERE email = $1)',
      [person.email, shop.merchantId],
    );
    const { status, html } = await sendOpen(person);
    expect(status).toBe(409);
    expect(html).toContain('This form was for a merchant that you do not belong to any more.');
    expect(await namesOfBoth()).toEqual(before);
  });

  it('takes what is one’s own, and goes back, by a form of whichever page', async () => {
    const person = await ownerOfBoth();
    await switchTo(person, second);
    const shown = shop.merchantId;
    const open: readonly (readonly [path: string, fields: Record<string, string>])[] = [
      ['/dashboard/language', { language: 'en', to: '/dashboard' }],
      ['/dashboard/account/second-factor/later', {}],
      ['/dashboard/confirm', { password: Staff.PASSWORD }],
      ['/dashboard/merchant', { merchant: shop.merchantId }],
      ['/dashboard/sign-out', {}],
    ];
    for (const [path, fields] of open) {
      const { status } = await person.post(path, { ...fields, shown });
      expect([path, status]).toEqual([path, 303]);
    }
  });

  it('looks where they looked, whatever they go to in another browser, until the next sign-in', async () => {
    const laptop = await ownerOfBoth();
    const phone = Staff.stranger(service, laptop.email);
    await phone.signIn(Staff.PASSWORD);
    const place = async () => /<title>Home · ([^·]+) ·/.exec((await laptop.get('/dashboard')).html)?.[1];
    expect(await place()).toBe('Test Shop');
    await switchTo(phone, second);
    expect(await place()).toBe('Test Shop');
    await laptop.signIn(Staff.PASSWORD);
    expect(await place()).toBe('A Second Shop');
    await switchTo(phone, shop);
    expect(await place()).toBe('A Second Shop');
  });
});

describe('one-time links', () => {
  const invite = (email: string) =>
    service.app
      .get(InvitationsService)
      .invite({ email, merchantId: shop.merchantId, role: 'reviewer' }, CLI_ACTOR)
      .then(linkPath);

  it('let somebody in once, with a password of their own', async () => {
    const link = await invite('New.Person@staff.example');
    const person = Staff.stranger(service, 'new.person@staff.example');
    for (let i = 0; i < 2; i++) {
      const { status, html } = await person.get(link);
      expect([status, html.includes('Join Test Shop as reviewer')]).toEqual([200, true]);
    }
    const weak = await person.post(link, { password: 'short' });
    expect([weak.status, weak.html.includes('at least 12')]).toEqual([422, true]);
    const common = await person.post(link, { password: 'zaq12wsxcde3' });
    expect([common.status, common.html.includes('would guess')]).toEqual([422, true]);
    expect((await person.post(link, { password: Staff.PASSWORD })).status).toBe(303);
    expect((await person.post(link, { password: 'another good sentence' })).status).toBe(404);
    expect((await person.signIn(Staff.PASSWORD)).status).toBe(303);
    expect((await person.get('/dashboard')).html).toContain('Test Shop');
  });

  it('are no good after three days, or with one letter changed', async () => {
    const link = await invite('late@staff.example');
    const stranger = Staff.stranger(service);
    expect((await stranger.get(link.slice(0, -1))).status).toBe(404);
    await query(`UPDATE one_time_link SET expires_at = clock_timestamp() WHERE email = 'late@staff.example'`);
    expect((await stranger.get(link)).status).toBe(404);
  });

  it('set a new password, which ends all sessions', async () => {
    const person = await owner();
    const link = linkPath(await service.app.get(LinksService).reset(person.email, CLI_ACTOR));
    const same = await person.post(link, { password: Staff.PASSWORD });
    expect([same.status, same.html.includes('This is the last password')]).toEqual([422, true]);
    expect((await person.post(link, { password: 'another good sentence' })).status).toBe(303);
    expect((await person.get('/dashboard')).status).toBe(303);
    expect((await person.signIn(Staff.PASSWORD)).status).toBe(422);
    expect((await person.signIn('another good sentence')).status).toBe(303);
  });

  it('leave no way in but themselves, when they are for somebody who lost a second factor', async () => {
    const person = await owner();
    const link = linkPath(await service.app.get(LinksService).reset(person.email, CLI_ACTOR, 'roles too'));
    expect((await person.get('/dashboard')).status).toBe(303);
    expect((await person.signIn(Staff.PASSWORD)).status).toBe(422);
    await person.post(link, { password: 'another good sentence' });
    expect((await person.signIn('another good sentence')).status).toBe(303);
  });

  it('leave the account of somebody who has one as it is, and answer as if they had none', async () => {
    const person = await owner();
    const second = await service.shop(['read'], 'Second Shop');
    const wanted = { email: person.email, merchantId: second.merchantId, role: 'read-only' } as const;
    const link = linkPath(await service.app.get(InvitationsService).invite(wanted, CLI_ACTOR));
    const stranger = Staff.stranger(service);
    expect((await stranger.get(link)).html).toContain('Join Second Shop as read-only');
    const answer = await stranger.post(link, { password: 'a stranger’s sentence' });
    expect([answer.status, answer.location]).toEqual([303, '/dashboard/sign-in']);
    expect((await stranger.get(link)).status).toBe(404);
    expect((await person.signIn(Staff.PASSWORD)).status).toBe(303);
    expect((await person.get('/dashboard')).html).not.toContain('Second Shop');
  });

  it('lead to the merchant that the person chose last, at every sign-in', async () => {
    const person = await Staff.of(service, {
      merchantId: shop.merchantId,
      role: 'owner',
      isEmailProven: true,
    });
    const second = await service.shop(['read'], 'A Second Shop');
    const wanted = { email: person.email, merchantId: second.merchantId, role: 'read-only' } as const;
    await service.app.get(InvitationsService).invite(wanted, CLI_ACTOR);
    expect((await person.get('/dashboard')).html).toContain('You are invited.');
    const { html } = await person.get('/dashboard/invitations');
    const [, accept = ''] = /action="([^"]+\/accept)"/.exec(html) ?? [];
    expect((await person.post(accept)).location).toBe('/dashboard/account');
    const place = async () => /<title>Home · ([^·]+) ·/.exec((await person.get('/dashboard')).html)?.[1];
    await person.signIn(Staff.PASSWORD);
    expect(await place()).toBe('Test Shop');
    await person.post('/dashboard/merchant', { merchant: second.merchantId });
    expect(await place()).toBe('A Second Shop');
    await person.signIn(Staff.PASSWORD);
    expect(await place()).toBe('A Second Shop');
    const foreign = await service.shop(['read'], 'Third Shop');
    expect((await person.post('/dashboard/merchant', { merchant: foreign.merchantId })).status).toBe(404);
  });
});

it('answers an unknown address under /dashboard with a page, and programs with a problem document', async () => {
  const person = await owner();
  const page = await person.get('/dashboard/nothing-here');
  expect([page.status, page.html.includes('There is nothing here')]).toEqual([404, true]);
  const response = await fetch(`${service.url}/dashboard/nothing-here`);
  expect(response.headers.get('content-type')).toBe('application/problem+json');
});

it('lets an address try only so many sign-ins in a minute, whatever accounts it tries', async () => {
  const windows = service.app.get(RateWindows);
  const tryAfterMany = () => {
    for (let i = 0; i < SIGN_INS_PER_MINUTE; i++) windows.hit('sign-in:127.0.0.1');
    return Staff.stranger(service, `${randomUUID()}@staff.example`).signIn('a wrong guess');
  };
  // Again if the minute ended in between.
  const refused = await eventually(tryAfterMany, ({ status }) => status === 429);
  expect(refused.html).toContain('from your address');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
});
