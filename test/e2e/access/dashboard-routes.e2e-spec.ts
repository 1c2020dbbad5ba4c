import { DataSource } from 'typeorm';
import {
  CHANGES_NEED,
  MERCHANT_PERMISSIONS,
  type Permission,
  type Role,
  ROLES,
  STANDING_ALLOWS,
} from '../../../src/modules/accounts/accounts.types.js';
import { isMerchantPermission } from '../../../src/modules/accounts/permissions.pure.js';
import { ALERT_URL, type AlertKind, type AlertUrl } from '../../../src/modules/alerts/alerts.types.js';
import { mailAbout } from '../../../src/modules/alerts/domain/wording.js';
import { PATHS } from '../../../src/modules/dashboard/paths.http.js';
import { MERCHANT_STATUSES, type MerchantStatus } from '../../../src/modules/merchants/merchants.types.js';
import type { Example } from '../../support/dashboard/dashboard-examples.js';
import {
  FINDING_NOTHING,
  masked,
  namesOf,
  NAMING_NOTHING,
  QUERIES,
  timeless,
  unlike,
} from '../../support/dashboard/dashboard-names.js';
import { type DashboardRoute, dashboardRoutes } from '../../support/dashboard/dashboard-routes.js';
import { SHOWN } from '../../support/dashboard/dashboard-shown.js';
import { aPerson } from '../../support/dashboard/dashboard-stage.js';
import { type Tenant, twoTenants, wholeTenant } from '../../support/dashboard/dashboard-tenant.js';
import { Staff } from '../../support/dashboard/staff.js';
import { asIfNever } from '../../support/database/as-if-never.js';
import { toldIn } from '../../support/database/own-values.js';
import { tenantRows } from '../../support/database/tenant-rows.js';
import { SILENT_CHAIN } from '../../support/nodes/wallet.js';
import { readParameters } from '../../support/service/read-parameters.js';
import { nameOf } from '../../support/service/routes.js';
import { Service } from '../../support/service/service.js';
import { written } from '../../support/service/written.js';

interface Visitor {
  readonly staff: Staff;
  readonly may: (permission: Permission) => boolean;
}

const OF_NONE = 'somebody without a merchant';
/** They read ours, which they look at, and own theirs. */
const OF_BOTH = 'a reader who owns another';
/** They operate the service, and read ours. */
const READING_OPERATOR = 'an operator who may only read here';
const VISITORS = [...ROLES, 'operator', OF_NONE, OF_BOTH, READING_OPERATOR];

let service: Service;
let ours: Tenant;
let theirs: Tenant;
let read: ReturnType<typeof readParameters>;
let routes: DashboardRoute[];
let visitors: Readonly<Record<string, Visitor>>;

beforeAll(async () => {
  // Every visitor is an address of its own, so that nobody uses up another's requests of the minute.
  service = await Service.start({ chain: SILENT_CHAIN, standsAt: 1_000, env: { TRUST_PROXY: '1' } });
  read = readParameters(service.app);
  [ours, theirs] = await twoTenants(service);
  routes = dashboardRoutes(service.app);
  const ofRole = async (role: Role) => {
    const who = { merchantId: ours.merchantId, role, isEmailProven: true };
    return [role, inRole(await Staff.of(service, who), role)] as const;
  };
  const ofBoth = await aPerson(service, [
    [ours.merchantId, 'read-only'],
    [theirs.merchantId, 'owner'],
  ]);
  const readingOperator = await aPerson(service, [[ours.merchantId, 'read-only']], true);
  const operates = (permission: Permission) => isOnesOwn(permission) || permission.startsWith('operator');
  visitors = {
    ...Object.fromEntries(await Promise.all(ROLES.map(ofRole))),
    operator: {
      staff: await Staff.of(service, { isOperator: true }),
      may: operates,
    },
    [OF_NONE]: { staff: (await aPerson(service, [])).staff, may: isOnesOwn },
    [OF_BOTH]: inRole(ofBoth.staff, 'read-only'),
    [READING_OPERATOR]: {
      staff: readingOperator.staff,
      may: (permission) => operates(permission) || inRole(readingOperator.staff, 'read-only').may(permission),
    },
  };
  // Known by now: else the first request of each would learn it.
  await service.app.get(DataSource).query(`UPDATE person SET language = 'en'`);
});
afterAll(() => service.stop());

const isOnesOwn = (permission: Permission) => permission === 'self' || permission === 'account';
const inRole = (staff: Staff, role: Role): Visitor => ({
  staff,
  may: (permission) =>
    isOnesOwn(permission) ||
    (isMerchantPermission(permission) &&
      (MERCHANT_PERMISSIONS[permission] as readonly Role[]).includes(role)),
});
/** What a request for it looks like: "GET /dashboard/payments/pi_1". */
const routeLike = (route: DashboardRoute) => new RegExp(`^${nameOf(route).replace(/:\w+/g, '[^/]+')}$`);
const guarded = () => routes.filter(({ permission }) => permission !== null);
const call = (staff: Staff, { method }: DashboardRoute, path: string, headers?: Record<string, string>) =>
  method === 'GET' ? staff.get(path, headers) : staff.post(path, {}, headers);

/**
 * All that is stored of the two merchants: a refusal must not have changed any of it.
 * @param except somebody whose own log is written of what they are refused
 */
async function stored(except?: Staff): Promise<object[]> {
  await written(service);
  const dataSource = service.app.get(DataSource);
  const [person] = await dataSource.query<{ id: string }[]>('SELECT id FROM person WHERE email = $1', [
    except?.email,
  ]);
  return Promise.all([ours, theirs].map(({ merchantId }) => tenantRows(dataSource, merchantId, person?.id)));
}

it('every route is in the table of paths, each once, and every path of the table is a route', () => {
  const served = new Set(routes.map(({ path }) => path));
  expect(Object.values(PATHS).sort()).toEqual([...served].sort());
});

it('every route names exactly one permission', () => {
  expect(routes.length).toBeGreaterThan(5);
  expect(routes.filter(({ permission }) => permission === undefined).map(nameOf)).toEqual([]);
});

it('a stranger is sent to the sign-in, whatever is asked', async () => {
  const stranger = Staff.stranger(service);
  const before = await stored();
  const open: string[] = [];
  for (const route of guarded()) {
    const { status, location } = await call(stranger, route, ours.at(route.path));
    if (status !== 303 || !location!.startsWith('/dashboard/sign-in'))
      open.push(`${nameOf(route)}: ${status}`);
  }
  expect(open).toEqual([]);
  expect(await stored()).toEqual(before);
});

it.each([
  ['whose session ended', { over: true }],
  ['who has said the password alone, where a second factor is due', { halfway: true }],
])('somebody %s is sent to the sign-in, whatever is asked, and changes nothing', async (_who, state) => {
  const staff = await Staff.of(service, { merchantId: ours.merchantId, role: 'owner', isOperator: true });
  await staff.get('/dashboard/confirm');
  await service.app.get(DataSource).query(
    `UPDATE session SET ${'over' in state ? `last_seen_at = now() - interval '31 minutes'` : `stage = 'second-factor'`}
     WHERE person_id = (SELECT id FROM person WHERE email = $1)`,
    [staff.email],
  );
  const before = await stored();
  const open: string[] = [];
  for (const route of guarded()) {
    const { status, location } = await call(staff, route, ours.at(route.path));
    if (status !== 303 || !location!.startsWith('/dashboard/sign-in'))
      open.push(`${nameOf(route)}: ${status} ${location}`);
  }
  expect(open).toEqual([]);
  expect(await stored()).toEqual(before);
});

/** The addresses at which a route is asked for this merchant's: also with the query without which it shows something else. */
function placesOf(route: DashboardRoute, { at, rows }: Tenant): string[] {
  const path = at(route.path);
  const query = route.method === 'GET' ? SHOWN[nameOf(route)]?.query : undefined;
  return query === undefined ? [path] : [path, `${path}?${new URLSearchParams(query(rows)).toString()}`];
}

/** What stands around every page that they see: who they are, and to which merchants they belong. */
const frameOf = async (staff: Staff) => (await staff.get('/dashboard/confirm')).html;

/** @returns what tells of the tenant, but what stands around every page anyway */
async function tellingOf(tenant: Tenant, staff: Staff): Promise<string[]> {
  const around = toldIn(await frameOf(staff), tenant.values);
  return tenant.values.filter((value) => !around.includes(value));
}

/**
 * Asks for each page, and for each change that is not theirs.
 * @param home where those go who look at no merchant
 */
async function expectNothingElse(
  { staff, may }: Visitor,
  [own, other]: readonly [Tenant, Tenant],
  home?: string,
): Promise<void> {
  const wrong: string[] = [];
  const telling = await tellingOf(other, staff);
  // A link that opens nothing is noted of whoever holds it.
  const before = await stored(staff);
  for (const route of guarded()) {
    const allowed = may(route.permission!);
    // What would change something is tried only by those who must not.
    if (allowed && route.method === 'POST') continue;
    for (const place of placesOf(route, own)) {
      const { status, location, html } = await call(staff, route, place);
      const isElsewhere = status === 303 && location === home;
      const isRight = allowed ? status === 200 || isOthers(route, status) : status === 403 || isElsewhere;
      if (!isRight) wrong.push(`${nameOf(route)}: ${status} ${location ?? ''}`);
      // Who operates is shown everybody's.
      if (allowed && route.permission!.startsWith('operator')) continue;
      wrong.push(...toldIn(html, telling).map((value) => `${nameOf(route)} tells of another’s ${value}`));
    }
  }
  expect(wrong).toEqual([]);
  expect(await stored(staff)).toEqual(before);
}

it.each(VISITORS)('%s gets what the table says, and nothing else', (name) =>
  expectNothingElse(visitors[name]!, [ours, theirs], HOMES_WITHOUT_A_MERCHANT[name]),
);

it.each(MERCHANT_STATUSES.filter((status) => status !== 'approved'))(
  'an owner who came before their merchant was %s gets what the table says, and nothing else',
  async (status) => {
    const { staff, may } = inRole(theirs.owner, 'owner');
    const isShut = STANDING_ALLOWS[status] === 'nothing';
    const mayNow = isShut ? isOnesOwn : may;
    await stand(theirs, status);
    try {
      const home = isShut ? HOMES_WITHOUT_A_MERCHANT[OF_NONE] : undefined;
      await expectNothingElse({ staff, may: mayNow }, [theirs, ours], home);
      const looked = await staff.post('/dashboard/merchant', { merchant: theirs.merchantId });
      expect(looked.status).toBe(isShut ? 404 : 303);
    } finally {
      await stand(theirs, 'approved');
    }
  },
);

/** All that is shown to people of merchants, and not to operators. */
const ofMerchants = () =>
  guarded().filter(({ method, permission }) => method === 'GET' && !permission!.startsWith('operator'));

it.each(['Our Shop', 'Their Shop'])(
  '%s: each page names something of it, or is said to name nothing',
  async (shop) => {
    const own = shop === 'Our Shop' ? ours : theirs;
    const telling = await tellingOf(own, own.owner);
    const wrong: string[] = [];
    for (const route of ofMerchants()) {
      const [name, place] = [nameOf(route), placesOf(route, own).at(-1)!];
      const { says } = SHOWN[name] ?? {};
      const { html } = await own.owner.get(place);
      const named = toldIn(html, telling);
      if (says === undefined && named.length === 0)
        wrong.push(
          `${name} names nothing: SHOWN has no query with which it does, and does not say that it never does`,
        );
      if (says !== undefined && named.length > 0) wrong.push(`${name} names ${named.join(', ')}`);
      if (!html.includes(says ?? '')) wrong.push(`${name} does not say ${says}`);
    }
    expect(wrong).toEqual([]);
    expect(Object.keys(SHOWN).filter((name) => !ofMerchants().map(nameOf).includes(name))).toEqual([]);
  },
);

/** Each page as the owner of ours is shown it. */
async function shownToOurs(): Promise<Map<string, string>> {
  await written(service);
  const answers = new Map<string, string>();
  for (const route of ofMerchants()) {
    for (const place of placesOf(route, ours)) {
      const { status, location, html } = await ours.owner.get(place);
      answers.set(place, `${status} ${location}\n${timeless(html)}`);
    }
  }
  return answers;
}

it('no page, list or figure is another than before when a third merchant has rows in every table', async () => {
  // Said once, on whichever page comes next.
  await ours.owner.get('/dashboard');
  const before = await shownToOurs();
  await wholeTenant(service, 'A Third Shop');
  const wrong: string[] = [];
  for (const [place, now] of await shownToOurs())
    wrong.push(...unlike([before.get(place)!, now]).map((line) => `${place}: ${line}`));
  expect(wrong).toEqual([]);
});

async function stand({ merchantId }: Example, status: MerchantStatus): Promise<void> {
  const set = 'UPDATE merchant SET status = $2 WHERE id = $1';
  await asIfNever(service.app.get(DataSource), ['merchant', 'merchant_stays_closed'], set, [
    merchantId,
    status,
  ]);
}

/** One's own account and saved views have no page of another person's, even for a colleague. */
function isOthers({ permission, path }: DashboardRoute, status: number): boolean {
  return (isOnesOwn(permission!) || permission === 'views:manage') && path.includes(':') && status === 404;
}

/** Where those go who look at no merchant. */
const HOMES_WITHOUT_A_MERCHANT: Readonly<Record<string, string>> = {
  operator: '/dashboard/operator',
  [OF_NONE]: '/dashboard/invitations',
};

/** What each alert is about, and who reads of it. Exhaustive: a new kind does not compile without its example. */
const alertExamples = (): Readonly<Record<AlertKind, { subject: string; reader: 'owner' | 'operator' }>> => {
  const idIn = (path: string) => ours.at(path).split('/').at(-1)!;
  const payment = idIn('/dashboard/payments/:id');
  const ofInstance = (subject: string) => ({ subject, reader: 'operator' as const });
  return {
    'review-entry': { subject: payment, reader: 'owner' },
    'reorganised-after-settlement': { subject: payment, reader: 'owner' },
    'webhook-endpoint-disabled': { subject: idIn('/dashboard/developers/webhooks/:id'), reader: 'owner' },
    'network-unavailable': ofInstance('ethereum:USDC'),
    'network-halted': ofInstance('ethereum'),
    'finality-stalled': ofInstance('ethereum'),
    'finality-given-up': ofInstance('ethereum'),
    'coin-unwatched': ofInstance('ethereum'),
    'asset-unwatched': ofInstance('ethereum:USDC'),
    'rates-unavailable': ofInstance('rates'),
    'intent-undecidable': ofInstance(payment),
    'refund-unfound': { subject: idIn('/dashboard/refunds/:id'), reader: 'owner' },
    'refund-undone': { subject: idIn('/dashboard/refunds/:id'), reader: 'owner' },
    'refund-paid-again': { subject: idIn('/dashboard/refunds/:id'), reader: 'owner' },
    'refund-beyond-money': { subject: payment, reader: 'owner' },
    'refund-shared': ofInstance('rf_1'),
    'wallet-gap': { subject: 'xk_1', reader: 'owner' },
    'chain-difference': ofInstance('ethereum'),
    'chain-uncompared': ofInstance('ethereum'),
  };
};

it('the link of every alert’s mail and message leads its reader to a page', async () => {
  const operator = visitors['operator']!.staff;
  const urlOf = service.app.get<AlertUrl>(ALERT_URL, { strict: false });
  const dead: string[] = [];
  for (const [kind, { subject, reader }] of Object.entries(alertExamples())) {
    const url = urlOf({ kind: kind as AlertKind, subject });
    const alert = { id: 'alr_1', summary: 'Trouble', detail: 'Look.', raisedAt: new Date() };
    expect(
      mailAbout(alert, { language: 'en', told: String }, { merchant: 'Our Shop' }, url).text.match(
        /https?:\/\/\S+/g,
      ),
    ).toEqual([url]);
    const { status } = await (reader === 'owner' ? ours.owner : operator).get(url.slice(service.url.length));
    if (status !== 200) dead.push(`${kind}: ${url} ${status}`);
  }
  expect(dead).toEqual([]);
});

/** What any form here takes: nothing is refused for a field, so that only whose it is can be the reason. */
const VALID_FORM = {
  note: 'a note',
  reason: 'a reason',
  role: 'developer',
  url: 'http://localhost:9/other',
  since: '2026-01-01T00:00',
  held: 'send',
  money: 'on',
  amount: '1',
  asset: 'USDC@ethereum',
  txid: '',
  email: 'somebody@staff.example',
  password: Staff.PASSWORD,
};

/** An invitation is shown and taken by its link, whoever holds that: its own tests say whose it is. */
const BY_LINK = (path: string) => path.includes('/link/:');

it.each(['owner', OF_BOTH])(
  '%s finds nothing under another’s ids, and changes nothing of theirs',
  async (name) => {
    const { staff, may } = visitors[name]!;
    const before = await stored();
    const wrong: string[] = [];
    const withIds = guarded().filter(
      ({ path, permission }) => path.includes(':') && !permission!.startsWith('operator') && !BY_LINK(path),
    );
    for (const route of withIds) {
      const path = theirs.at(route.path);
      const { status, html } = await (route.method === 'GET'
        ? staff.get(path)
        : staff.post(path, VALID_FORM));
      const words = ['Their Shop', theirs.merchantId, theirs.owner.email, 'Order 1001'];
      const told = words.filter((word) => html.includes(word));
      // What they are elsewhere counts only while they look there.
      const refusal = may(route.permission!) ? 404 : 403;
      if (status !== refusal || told.length > 0) wrong.push(`${nameOf(route)}: ${status} ${told.join(', ')}`);
    }
    expect(wrong).toEqual([]);
    expect(await stored()).toEqual(before);
  },
);

it('no form is taken from another site, or without its token, not even from an owner who operates', async () => {
  const staff = await Staff.of(service, { merchantId: ours.merchantId, role: 'owner', isOperator: true });
  const before = await stored(staff);
  const wrong: string[] = [];
  for (const route of routes.filter(({ method }) => method === 'POST')) {
    const path = ours.at(route.path);
    const foreign = await staff.post(path, {}, { origin: 'https://evil.example' });
    const without = route.permission === null ? foreign : await staff.post(path, { csrf: '' });
    if (foreign.status !== 403 || without.status !== 403)
      wrong.push(`${nameOf(route)}: ${foreign.status} ${without.status}`);
  }
  expect(wrong).toEqual([]);
  expect(await stored(staff)).toEqual(before);
});

it('every form of every page says which merchant the page showed', async () => {
  const staff = await Staff.of(service, { merchantId: ours.merchantId, role: 'owner', isOperator: true });
  const carried = `name="shown" value="${ours.merchantId}"`;
  const wrong: string[] = [];
  let count = 0;
  for (const route of guarded().filter(({ method }) => method === 'GET')) {
    const { status, html } = await staff.get(ours.at(route.path));
    if (status !== 200) continue;
    for (const [form] of html.matchAll(/<form [^>]*method="post"[^]*?<\/form>/g)) {
      count += 1;
      if (!form.includes(carried)) wrong.push(`${nameOf(route)}: ${form}`);
    }
  }
  expect(count).toBeGreaterThan(100);
  expect(wrong).toEqual([]);
});

/** Changes that a session alone is enough for: each moves no money, changes no terms of it, and lets nobody in. */
const BY_SESSION_ALONE = [
  'POST /dashboard/account/second-factor/later',
  'POST /dashboard/account/sessions/:id/end',
  'POST /dashboard/account/sessions/end-others',
  'POST /dashboard/alerts/:id/acknowledge',
  'POST /dashboard/confirm',
  'POST /dashboard/confirm/passkey',
  'POST /dashboard/developers/deliveries/:id/redeliver',
  'POST /dashboard/developers/webhooks/:id/disable',
  'POST /dashboard/developers/webhooks/:id/enable',
  'POST /dashboard/developers/webhooks/:id/redeliver',
  'POST /dashboard/developers/webhooks/:id/test',
  'POST /dashboard/merchant',
  'POST /dashboard/operator/alerts/:id/acknowledge',
  'POST /dashboard/payments/:id/cancel',
  'POST /dashboard/payments/views',
  'POST /dashboard/payments/views/:id/delete',
  'POST /dashboard/payments/views/:id/rename',
  'POST /dashboard/refunds/:id/open',
  'POST /dashboard/refunds/:id/resume',
  'POST /dashboard/refunds/:id/sent',
  'POST /dashboard/refunds/:id/withdraw',
  'POST /dashboard/review/:id/dismiss',
  'POST /dashboard/sign-out',
];

it('every other change is refused eleven minutes after the last proof of identity, and changes nothing', async () => {
  const staff = await Staff.of(service, { merchantId: ours.merchantId, role: 'owner', isOperator: true });
  await staff.get('/dashboard/confirm');
  await service.app.get(DataSource).query(
    `UPDATE session SET proven_at = proven_at - interval '11 minutes'
       WHERE person_id = (SELECT id FROM person WHERE email = $1)`,
    [staff.email],
  );
  const before = await stored();
  const changes = guarded().filter(({ method }) => method === 'POST');
  const byProof = changes.filter((route) => !BY_SESSION_ALONE.includes(nameOf(route)));
  expect(byProof.length).toBeGreaterThan(20);
  expect(byProof.map(nameOf)).toEqual(
    expect.arrayContaining([
      'POST /dashboard/settings/wallets',
      'POST /dashboard/settings/wallets/address',
      'POST /dashboard/settings/wallets/address/save',
    ]),
  );
  const open: string[] = [];
  for (const route of byProof) {
    const { status, location } = await staff.post(ours.at(route.path));
    if (status !== 303 || !location!.startsWith('/dashboard/confirm'))
      open.push(`${nameOf(route)}: ${status}`);
  }
  expect(open).toEqual([]);
  expect(await stored()).toEqual(before);
  const declared = changes.filter(({ permission }) => CHANGES_NEED[permission!] === 'session').map(nameOf);
  expect(declared.sort()).toEqual([...BY_SESSION_ALONE].sort());
});

/** What a form asks for that says how much money goes, of what, or where to. */
const OF_MONEY = ['address', 'amount', 'asset'];

it('no form that a session alone is enough for says how much money goes, of what, or where to', async () => {
  const staff = await Staff.of(service, { merchantId: ours.merchantId, role: 'owner', isOperator: true });
  const changes = guarded().filter(({ method }) => method === 'POST');
  const asking = new Map<string, DashboardRoute>();
  for (const { path } of routes.filter(({ method }) => method === 'GET')) {
    const { html } = await staff.get(ours.at(path));
    for (const [form, action] of html.matchAll(/<form [^>]*action="(\/dashboard[^"?#]*)[^]*?<\/form>/g)) {
      const route = changes.find((each) => routeLike(each).test(`POST ${action}`));
      if (route && OF_MONEY.some((field) => form.includes(` name="${field}"`)))
        asking.set(nameOf(route), route);
    }
  }
  expect([...asking.keys()]).toContain('POST /dashboard/review/:id/refund');
  const bySession = [...asking.values()].filter(({ permission }) => CHANGES_NEED[permission!] !== 'proof');
  expect(bySession.map(nameOf)).toEqual([]);
});

/** "GET /dashboard/payments/pi_1": what the links and forms of a page ask for. */
function askedBy(html: string): string[] {
  const links = [...html.matchAll(/<a [^>]*href="(\/dashboard[^"?#]*)/g)].map(([, path]) => `GET ${path}`);
  const forms = [...html.matchAll(/<form [^>]*>/g)].flatMap(([form]) => {
    const path = / action="(\/dashboard[^"?#]*)/.exec(form)?.[1];
    return path === undefined ? [] : [`${/ method="post"/.test(form) ? 'POST' : 'GET'} ${path}`];
  });
  return [...links, ...forms];
}

it('every link and form of every page leads to a route', async () => {
  const staff = await Staff.of(service, { merchantId: ours.merchantId, role: 'owner', isOperator: true });
  const served = routes.map(routeLike);
  const asked = new Map<string, string>();
  for (const { path } of routes.filter(({ method }) => method === 'GET')) {
    for (const visitor of [staff, Staff.stranger(service)]) {
      const { html } = await visitor.get(ours.at(path));
      for (const one of askedBy(html)) asked.set(one, path);
    }
  }
  expect(asked.size).toBeGreaterThan(60);
  expect([...asked].filter(([one]) => !served.some((route) => route.test(one)))).toEqual([]);
});

it('every parameter that a page reads names something of a merchant’s, and is tried, or is said to name nothing', async () => {
  for (const route of ofMerchants()) for (const place of placesOf(route, ours)) await ours.owner.get(place);
  const names = ofMerchants().map(nameOf);
  const asked = [...read]
    .filter(([name]) => names.includes(name))
    .flatMap(([name, parameters]) => [...parameters].map((one) => `${name} ${one}`));
  const tried = Object.entries(QUERIES).flatMap(([name, parameters]) =>
    parameters.map(([one]) => `${name} ${one}`),
  );
  const nothing = Object.entries(NAMING_NOTHING).flatMap(([name, of]) => of.map((one) => `${name} ${one}`));
  expect(asked.sort()).toEqual([...new Set([...tried, ...nothing])].sort());
});

/** @returns the answers to a page's query that names something of this merchant's, and what nobody has */
async function answersTo(
  name: string,
  [parameter, kind, beside]: (typeof QUERIES)[string][number],
  rows: Tenant['rows'],
): Promise<string[]> {
  const { path } = routes.find((route) => nameOf(route) === name)!;
  const names = namesOf(rows, kind);
  const answers: string[] = [];
  for (const one of names) {
    const query = new URLSearchParams({ ...beside, [parameter]: one }).toString();
    const { status, location, html } = await ours.owner.get(`${ours.at(path)}?${query}`);
    answers.push(`${status} ${location} ${masked(html, names)}`);
  }
  return answers;
}

it('what a query names of another’s is as unknown as what nobody has, and of one’s own is found', async () => {
  const before = await stored();
  const wrong: string[] = [];
  for (const [name, parameters] of Object.entries(QUERIES)) {
    for (const naming of parameters) {
      const of = `${name} ${naming[0]} ${naming[1]}`;
      const told = unlike(await answersTo(name, naming, theirs.rows));
      wrong.push(...told.map((line) => `${of}: ${line}`));
      const isFound = unlike(await answersTo(name, naming, ours.rows)).length > 0;
      if (isFound === FINDING_NOTHING.includes(of))
        wrong.push(`${of} finds ${isFound ? 'one’s own' : 'nothing'}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(await stored()).toEqual(before);
});

/** Names of fields on the pages, so that a form that somebody adds is in the test without their doing. */
async function fieldNames(staff: Staff): Promise<string[]> {
  const names = new Set<string>();
  for (const route of routes.filter(({ method }) => method === 'GET')) {
    const { html } = await staff.get(ours.at(route.path));
    for (const [, name] of html.matchAll(/<(?:input|select|textarea|button)[^>]* name="([^"]+)"/g))
      names.add(name!);
  }
  for (const carried of ['csrf', 'shown']) names.delete(carried);
  return [...names];
}

it('a NUL in an address is refused, and in any field of a form it is left out or refused: no error of ours', async () => {
  const anew = () => Staff.of(service, { merchantId: ours.merchantId, role: 'owner', isOperator: true });
  let staff = await anew();
  const wrong: string[] = [];
  const names = await fieldNames(staff);
  expect(names.length).toBeGreaterThan(30);
  const fields = Object.fromEntries(names.map((name) => [name, 'a\0b']));
  const query = new URLSearchParams(fields).toString();
  const challenge = Buffer.from(JSON.stringify({ challenge: 'a\0b' })).toString('base64url');
  const json = JSON.stringify({ id: 'a\0b', response: { clientDataJSON: challenge, userHandle: 'a\0b' } });
  for (const route of routes) {
    const own = ours.at(route.path);
    const asked = [`${own}?${query}`, route.path.includes(':') ? route.path.replace(/:\w+/g, 'a%00b') : own];
    for (const path of asked.filter((one) => one.includes('%00'))) {
      const { status } = await call(staff, route, path);
      if (status !== 400)
        wrong.push(`${nameOf(route)} in its ${path.includes('?') ? 'query' : 'path'}: ${status}`);
    }
    if (route.method === 'GET') continue;
    const { status, location } = await staff.post(own, { ...fields, credential: json });
    if (status >= 500) wrong.push(`${nameOf(route)} in its fields: ${status}`);
    if (location?.startsWith('/dashboard/sign-in')) staff = await anew();
  }
  expect(wrong).toEqual([]);
});
