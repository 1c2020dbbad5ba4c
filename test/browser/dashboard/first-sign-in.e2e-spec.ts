import { base32nopad } from '@scure/base';
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { DataSource } from 'typeorm';
import { PeopleRepository } from '../../../src/modules/accounts/data/people.repository.js';
import { codeAt, stepAt } from '../../../src/modules/accounts/second-factors/domain/totp.js';
import { SessionsRepository } from '../../../src/modules/accounts/sessions/data/sessions.repository.js';
import { launchChromium } from '../../support/browser/chromium.js';
import { AXE_FILE, axeFindings } from '../../support/browser/inspection.js';
import { complaintsOf, overflow } from '../../support/browser/reading.js';
import { Staff } from '../../support/dashboard/staff.js';
import { COMMAND_BASE_URL, productionCommand } from '../../support/service/command-line.js';
import { Service, type Shop } from '../../support/service/service.js';

const PASSWORD = 'a sentence that I chose myself';

let service: Service;
let shop: Shop;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let complaints: string[];
/** What axe and the screen's edge say of the pages that are shown in between, which no list of routes leads to. */
let findings: string[];

beforeAll(async () => {
  service = await Service.start({ env: { RATE_LIMIT_FAILED_AUTH_PER_MINUTE: '1000' } });
  shop = await service.shop(['read'], 'Example Shop');
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});
beforeEach(async () => {
  context = await browser.newContext({ viewport: { width: 360, height: 740 } });
  await context.addInitScript({ path: AXE_FILE });
  page = await context.newPage();
  [complaints, findings] = [complaintsOf(page), []];
});
afterEach(async () => {
  jest.restoreAllMocks();
  await context.close();
});

const shown = (name: string) => page.getByRole('heading', { name, exact: true }).waitFor();
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const follow = (name: string) => page.getByRole('link', { name, exact: true }).click();
const alertText = () => page.getByRole('alert').innerText();

async function look(): Promise<void> {
  findings.push(...(await axeFindings(page)));
  if ((await overflow(page)) > 0) findings.push(`${page.url()} is too wide`);
}

async function signIn(email: string, password = PASSWORD): Promise<void> {
  await page.goto(`${service.url}/dashboard/sign-in`);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
  await press('Sign in');
}

async function signOut(): Promise<void> {
  await page.locator('.who summary').click();
  await press('Sign out');
  await page.waitForURL('**/dashboard/sign-in');
}

/** Codes are those of this moment from now on, for as long as pages take. @returns it */
function holdClockOfCodes(): Date {
  const now = new Date();
  const { lockTotp } = PeopleRepository.prototype;
  jest.spyOn(PeopleRepository.prototype, 'lockTotp').mockImplementation(async function (
    this: PeopleRepository,
    ...asked
  ) {
    const totp = await lockTotp.apply(this, asked);
    return totp && { ...totp, now };
  });
  const { pendingTotp } = SessionsRepository.prototype;
  jest.spyOn(SessionsRepository.prototype, 'pendingTotp').mockImplementation(async function (
    this: SessionsRepository,
    ...asked
  ) {
    const pending = await pendingTotp.apply(this, asked);
    return pending && { ...pending, now };
  });
  return now;
}

async function enterCode(code: string): Promise<void> {
  await page.locator('#code').fill(code);
  await press('Sign in');
}

/** The operator's command line, as it runs beside the service; the proxy's address becomes this service's. */
async function invitationFor(email: string): Promise<string> {
  const args = ['user', 'invite', '--email', email, '--merchant', shop.merchantId, '--role', 'owner'];
  const { url = '' } = await productionCommand(service.config, ...args);
  return url.replace(COMMAND_BASE_URL, service.url);
}

it('somebody is invited, chooses a password, turns codes on, and signs in with a code or a recovery code, each once', async () => {
  const email = 'first@staff.example';
  await page.goto(await invitationFor(email));
  await shown('Join Example Shop as owner');
  await page.getByLabel('New password').fill(PASSWORD);
  await press('Join');
  await page.waitForURL('**/dashboard/sign-in');
  await signIn(email);
  await page.waitForURL('**/dashboard');

  await page.locator('.who summary').click();
  await follow('Your account');
  await follow('Turn on');
  await press('Begin');
  await page.locator('#code').waitFor();
  await look();
  const secret = (await page.locator('[data-copy]').getAttribute('data-copy')) ?? '';
  const step = stepAt(holdClockOfCodes());
  const code = (ahead: number) => codeAt(Buffer.from(base32nopad.decode(secret)), step + ahead);
  await page.locator('#code').fill(code(0));
  await press('Turn codes on');
  await shown('Recovery codes');
  const recoveryCodes = await page.locator('.secret code').allInnerTexts();
  expect(recoveryCodes).toHaveLength(10);
  await look();
  await follow('I have kept them');

  await signOut();
  await signIn(email);
  await shown('The second step');
  await look();
  await enterCode(code(1));
  await page.waitForURL('**/dashboard');

  await signOut();
  await signIn(email);
  await enterCode(code(1));
  expect(await page.locator('#code-flaw').innerText()).toContain('was used already');
  await enterCode(recoveryCodes[0]!);
  await page.waitForURL('**/dashboard');

  await signOut();
  await signIn(email);
  await enterCode(recoveryCodes[0]!);
  expect(await page.locator('#code-flaw').innerText()).toContain('was used already');
  expect(findings).toEqual([]);
  // Each refused code is an answer of status 422, which the console reports itself.
  expect(complaints.filter((text) => !text.includes('status of 422'))).toEqual([]);
});

describe('a passkey', () => {
  const CREDENTIAL = 'input[name=credential]';
  let email: string;
  let cdp: CDPSession;
  let authenticatorId: string;

  beforeEach(async () => {
    const staff = await Staff.of(service, { merchantId: shop.merchantId, role: 'owner' });
    email = staff.email;
    await context.addCookies([{ ...staff.sessionCookie, url: service.url }]);
    cdp = await context.newCDPSession(page);
    await cdp.send('WebAuthn.enable');
    ({ authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    }));
  });

  const person = async () => {
    const [row] = await service.app
      .get(DataSource)
      .query<{ id: string; counter: string; passkeys: number }[]>(
        `SELECT p.id, max(k.counter) AS counter, count(k.id)::integer AS passkeys
         FROM person p LEFT JOIN passkey k ON k.person_id = p.id WHERE p.email = $1 GROUP BY p.id`,
        [email],
      );
    return row!;
  };

  async function enrol(): Promise<string[]> {
    await page.goto(`${service.url}/dashboard/account/passkeys`);
    await page.getByLabel('Name of the new passkey').fill('My phone');
    await press('Add a passkey');
    await shown('Recovery codes');
    const codes = await page.locator('.secret code').allInnerTexts();
    await follow('I have kept them');
    await shown('Your account');
    return codes;
  }

  /** Sends an answer again, as somebody would who has seen it. */
  async function replay(answer: string): Promise<number> {
    const response = await Staff.stranger(service).post('/dashboard/sign-in/passkey', { credential: answer });
    return response.status;
  }

  /** The answer that the browser sends next. */
  const sentAnswer = () =>
    page
      .waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/sign-in/passkey'))
      .then((request) => new URLSearchParams(request.postData() ?? '').get('credential') ?? '');

  it('is enrolled and named, signs in without a password, each answer once, and proves identity again', async () => {
    const codes = await enrol();
    expect(codes).toHaveLength(10);
    expect(await page.locator('main').innerText()).toContain('My phone');
    await look();
    await signOut();
    await look();
    const answer = sentAnswer();
    await press('Sign in with a passkey');
    await page.waitForURL('**/dashboard');
    expect(await replay(await answer)).toBe(422);
    expect(Number((await person()).counter)).toBeGreaterThan(0);

    await service.app
      .get(DataSource)
      .query(`UPDATE session SET proven_at = proven_at - interval '11 minutes' WHERE person_id = $1`, [
        (await person()).id,
      ]);
    await page.goto(`${service.url}/dashboard/account/passkeys`);
    await shown('Confirm your password');
    await look();
    await press('Use a passkey');
    await shown('Passkeys');
    expect(await page.locator('main').innerText()).toContain('My phone');
    await look();
    await press('Remove My phone');
    await page.getByText('The passkey was removed').waitFor();
    expect((await person()).passkeys).toBe(0);
    await signOut();
    await press('Sign in with a passkey');
    expect(await alertText()).toContain('not accepted');
    expect(findings).toEqual([]);
    expect(complaints.filter((text) => !text.includes('status of 422'))).toEqual([]);
  });

  it('is asked for after the password, where a recovery code takes its place once', async () => {
    const [code = ''] = await enrol();
    await signOut();
    const byPassword = async () => {
      await signIn(email, Staff.PASSWORD);
      await shown('The second step');
    };
    await byPassword();
    await press('Sign in with a passkey');
    await page.waitForURL('**/dashboard');
    await signOut();
    await byPassword();
    await enterCode(code);
    await page.waitForURL('**/dashboard');
    await signOut();
    await byPassword();
    await enterCode(code);
    expect(await page.locator('#code-flaw').innerText()).toContain('was used already');
  });

  it('is refused when the device has not verified the person, when it counts backwards, and for a challenge that is old', async () => {
    await enrol();
    await signOut();
    const tryIt = async () => {
      await page.goto(`${service.url}/dashboard/sign-in`);
      await press('Sign in with a passkey');
      return alertText();
    };
    const query = (sql: string) => service.app.get(DataSource).query(sql, [email]);
    await query(
      'UPDATE passkey SET counter = 1000 WHERE person_id = (SELECT id FROM person WHERE email = $1)',
    );
    expect(await tryIt()).toContain('not accepted');
    await query('UPDATE passkey SET counter = 0 WHERE person_id = (SELECT id FROM person WHERE email = $1)');

    await page.goto(`${service.url}/dashboard/sign-in`);
    await page.route('**/sign-in/passkey', async (route) => {
      await query(`UPDATE passkey_challenge SET expires_at = clock_timestamp() WHERE $1 <> ''`);
      await route.continue();
    });
    await press('Sign in with a passkey');
    expect(await alertText()).toContain('not accepted');
    await page.unroute('**/sign-in/passkey');

    await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    await page.goto(`${service.url}/dashboard/sign-in`);
    await press('Sign in with a passkey');
    await page.locator('[data-said]', { hasText: 'No passkey came' }).waitFor();
    expect(await page.locator(CREDENTIAL).inputValue()).toBe('');
    expect(new URL(page.url()).pathname).toBe('/dashboard/sign-in');
  });
});
