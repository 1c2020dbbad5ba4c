import { randomBytes } from 'node:crypto';
import { type ExecutionContext, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PRODUCT } from '../../../src/app.product.js';
import type { AccountSecurityEvent } from '../../../src/modules/accounts/accounts.types.js';
import { AdmissionService } from '../../../src/modules/accounts/admission/admission.service.js';
import { InvitationsService } from '../../../src/modules/accounts/people/invitations.service.js';
import { MembersService } from '../../../src/modules/accounts/people/members.service.js';
import { OperatorsService } from '../../../src/modules/accounts/people/operators.service.js';
import { UnfinishedSignIns } from '../../../src/modules/accounts/sessions/unfinished-sign-ins.js';
import { LinksService } from '../../../src/modules/accounts/sign-in/links.service.js';
import { ApiKeysService } from '../../../src/modules/auth/api-keys.service.js';
import type { AuthSecurityEvent, Scope } from '../../../src/modules/auth/auth.types.js';
import { newApiKey } from '../../../src/modules/auth/domain/api-key.js';
import { MerchantsService } from '../../../src/modules/merchants/merchants.service.js';
import { PanelGuard } from '../../../src/modules/sandbox/panel/panel.guard.js';
import { Forgeries } from '../../../src/platform/http/forgeries.js';
import { Jobs } from '../../../src/platform/jobs/jobs.js';
import {
  PLATFORM_SECURITY_EVENTS,
  type PlatformSecurityEvent,
} from '../../../src/platform/observability/security-log.js';
import { RateWindows } from '../../../src/platform/rate-limit/rate-windows.js';
import { Authenticator } from '../../support/dashboard/authenticator.js';
import { creationBy, enabled } from '../../support/dashboard/dashboard-stage.js';
import { linkPath, Staff } from '../../support/dashboard/staff.js';
import { by, CLI_ACTOR } from '../../support/intents/by.js';
import { SILENT_CHAIN } from '../../support/nodes/wallet.js';
import { MailServer, mailText } from '../../support/servers/mail-server.js';
import { eventually } from '../../support/servers/receiver.js';
import { commandProcess } from '../../support/service/command-line.js';
import { securityEvents } from '../../support/service/counted.js';
import { inOneMinute } from '../../support/service/one-minute.js';
import { Service, type Shop } from '../../support/service/service.js';
import { written } from '../../support/service/written.js';

type SecurityEvent = AccountSecurityEvent | AuthSecurityEvent | PlatformSecurityEvent;
const SECURITY_EVENTS = [...PLATFORM_SECURITY_EVENTS, ...PRODUCT.securityEvents];

interface Line {
  readonly security: SecurityEvent;
  readonly why?: string;
  readonly account?: string;
  readonly by?: string;
  readonly key?: string;
  /** In a line that counts those of the minute before. */
  readonly leftOut?: number;
}

const TOKEN = 'a-token-for-the-metrics-of-this-test';
const lines: Line[] = [];
let mail: MailServer;
let service: Service;
let shop: Shop;
let person: Staff;
/** Whom a line names: the person, or the merchant of the key that was sent. */
let merchantId: string;
let keyId: string;

beforeAll(async () => {
  mail = await MailServer.start();
  const mailing = { SMTP_URL: mail.url, MAIL_FROM: 'Rappen <pay@rappen.example>' };
  service = await Service.start({ env: { ...mailing, TRUST_PROXY: '1', METRICS_TOKEN: TOKEN } });
  shop = await service.shop();
  Logger.overrideLogger({
    log: () => undefined,
    error: () => undefined,
    warn: (line: Line, _text: unknown, context: unknown) => {
      if (context === 'Security') lines.push(line);
    },
  });
});
afterAll(async () => {
  await service.stop();
  await mail.stop();
});
beforeEach(async () => {
  person = await Staff.of(service, { merchantId: shop.merchantId, role: 'owner' });
  [merchantId, keyId] = [shop.merchantId, ''];
});

const query = <Row>(sql: string, values: unknown[] = []) =>
  service.app.get(DataSource).query<Row[]>(sql, values);
const counted = (event: string) => securityEvents(service, event);
const idOf = async ({ email }: Staff) =>
  (await query<{ id: string }>('SELECT id FROM person WHERE email = $1', [email]))[0]!.id;
const entriesOf = async (who: Staff, action: string) => {
  await written(service);
  const [row] = await query<{ n: number }>(
    'SELECT count(*)::integer AS n FROM audit_entry WHERE action = $2 AND $1 IN (person_id, subject)',
    [await idOf(who), action],
  );
  return row!.n;
};

const entriesOfKey = async () => {
  await written(service);
  return query<{ actor: string; merchantId: string; why: string }>(
    `SELECT actor, merchant_id AS "merchantId", detail ->> 'why' AS why FROM audit_entry
     WHERE action = 'key.refused' AND subject = $1 ORDER BY at`,
    [keyId],
  );
};

const elsewhere = () => Staff.stranger(service, person.email);
const wrong = (who: Staff) => who.signIn('a wrong guess');
/** As if every wait were over. */
const waited = () => query('UPDATE guess_delay SET next_at = clock_timestamp()');
/** Three, and one before the wait of the third is over: it is a second, which a busy machine takes for the try itself. */
async function aFourthTooSoon(attempt: () => Promise<unknown>): Promise<void> {
  for (let i = 0; i < 3; i++) await attempt();
  await query(
    `UPDATE guess_delay SET next_at = clock_timestamp() + interval '1 hour'
     WHERE failures >= 3 AND subject NOT LIKE '%:strangers:%'`,
  );
  await attempt();
}
const randomAddress = () => `203.0.113.${randomBytes(1)[0]}`;
const withToken = (token: string, address = randomAddress()) =>
  fetch(`${service.url}/metrics`, {
    headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': address },
  });
const forged = (url: string, cookie = '') =>
  fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: 'https://evil.example', cookie, 'x-forwarded-for': randomAddress() },
  });
const invite = () =>
  service.app.get(InvitationsService).invite(
    {
      email: `${randomBytes(4).toString('hex')}@new.example`,
      merchantId: shop.merchantId,
      role: 'reviewer',
    },
    { name: person.email, personId: null, ip: null },
  );
async function beginCodes() {
  await person.post('/dashboard/account/second-factor/begin');
}
async function halfWay(): Promise<Staff> {
  await query(
    `INSERT INTO passkey (id, credential_id, person_id, public_key, counter, transports, label)
     VALUES ('pk_' || $1, $1, $1, '', 0, '{}', 'a key') ON CONFLICT DO NOTHING`,
    [await idOf(person)],
  );
  const other = elsewhere();
  await other.signIn(Staff.PASSWORD);
  return other;
}
const UNKNOWN = 'x'.repeat(43);
/** A link of the person's that has set a new password already. */
async function usedLink(): Promise<string> {
  const path = linkPath(await service.app.get(LinksService).reset(person.email, CLI_ACTOR));
  await elsewhere().post(path, { password: 'another plain sentence' });
  return path;
}
/** Without the seconds after which they would go out by themselves (`accounts-news`). */
function mailsSent(): string[] {
  service.app.get(Jobs).wake('personal-mail');
  return mail.mailsTo(person.email).map(mailText);
}
/** The link in the person's mailbox, as somebody who is signed in opens it. */
async function mailedLink(): Promise<string> {
  const links = () => mailsSent().flatMap((text) => text.match(/\/link\/[\w-]{43}/) ?? []);
  const [path] = await eventually(links, ({ length }) => length > 0);
  return `/dashboard/invitations${path}`;
}
async function proofLink(): Promise<string> {
  await person.post('/dashboard/invitations/prove');
  return mailedLink();
}
const sessionOf = async (who: Staff) =>
  (await query<{ id: string }>('SELECT id FROM session WHERE person_id = $1', [await idOf(who)]))[0]!.id;
/** Of an address, and of a session, that have sent so many already. Again where a minute has ended in between. */
async function beyondLimit(who: Staff, session: string | null): Promise<void> {
  const [windows, address] = [service.app.get(RateWindows), randomAddress()];
  let status = 0;
  while (status !== 429) {
    for (let i = 0; i < 600; i++) {
      windows.hit(`dashboard:${address}`);
      if (session !== null) windows.hitKnown(`dashboard:${session}`);
    }
    ({ status } = await who.get('/dashboard/confirm', { 'x-forwarded-for': address }));
  }
}
/** In which the person has signed in. */
async function knownBrowser(): Promise<Staff> {
  const browser = elsewhere();
  await browser.signIn(Staff.PASSWORD);
  return browser;
}
/** What requests of the browser that they used last are counted by. */
const deviceOf = async () =>
  (
    await query<{ id: string }>(
      `SELECT encode(token_hash, 'hex') AS id FROM known_device WHERE person_id = $1 ORDER BY last_seen_at DESC`,
      [await idOf(person)],
    )
  )[0]!.id;
async function beyondPace(who: Staff): Promise<void> {
  let status = 0;
  while (status !== 429) ({ status } = await who.post('/dashboard/sign-in/passkey/options'));
}
const otherOwner = () => Staff.of(service, { merchantId: shop.merchantId, role: 'owner' });
/** Wrong ones until the account's person is told. */
async function guess(times: number, once: () => Promise<unknown>): Promise<void> {
  for (let i = 0; i < times; i++) {
    await once();
    await waited();
  }
}

const CODES = '/dashboard/account/second-factor/enable';
const FORGOTTEN = '/dashboard/sign-in/forgotten';
const confirm = (fields: Record<string, string>) => person.post('/dashboard/confirm', fields);
const WRONG_PASSKEY = { credential: '{}', label: 'Mine' };
/** What a browser would say, signed by nobody. */
const passkeyAnswer = (id: string, challenge: string) => ({
  label: 'Mine',
  credential: JSON.stringify({
    id,
    rawId: id,
    type: 'public-key',
    response: {
      clientDataJSON: Buffer.from(JSON.stringify({ challenge })).toString('base64url'),
      userHandle: challenge,
      transports: [id],
      attestationObject: 'YQ',
      authenticatorData: 'YQ',
      signature: 'YQ',
    },
  }),
});
const OTHER_WRONG_PASSKEYS = [
  ['whose id nobody has', passkeyAnswer('YWJj', 'YWJj')],
  ['whose id holds a NUL', passkeyAnswer('a\0b', 'YWJj')],
  ['whose id is longer than any', passkeyAnswer('a'.repeat(20_000), 'YWJj')],
  ['whose id is no base64url', passkeyAnswer('ä\ud800', 'YWJj')],
  ['whose challenge and person hold a NUL', passkeyAnswer('YWJj', 'a\0b')],
] as const;

interface Case {
  readonly event: SecurityEvent;
  readonly cause: string;
  readonly why?: string;
  /** Of whom the line is: the person; a key and its merchant; or nobody is known. */
  readonly of: 'person' | 'key' | 'nobody';
  /** In the account's own log. */
  readonly entry?: string;
  /** In a mail to the account's person. */
  readonly alert?: string;
  readonly run: () => Promise<unknown>;
}

const failed = (why: string, cause: string, run: Case['run']) =>
  ({ event: 'sign-in-failed', cause, why, of: 'person', entry: 'sign-in.failed', run }) as const;
const throttled = (why: string, cause: string, run: Case['run']) =>
  ({ event: 'sign-in-throttled', cause, why, of: 'person', entry: 'sign-in.throttled', run }) as const;
const guessed = (cause: string, alert: string, run: Case['run']) =>
  ({ event: 'account-guessed-at', cause, of: 'person', entry: 'account.guessed-at', alert, run }) as const;
const forgery = (cause: string, why: string, run: Case['run']) =>
  ({ event: 'forgery-refused', cause, why, of: 'nobody', run }) as const;
const forgeryInSession = (cause: string, why: string, run: Case['run']) =>
  ({ event: 'forgery-refused', cause, why, of: 'person', entry: 'forgery.refused', run }) as const;

/** With a key of a merchant that stands so, which the line then names. */
async function withKeyOf(
  status: 'pending' | 'suspended' | 'closed' | 'approved',
  scopes: Scope[],
  method: 'GET' | 'POST',
): Promise<string> {
  if (status !== 'approved') {
    const { id } = await service.app.get(MerchantsService).create({ name: status }, 'pending', by('test'));
    if (status !== 'pending') await service.app.get(AdmissionService).decide(id, status, 'a test', CLI_ACTOR);
    merchantId = id;
  }
  const { id, key } = await service.app.get(ApiKeysService).create(merchantId, scopes, 'test', by('test'));
  keyId = id;
  await ask({ authorization: `Bearer ${key}` }, method);
  return key;
}
const ask = (headers: Record<string, string>, method = 'GET') =>
  fetch(`${service.url}/api/v1/intents`, {
    method,
    headers: { 'x-forwarded-for': randomAddress(), ...headers },
  });
const keyRefused = (why: string, cause: string, run: Case['run']) =>
  ({ event: 'key-refused', cause, why, of: 'nobody', run }) as const;
const keyForbidden = (why: string, cause: string, run: Case['run']) =>
  ({ event: 'key-forbidden', cause, why, of: 'key', run }) as const;

const CASES: readonly Case[] = [
  {
    event: 'sign-in',
    cause: 'a password in a new browser',
    of: 'person',
    entry: 'signed-in',
    alert: 'new browser',
    run: () => elsewhere().signIn(Staff.PASSWORD),
  },
  {
    event: 'second-factor-asked',
    cause: 'a password without the second factor in a new browser',
    of: 'person',
    entry: 'second-factor.asked',
    run: halfWay,
  },
  {
    event: 'second-factor-missed',
    cause: 'a password that no second factor follows',
    of: 'person',
    entry: 'second-factor.missed',
    alert: 'entered your right password in a browser',
    run: async () => {
      await halfWay();
      await query(
        `UPDATE unfinished_sign_in SET since = since - interval '12 minutes' WHERE person_id = $1`,
        [await idOf(person)],
      );
      while (await service.app.get(UnfinishedSignIns).tellNext());
    },
  },
  failed('password', 'a wrong password', () => wrong(elsewhere())),
  failed('password', 'a wrong password at the proof of identity', () => confirm({ password: 'not this' })),
  failed('password', 'a wrong present password', () =>
    person.post('/dashboard/account/password', { present: 'not this', next: 'another plain sentence' }),
  ),
  failed('code', 'a wrong code', async () =>
    (await halfWay()).post('/dashboard/sign-in/code', { code: '1' }),
  ),
  failed('code', 'a wrong code when codes are turned on', async () => {
    await beginCodes();
    return person.post(CODES, { code: '000000' });
  }),
  {
    event: 'sign-in-failed',
    cause: 'a passkey of nobody',
    why: 'passkey',
    of: 'nobody',
    run: () => elsewhere().post('/dashboard/sign-in/passkey', WRONG_PASSKEY),
  },
  failed('passkey', 'a wrong passkey at the proof of identity', () =>
    person.post('/dashboard/confirm/passkey', WRONG_PASSKEY),
  ),
  failed('passkey', 'a passkey that cannot be added', () =>
    person.post('/dashboard/account/passkeys', WRONG_PASSKEY),
  ),
  ...OTHER_WRONG_PASSKEYS.flatMap(([which, answer]): Case[] => [
    {
      event: 'sign-in-failed',
      cause: `a passkey ${which}`,
      why: 'passkey',
      of: 'nobody',
      run: () => elsewhere().post('/dashboard/sign-in/passkey', answer),
    },
    failed('passkey', `at the proof of identity a passkey ${which}`, () =>
      person.post('/dashboard/confirm/passkey', answer),
    ),
    failed('passkey', `among one’s own a passkey ${which}`, () =>
      person.post('/dashboard/account/passkeys', answer),
    ),
  ]),
  failed('passkey', 'a passkey that its browser calls otherwise than its device', async () => {
    const who = { id: await idOf(person), staff: person };
    const { credential } = await creationBy(new Authenticator(service.url), who);
    const renamed = { ...(JSON.parse(credential) as object), id: 'YWJj', rawId: 'YWJj' };
    await person.post('/dashboard/account/passkeys', { credential: JSON.stringify(renamed), label: 'Mine' });
  }),
  failed('link', 'a link that was used up', async () => elsewhere().get(await usedLink())),
  failed('link', 'a password for a link that was used up', async () =>
    elsewhere().post(await usedLink(), { password: 'yet another plain sentence' }),
  ),
  failed('link', 'a link that somebody signed in has used up', async () => {
    const path = await proofLink();
    await person.post(path);
    await person.post(path);
  }),
  failed('link', 'a link of nobody in a session', () => person.get(`/dashboard/invitations/link/${UNKNOWN}`)),
  {
    event: 'sign-in-failed',
    cause: 'a link of nobody',
    why: 'link',
    of: 'nobody',
    run: () => elsewhere().get(`/dashboard/link/${UNKNOWN}`),
  },
  failed('foreign-link', 'the proof of an address in the session of another account', async () =>
    (await otherOwner()).post(await proofLink()),
  ),
  failed('foreign-link', 'an invitation in the session of another account', async () => {
    const merchants = service.app.get(MerchantsService);
    const { id } = await merchants.create({ name: 'Another Shop' }, 'approved', by('test'));
    const invitation = { email: person.email, merchantId: id, role: 'reviewer' };
    await service.app.get(InvitationsService).invite(invitation, CLI_ACTOR);
    await (await otherOwner()).get(await mailedLink());
  }),
  throttled('password', 'a fourth password at once', async () => {
    const guesser = elsewhere();
    await aFourthTooSoon(() => wrong(guesser));
  }),
  throttled('password', 'a fourth password at once in a session', () =>
    aFourthTooSoon(() => confirm({ password: 'not this' })),
  ),
  throttled('code', 'a fourth code at once', async () => {
    await beginCodes();
    await aFourthTooSoon(() => person.post(CODES, { code: '000000' }));
  }),
  throttled('password', 'strangers who have used their budget up', async () => {
    await wrong(elsewhere());
    await query(
      `UPDATE guess_delay SET next_at = clock_timestamp() + interval '8 hours' WHERE subject LIKE 'password:strangers:%'`,
    );
    await wrong(elsewhere());
  }),
  {
    event: 'sign-in-throttled',
    cause: 'too many sign-ins from one address',
    why: 'pace',
    of: 'nobody',
    run: async () => {
      const one = Staff.stranger(service);
      // More than both of two minutes allow.
      for (let i = 0; i < 62; i++) await one.post('/dashboard/sign-in/passkey/options');
    },
  },
  throttled('pace', 'too many sign-ins to an account from one address', async () => {
    const [windows, address] = [service.app.get(RateWindows), randomAddress()];
    const signIn = { email: person.email, password: 'a wrong guess' };
    let status = 0;
    while (status !== 429) {
      for (let i = 0; i < 30; i++) windows.hit(`sign-in:${address}`);
      ({ status } = await elsewhere().post('/dashboard/sign-in', signIn, { 'x-forwarded-for': address }));
    }
  }),
  throttled('pace', 'too many links for a password of an account from one address', async () => {
    const [windows, address] = [service.app.get(RateWindows), randomAddress()];
    const asked = { email: person.email.toUpperCase() };
    let status = 0;
    while (status !== 429) {
      for (let i = 0; i < 30; i++) windows.hit(`sign-in:${address}`);
      ({ status } = await elsewhere().post(FORGOTTEN, asked, { 'x-forwarded-for': address }));
    }
  }),
  throttled('pace', 'too many sign-ins by passkey in a browser that is one person’s', async () =>
    beyondPace(await knownBrowser()),
  ),
  {
    event: 'sign-in-throttled',
    cause: 'too many sign-ins by passkey in a browser of several people',
    why: 'pace',
    of: 'nobody',
    run: async () => {
      const known = await knownBrowser();
      await query(
        `INSERT INTO known_device (person_id, token_hash)
         SELECT $2, token_hash FROM known_device WHERE person_id = $1 AND token_hash = decode($3, 'hex')`,
        [await idOf(person), await idOf(await otherOwner()), await deviceOf()],
      );
      await beyondPace(known);
    },
  },
  throttled('reset', 'a sixth link for a password of a day while one is open', async () => {
    for (let i = 0; i < 6; i++) {
      await elsewhere().post(FORGOTTEN, { email: person.email });
      await eventually(
        () => {
          service.app.get(Jobs).wake('forgotten-passwords');
          return query('SELECT FROM password_request');
        },
        ({ length }) => length === 0,
      );
    }
  }),
  {
    event: 'dashboard-throttled',
    cause: 'too many requests from one address',
    why: 'address',
    of: 'nobody',
    run: () => beyondLimit(elsewhere(), null),
  },
  {
    event: 'dashboard-throttled',
    cause: 'too many requests in a session',
    why: 'session',
    of: 'person',
    entry: 'dashboard.throttled',
    run: async () => beyondLimit(person, await sessionOf(person)),
  },
  {
    event: 'dashboard-throttled',
    cause: 'too many requests in a browser that is one person’s',
    why: 'device',
    of: 'person',
    entry: 'dashboard.throttled',
    run: async () => {
      const known = await knownBrowser();
      await known.post('/dashboard/sign-out');
      await beyondLimit(known, await deviceOf());
    },
  },
  guessed('passwords of strangers', 'wrong passwords', async () => {
    for (let i = 0; i < 10; i++) await wrong(elsewhere());
  }),
  guessed('codes of strangers', 'entered your right password', async () => {
    for (let i = 0; i < 3; i++) await (await halfWay()).post('/dashboard/sign-in/code', { code: '1' });
  }),
  guessed('passwords in a known browser', 'a browser where you signed in before', async () => {
    const known = elsewhere();
    await known.signIn(Staff.PASSWORD);
    await guess(10, () => wrong(known));
  }),
  guessed('passwords in a session', 'a session that is signed in', () =>
    guess(10, () => confirm({ password: 'not this' })),
  ),
  forgery('a form of another site at the dashboard', 'origin', () =>
    forged(`${service.url}/dashboard/sign-in`),
  ),
  forgeryInSession('a form of another site in a session', 'origin', () =>
    forged(`${service.url}/dashboard/sign-out`, person.cookie),
  ),
  forgeryInSession('a form of another site at the sign-in of somebody signed in', 'origin', () =>
    forged(`${service.url}/dashboard/sign-in`, person.cookie),
  ),
  forgeryInSession('a form without its token', 'token', () =>
    person.post('/dashboard/sign-out', { csrf: 'none' }),
  ),
  forgery('a form of another site at the checkout', 'origin', () =>
    forged(`${service.config.checkoutUrl}/pay/x/cancel`),
  ),
  forgery('a form of another site at the sandbox', 'origin', () => {
    const guard = new PanelGuard(service.app.get(Forgeries), service.config);
    const request = { method: 'POST', headers: { origin: 'https://evil.example' }, ip: randomAddress() };
    const context = { switchToHttp: () => ({ getRequest: () => request }) } as unknown as ExecutionContext;
    expect(() => guard.canActivate(context)).toThrow('another site');
    return Promise.resolve();
  }),
  keyRefused('none', 'no key', () => ask({})),
  keyRefused('unknown', 'a key that is none', () => ask({ authorization: 'Bearer svc_live_none' })),
  keyRefused('unknown', 'a key that nobody was given', () => ask({ 'x-api-key': newApiKey() })),
  keyRefused('conflicting', 'two keys', () => ask({ authorization: 'Bearer a', 'x-api-key': 'b' })),
  keyRefused('throttled', 'more keys in a minute than an address may try', async () => {
    const [address, begin] = [randomAddress(), lines.length];
    // Again where a minute has ended in between.
    while (!lines.slice(begin).some(({ why }) => why === 'throttled')) {
      for (let i = 0; i < 30; i++) service.app.get(RateWindows).hit(`auth:${address}`);
      await ask({ 'x-api-key': newApiKey(), 'x-forwarded-for': address });
    }
  }),
  {
    ...keyRefused('revoked', 'a revoked key', async () => {
      const key = await withKeyOf('approved', ['read'], 'GET');
      await service.app.get(ApiKeysService).revoke(merchantId, keyId, by('test'));
      await ask({ authorization: `Bearer ${key}` });
    }),
    of: 'key',
  },
  {
    ...keyRefused('closed', 'a key of a closed merchant', () => withKeyOf('closed', ['read'], 'GET')),
    of: 'key',
  },
  keyForbidden('closed', 'a key of a closed merchant that would change something', () =>
    withKeyOf('closed', ['write'], 'POST'),
  ),
  keyForbidden('pending', 'a key of a merchant not yet approved', () =>
    withKeyOf('pending', ['read'], 'GET'),
  ),
  keyForbidden('suspended', 'a key of a suspended merchant', () => withKeyOf('suspended', ['read'], 'GET')),
  keyForbidden('scope', 'a key that may only write', () => withKeyOf('approved', ['write'], 'GET')),
  keyForbidden('scope', 'a key that may only read', () => withKeyOf('approved', ['read'], 'POST')),
  { event: 'metrics-token-refused', cause: 'a wrong token', of: 'nobody', run: () => withToken('another') },
  {
    event: 'step-up',
    cause: 'a proof of identity',
    of: 'person',
    entry: 'identity.proven',
    run: () => confirm({ password: Staff.PASSWORD }),
  },
  {
    event: 'role-changed',
    cause: 'another role',
    of: 'person',
    entry: 'person.role-changed',
    alert: 'Your role was changed',
    run: async () =>
      service.app.get(MembersService).setRole(shop.merchantId, await idOf(person), 'developer', {
        name: 'another owner',
        personId: null,
        ip: randomAddress(),
      }),
  },
  {
    event: 'role-changed',
    cause: 'an operator’s dismissal',
    why: 'operator.dismissed',
    of: 'person',
    entry: 'operator.dismissed',
    alert: 'You are no longer an operator',
    run: async () => {
      await query('UPDATE person SET is_operator = true WHERE email = $1', [person.email]);
      const actor = { name: 'another operator', personId: null, ip: randomAddress() };
      await service.app.get(OperatorsService).dismiss(person.email, actor);
    },
  },
  {
    event: 'password-changed',
    cause: 'another password',
    of: 'person',
    entry: 'password.changed',
    alert: 'Your password was changed',
    run: () =>
      person.post('/dashboard/account/password', {
        present: Staff.PASSWORD,
        next: 'another plain sentence',
      }),
  },
  {
    event: 'password-reset-offered',
    cause: 'a link that sets a new password',
    of: 'person',
    entry: 'password.reset-offered',
    alert: 'A link that sets a new password was made',
    run: () => service.app.get(LinksService).reset(person.email, CLI_ACTOR),
  },
  {
    event: 'factor-changed',
    cause: 'codes turned off',
    of: 'person',
    entry: 'codes.disabled',
    alert: 'Codes at sign-in were turned off',
    run: async () => {
      await enabled({ id: await idOf(person), staff: person });
      await person.post('/dashboard/account/second-factor/disable');
    },
  },
  { event: 'invitation', cause: 'an invitation', why: 'person.invited', of: 'nobody', run: invite },
];

it('has a cause for each event', () => {
  expect([...new Set(CASES.map(({ event }) => event))].sort()).toEqual([...SECURITY_EVENTS].sort());
});

it('leaves an entry of whatever it says of an account', () => {
  const without = CASES.filter(({ of, entry }) => of === 'person' && entry === undefined);
  expect(without.map(({ cause }) => cause)).toEqual([]);
});

it.each(CASES)('$event by $cause: a line that says of whom, a count, an entry, an alert', async (each) => {
  const { event, why, of, entry, alert, run } = each;
  // Not the lines of the cases before.
  await query('DELETE FROM guess_delay');
  const entriesNow = () => (entry === undefined ? Promise.resolve(0) : entriesOf(person, entry));
  const [before, entries, begin] = [await counted(event), await entriesNow(), lines.length];
  await run();
  await written(service);
  const fresh = lines
    .slice(begin)
    .filter(({ security, leftOut }) => security === event && leftOut === undefined);
  expect(await counted(event)).toBeGreaterThan(before);
  if (why === undefined) expect(fresh.length).toBeGreaterThan(0);
  else expect(fresh.map((line) => line.why)).toContain(why);
  const { account, key } = fresh.find((line) => why === undefined || line.why === why)!;
  const named = { person: [await idOf(person), undefined], key: [merchantId, keyId], nobody: [] };
  expect([account, key]).toEqual([named[of][0], named[of][1]]);
  expect(await entriesOfKey()).toEqual(of === 'key' ? [{ actor: `key:${keyId}`, merchantId, why }] : []);
  if (entry !== undefined) expect(await entriesNow()).toBeGreaterThan(entries);
  if (alert !== undefined) await eventually(mailsSent, (texts) => texts.some((text) => text.includes(alert)));
});

it('counts each link that opens nothing once, and says who held it', async () => {
  const [proof, used, thief] = [await proofLink(), await usedLink(), await otherOwner()];
  const [before, begin] = [await counted('sign-in-failed'), lines.length];
  await elsewhere().get(used);
  await elsewhere().post(used, { password: 'yet another plain sentence' });
  await thief.post(proof);
  await thief.post(`/dashboard/invitations/link/${UNKNOWN}`);
  expect(await counted('sign-in-failed')).toBe(before + 4);
  const [owner, holder] = [await idOf(person), await idOf(thief)];
  expect(lines.slice(begin).map(({ account, by: who, why }) => [account, who, why])).toEqual([
    [owner, undefined, 'link'],
    [owner, undefined, 'link'],
    [owner, holder, 'foreign-link'],
    [holder, holder, 'link'],
  ]);
  expect([await entriesOf(person, 'sign-in.failed'), await entriesOf(thief, 'sign-in.failed')]).toEqual([
    2, 2,
  ]);
  // What was refused to another is still its person's.
  await person.signIn('another plain sentence');
  expect((await person.post(proof)).location).toBe('/dashboard/invitations');
});

it('leaves one entry an hour of what is refused to an account, however often, and of each kind its own', async () => {
  const key = await withKeyOf('approved', ['write'], 'GET');
  for (let i = 0; i < 5; i++) await ask({ authorization: `Bearer ${key}` });
  // As in another minute: by now the database is asked.
  await service.app.get(RateWindows).exchange(Date.now() + 60_000);
  await ask({ authorization: `Bearer ${key}` });
  await service.app.get(ApiKeysService).revoke(merchantId, keyId, by('test'));
  for (let i = 0; i < 5; i++) await ask({ authorization: `Bearer ${key}` });
  expect((await entriesOfKey()).map(({ why }) => why)).toEqual(['scope', 'revoked']);
  for (let i = 0; i < 5; i++) await person.post('/dashboard/sign-out', { csrf: 'none' });
  await forged(`${service.url}/dashboard/sign-out`, person.cookie);
  expect(await entriesOf(person, 'forgery.refused')).toBe(2);
});

it('is not seen in a session by what another site sends in its name', async () => {
  const seenAt = async () =>
    (
      await query<{ at: Date }>(`SELECT last_seen_at AS at FROM session WHERE person_id = $1`, [
        await idOf(person),
      ])
    )[0]!.at;
  await query(`UPDATE session SET last_seen_at = last_seen_at - interval '20 minutes' WHERE person_id = $1`, [
    await idOf(person),
  ]);
  const before = await seenAt();
  await forged(`${service.url}/dashboard/sign-out`, person.cookie);
  expect(await seenAt()).toEqual(before);
});

it('counts tokens for the metrics beyond those that are compared', async () => {
  const [address, before] = ['203.0.113.250', await counted('metrics-token-refused')];
  const statuses: number[] = [];
  await inOneMinute(service, async () => {
    for (let i = 0; i < 35; i++) statuses.push((await withToken('another', address)).status);
  });
  expect(statuses.filter((status) => status === 429)).toHaveLength(5);
  expect(await counted('metrics-token-refused')).toBe(before + 35);
});

it('does not keep a known browser out because of its neighbour’s tries', async () => {
  const known = elsewhere();
  await known.signIn(Staff.PASSWORD);
  const neighbour = Staff.behind(known);
  await inOneMinute(service, async () => {
    for (let i = 0; i < 35; i++) await neighbour.post('/dashboard/sign-in/passkey/options');
    expect((await neighbour.signIn('a wrong guess')).status).toBe(429);
  });
  expect((await known.post('/dashboard/sign-in/passkey/options')).status).toBe(201);
  expect((await known.signIn(Staff.PASSWORD)).location).toBe('/dashboard');
});

it('gives the session another cookie with a change of the password', async () => {
  const { name, value } = person.sessionCookie;
  await person.post('/dashboard/account/password', {
    present: Staff.PASSWORD,
    next: 'another plain sentence',
  });
  expect(person.sessionCookie.value).not.toBe(value);
  const old = await fetch(`${service.url}/dashboard`, {
    headers: { cookie: `${name}=${value}` },
    redirect: 'manual',
  });
  expect([old.status, (await person.get('/dashboard')).status]).toEqual([303, 200]);
});

it('asks owners and operators for a second factor on every page, until they have one or say later', async () => {
  const asked = async (who: Staff, path: string) =>
    (await who.get(path)).html.includes('Signing in takes a password alone.');
  const developer = await Staff.of(service, { merchantId: shop.merchantId, role: 'developer' });
  const operator = await Staff.of(service, { isOperator: true });
  expect([await asked(person, '/dashboard'), await asked(person, '/dashboard/payments')]).toEqual([
    true,
    true,
  ]);
  expect([await asked(operator, '/dashboard/operator'), await asked(developer, '/dashboard')]).toEqual([
    true,
    false,
  ]);
  await person.post('/dashboard/account/second-factor/later');
  expect(await asked(person, '/dashboard')).toBe(false);
  await query(
    `INSERT INTO passkey (id, credential_id, person_id, public_key, counter, transports, label)
     VALUES ('pk_' || $1, $1, $1, '', 0, '{}', 'a key')`,
    [await idOf(operator)],
  );
  expect(await asked(operator, '/dashboard/operator')).toBe(false);
});

it('says that an endpoint is by https, in the sandbox also on this machine by http', async () => {
  const path = '/dashboard/developers/webhooks';
  expect((await person.get(`${path}/new`)).html).toContain('by https, or on this machine by http');
  const { html } = await person.post(path, { url: 'http://example.com/x' });
  expect(html).toContain('must use https; plain http is for this machine alone');
});

it.each([
  ['a /64', 30, (n: number) => `1::${n.toString(16)}`],
  ['the /64 of a /56', 60, (n: number) => `ab${n.toString(16).padStart(2, '0')}::1`],
  ['the /56 of a /48', 120, (n: number) => `${n.toString(16)}00::1`],
])('takes so many sign-ins a minute from %s: %d', async (_, limit, addressOf) => {
  const tried = Staff.stranger(service);
  const from = (network: string, n: number) =>
    tried.post('/dashboard/sign-in/passkey/options', {}, { 'x-forwarded-for': `${network}:${addressOf(n)}` });
  const takenBy = async (network: string) => {
    for (let taken = 0; taken < 2 * limit; taken += 1)
      if ((await from(network, taken + 1)).status === 429) return taken;
    return 2 * limit;
  };
  const network = `2001:db8:${randomBytes(2).toString('hex')}`;
  expect(await inOneMinute(service, () => takenBy(network))).toBe(limit);
});

describe('a command, as a process', () => {
  const run = (...words: string[]) => {
    const { databaseUrl } = service.config;
    return commandProcess({ databaseUrl, ...SILENT_CHAIN }, '--json', ...words);
  };

  it.each<[SecurityEvent, string, (email: string) => string[]]>([
    ['invitation', 'user invite', () => ['--email', 'new@staff.example', '--operator']],
    ['role-changed', 'user confirm', (email) => ['--email', email]],
    ['password-reset-offered', 'user reset', (email) => ['--email', email]],
  ])(
    'writes %s of %s to standard error, and its answer alone to standard output',
    async (event, command, of) => {
      const words = of(person.email);
      const { code, stdout, stderr } = await run(...command.split(' '), ...words);
      expect({ code, stderr }).toMatchObject({ code: 0 });
      const told = stderr.trimEnd().split('\n');
      expect(told.map((line) => JSON.parse(line) as unknown)).toMatchObject([
        { level: 'warn', security: event, by: 'cli', msg: event },
      ]);
      const { account } = JSON.parse(stderr) as Line;
      expect(account).toBe(event === 'invitation' ? undefined : await idOf(person));
      expect(stderr).not.toContain(words[1]);
      expect(typeof JSON.parse(stdout)).toBe('object');
      expect(stdout).not.toContain('"security"');
    },
  );

  it('that only reads writes nothing there', async () => {
    const { code, stderr } = await run('merchant', 'list');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});
