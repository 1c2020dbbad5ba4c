import { base32nopad } from '@scure/base';
import { DataSource } from 'typeorm';
import { codeAt, stepAt } from '../../../src/modules/accounts/second-factors/domain/totp.js';
import { UnfinishedSignIns } from '../../../src/modules/accounts/sessions/unfinished-sign-ins.js';
import { LinksService } from '../../../src/modules/accounts/sign-in/links.service.js';
import { RateWindows } from '../../../src/platform/rate-limit/rate-windows.js';
import { Authenticator } from '../../support/dashboard/authenticator.js';
import { answerBy, creationBy } from '../../support/dashboard/dashboard-stage.js';
import { linkPath, Staff } from '../../support/dashboard/staff.js';
import { CLI_ACTOR } from '../../support/intents/by.js';
import { securityEvents } from '../../support/service/counted.js';
import { Service, type Shop } from '../../support/service/service.js';
import { written } from '../../support/service/written.js';

const FACTOR = '/dashboard/account/second-factor';
const NEXT = 'another plain sentence of mine';
const ENV = {
  // Mail is written and never sent.
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'Rappen <pay@rappen.example>',
  TRUST_PROXY: '1',
  RATE_LIMIT_FAILED_AUTH_PER_MINUTE: '1000',
};

let service: Service;
let shop: Shop;
let person: Staff;
let id: string;
let device: Authenticator;
let code: () => string;

beforeAll(async () => {
  service = await Service.start({ env: ENV });
  shop = await service.shop();
});
afterAll(() => service.stop());
beforeEach(async () => {
  person = await Staff.of(service, { merchantId: shop.merchantId, role: 'owner' });
  id = (await query<{ id: string }>('SELECT id FROM person WHERE email = $1', [person.email]))[0]!.id;
  device = new Authenticator(service.url);
  const made = await creationBy(device, { id, staff: person });
  expect((await person.post('/dashboard/account/passkeys', { ...made, label: 'a key' })).status).toBe(200);
  await person.post(`${FACTOR}/begin`);
  const { html } = await person.get(FACTOR);
  const secret = Buffer.from(base32nopad.decode(/data-copy="([A-Z2-7]{32})"/.exec(html)?.[1] ?? ''));
  const { status } = await person.post(`${FACTOR}/enable`, { code: codeAt(secret, stepAt(new Date())) });
  expect(status).toBe(303);
  code = () => codeAt(secret, stepAt(new Date()) + 1);
});

const query = <Row>(sql: string, values: unknown[] = []) =>
  service.app.get(DataSource).query<Row[]>(sql, values);
const elsewhere = () => Staff.stranger(service, person.email);
const missed = () => securityEvents(service, 'second-factor-missed');

/** In a browser that is not known, up to the page that asks for the code. */
async function halfWay(browser = elsewhere(), password = Staff.PASSWORD): Promise<Staff> {
  expect((await browser.signIn(password)).location).toBe('/dashboard/sign-in/code?to=%2Fdashboard');
  return browser;
}
const enter = async (browser: Staff) =>
  expect((await browser.post('/dashboard/sign-in/code', { code: code() })).location).toBe('/dashboard');
const pass = (minutes: number) =>
  query(`UPDATE unfinished_sign_in SET since = since - make_interval(mins => $2) WHERE person_id = $1`, [
    id,
    minutes,
  ]);
async function told(kind = 'second-factor.missed'): Promise<string[]> {
  while (await service.app.get(UnfinishedSignIns).tellNext());
  await written(service);
  const mails = await query<{ subject: string }>(
    `SELECT subject FROM outgoing_mail WHERE recipient = $1 AND starts_with(about, $2 || ':')`,
    [person.email, kind],
  );
  return mails.map(({ subject }) => subject);
}

describe('whose second step', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['followed by a code', async () => enter(await halfWay())],
    [
      'followed by a passkey',
      async () => {
        const browser = await halfWay();
        const answer = await answerBy(device, browser);
        expect((await browser.post('/dashboard/sign-in/passkey', answer)).status).toBe(303);
      },
    ],
    ['followed once they had begun again', async () => enter(await halfWay(await halfWay()))],
    [
      'is asked for in a browser that is known',
      async () => {
        const browser = await halfWay();
        await enter(browser);
        await browser.post('/dashboard/sign-out');
        await halfWay(browser);
      },
    ],
    [
      'did not follow before another password was chosen',
      async () => {
        await halfWay();
        const fields = { present: Staff.PASSWORD, next: NEXT };
        expect((await person.post('/dashboard/account/password', fields)).status).toBe(303);
      },
    ],
  ])('%s is told of nothing', async (_, signIn) => {
    await signIn();
    await pass(12);
    expect(await told()).toEqual([]);
    expect(await query('SELECT FROM unfinished_sign_in WHERE person_id = $1', [id])).toEqual([]);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['does not follow', () => halfWay()],
    ['follows in another browser', async () => (await halfWay(), enter(await halfWay()))],
    [
      'does not follow before all sessions are ended',
      async () => {
        await halfWay();
        expect((await person.post('/dashboard/account/sessions/end-others')).status).toBe(303);
      },
    ],
    [
      'does not follow before the password was reset, which shows no second factor',
      async () => {
        await halfWay();
        const link = await service.app.get(LinksService).reset(person.email, CLI_ACTOR);
        await elsewhere().post(linkPath(link), { password: NEXT });
      },
    ],
    [
      'does not follow before somebody else signs in there',
      async () => {
        const browser = await halfWay();
        const other = await Staff.of(service, { merchantId: shop.merchantId, role: 'owner' });
        const signIn = { email: other.email, password: Staff.PASSWORD };
        expect((await browser.post('/dashboard/sign-in', signIn)).location).toBe('/dashboard');
      },
    ],
  ])('%s is told that somebody knows the password', async (_, signIn) => {
    await signIn();
    await pass(12);
    expect(await told()).toEqual(['Somebody has entered your password on Rappen']);
  });
});

it('is told some minutes after nobody can finish it any more, and not before', async () => {
  await halfWay();
  await pass(10);
  expect(await told()).toEqual([]);
  await pass(2);
  expect(await told()).toHaveLength(1);
});

it('is not put off by beginning again', async () => {
  const browser = await halfWay();
  await pass(9);
  await halfWay(browser);
  await pass(3);
  expect(await told()).toHaveLength(1);
});

it('is told once a day, whichever instances look, with an entry and a count, in the person’s language', async () => {
  const before = await missed();
  await query(`UPDATE person SET language = 'de' WHERE id = $1`, [id]);
  for (let i = 0; i < 4; i += 1) await halfWay();
  await pass(12);
  const job = service.app.get(UnfinishedSignIns);
  await Promise.all([1, 2, 3, 4].map(() => job.tellNext()));
  expect(await told()).toEqual(['Jemand hat Ihr Passwort auf Rappen eingegeben']);
  await halfWay();
  await pass(12);
  expect(await told()).toHaveLength(1);
  expect(await missed()).toBe(before + 1);
  const entries = await query(
    `SELECT action FROM audit_entry WHERE subject = $1 AND starts_with(action, 'second-factor.') ORDER BY id`,
    [id],
  );
  expect(entries).toEqual([{ action: 'second-factor.asked' }, { action: 'second-factor.missed' }]);
});

it.each<[string, string, (password: string) => Promise<unknown>]>([
  ['does not show the second factor', 'second-factor.missed', (password) => halfWay(elsewhere(), password)],
  [
    'guesses at the codes',
    'account.guessed-at',
    async (password) => {
      for (let i = 0; i < 3; i += 1)
        await (await halfWay(elsewhere(), password)).post('/dashboard/sign-in/code', { code: '000000x' });
    },
  ],
])('of who knows the new password too and %s it is told the same day', async (_, kind, signIn) => {
  await signIn(Staff.PASSWORD);
  await pass(12);
  expect(await told(kind)).toHaveLength(1);
  const fields = { present: Staff.PASSWORD, next: NEXT };
  expect((await person.post('/dashboard/account/password', fields)).status).toBe(303);
  // As in another minute.
  await service.app.get(RateWindows).exchange(Date.now() + 60_000);
  await signIn(NEXT);
  await pass(12);
  expect(await told(kind)).toHaveLength(2);
});
