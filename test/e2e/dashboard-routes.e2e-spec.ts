import { DataSource } from 'typeorm';
import {
  CHANGES_NEED,
  isMerchantPermission,
  MERCHANT_PERMISSIONS,
  ROLES,
  type Permission,
  type Role,
} from '../../src/modules/accounts/accounts.types.js';
import type { AlertKind } from '../../src/modules/alerts/alerts.types.js';
import { linkOf, mailAbout } from '../../src/modules/alerts/domain/wording.js';
import { exampleShop, type Example } from '../support/dashboard-examples.js';
import { dashboardRoutes, type DashboardRoute } from '../support/dashboard-routes.js';
import { nameOf } from '../support/routes.js';
import { Service } from '../support/service.js';
import { Staff } from '../support/staff.js';
import { tenantRows } from '../support/tenant-rows.js';

interface Visitor {
  readonly name: string;
  readonly staff: Staff;
  readonly may: (permission: Permission) => boolean;
}

let service: Service;
let ours: Example;
let theirs: Example;
let routes: DashboardRoute[];
let visitors: Visitor[];

beforeAll(async () => {
  // Every visitor is an address of its own, so that nobody uses up another's requests of the minute.
  service = await Service.start({ env: { TRUST_PROXY: '1' } });
  [ours, theirs] = [await exampleShop(service, 'Our Shop'), await exampleShop(service, 'Their Shop')];
  routes = dashboardRoutes(service.app);
  const ofRole = async (role: Role): Promise<Visitor> => ({
    name: role,
    staff: await Staff.of(service, { merchantId: ours.merchantId, role }),
    may: (permission) =>
      isOnesOwn(permission) ||
      (isMerchantPermission(permission) &&
        (MERCHANT_PERMISSIONS[permission] as readonly Role[]).includes(role)),
  });
  const operator: Visitor = {
    name: 'operator',
    staff: await Staff.of(service, { isOperator: true }),
    may: (permission) => isOnesOwn(permission) || permission.startsWith('operator'),
  };
  visitors = [...(await Promise.all(ROLES.map(ofRole))), operator];
});
afterAll(() => service.stop());

const isOnesOwn = (permission: Permission) => permission === 'self' || permission === 'account';
const guarded = () => routes.filter(({ permission }) => permission !== null);
const call = (staff: Staff, { method }: DashboardRoute, path: string, headers?: Record<string, string>) =>
  method === 'GET' ? staff.get(path, headers) : staff.post(path, {}, headers);

/** What belongs to a merchant, counted: a refusal must not have changed any of it. */
async function traces({ merchantId }: Example): Promise<string> {
  const [row] = await service.app.get(DataSource).query<[object]>(
    `SELECT (SELECT jsonb_agg(to_jsonb(m) ORDER BY m.id) FROM merchant m WHERE id = $1) AS merchant,
            (SELECT jsonb_agg(to_jsonb(k) - 'last_used_at' ORDER BY k.id) FROM api_key k WHERE merchant_id = $1) AS keys,
            (SELECT jsonb_agg(to_jsonb(w) ORDER BY w.id) FROM webhook_endpoint w WHERE merchant_id = $1) AS endpoints,
            (SELECT jsonb_agg(to_jsonb(s) ORDER BY s.person_id) FROM membership s WHERE merchant_id = $1) AS people,
            (SELECT jsonb_agg(to_jsonb(l) ORDER BY l.created_at) FROM one_time_link l WHERE merchant_id = $1) AS links,
            (SELECT jsonb_agg(i.status ORDER BY i.id) FROM intent i WHERE merchant_id = $1) AS statuses,
            (SELECT count(*) FROM audit_entry WHERE merchant_id = $1) AS audited`,
    [merchantId],
  );
  return JSON.stringify(row);
}

it('every route names exactly one permission', () => {
  expect(routes.length).toBeGreaterThan(5);
  expect(routes.filter(({ permission }) => permission === undefined).map(nameOf)).toEqual([]);
});

it('a stranger is sent to the sign-in, whatever is asked', async () => {
  const stranger = Staff.stranger(service);
  const open: string[] = [];
  for (const route of guarded()) {
    const { status, location } = await call(stranger, route, ours.at(route.path));
    if (status !== 303 || !location!.startsWith('/dashboard/sign-in'))
      open.push(`${nameOf(route)}: ${status}`);
  }
  expect(open).toEqual([]);
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
  const before = await tenantRows(service.app.get(DataSource), ours.merchantId);
  const open: string[] = [];
  for (const route of guarded()) {
    const { status, location } = await call(staff, route, ours.at(route.path));
    if (status !== 303 || !location!.startsWith('/dashboard/sign-in'))
      open.push(`${nameOf(route)}: ${status} ${location}`);
  }
  expect(open).toEqual([]);
  expect(await tenantRows(service.app.get(DataSource), ours.merchantId)).toEqual(before);
});

it.each([...ROLES, 'operator'])('%s gets what the table says, and nothing else', async (name) => {
  const { staff, may } = visitors.find((visitor) => visitor.name === name)!;
  const wrong: string[] = [];
  const before = await traces(ours);
  for (const route of guarded()) {
    const allowed = may(route.permission!);
    // What would change something is tried only by those who must not.
    if (allowed && route.method === 'POST') continue;
    const { status, location } = await call(staff, route, ours.at(route.path));
    const isElsewhere = status === 303 && location === '/dashboard/operator' && name === 'operator';
    const isRight = allowed ? status === 200 || isOthers(route, status) : status === 403 || isElsewhere;
    if (!isRight) wrong.push(`${nameOf(route)}: ${status} ${location ?? ''}`);
  }
  expect(wrong).toEqual([]);
  expect(await traces(ours)).toBe(before);
});

/** One's own account has no page of another person's session, even for a colleague. */
function isOthers({ permission, path }: DashboardRoute, status: number): boolean {
  return (permission === 'self' || permission === 'account') && path.includes(':') && status === 404;
}

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
    'coin-unwatched': ofInstance('ethereum'),
    'rates-unavailable': ofInstance('rates'),
    'nodes-disagree': ofInstance('ethereum'),
    'intent-undecidable': ofInstance(payment),
    'wallet-gap': { subject: 'xk_1', reader: 'owner' },
    'chain-difference': ofInstance('ethereum'),
  };
};

it('the link of every alert’s mail and message leads its reader to a page', async () => {
  const operator = visitors.find(({ name }) => name === 'operator')!.staff;
  const dead: string[] = [];
  for (const [kind, { subject, reader }] of Object.entries(alertExamples())) {
    const alert = { id: 'alr_1', kind: kind as AlertKind, subject, summary: 'Trouble', detail: 'Look.' };
    const { text } = mailAbout({ ...alert, raisedAt: new Date() }, 'Our Shop', service.url);
    const links = text.match(/https?:\/\/\S+/g) ?? [];
    for (const link of [...links, linkOf(alert, service.url)]) {
      const { status } = await (reader === 'owner' ? ours.owner : operator).get(
        link.slice(service.url.length),
      );
      if (status !== 200) dead.push(`${kind}: ${link} ${status}`);
    }
    expect(links).toHaveLength(1);
  }
  expect(dead).toEqual([]);
});

/** What any form here takes: nothing is refused for a field, so that only whose it is can be the reason. */
const VALID_FORM = {
  ...{ note: 'a note', reason: 'a reason', role: 'developer', url: 'http://localhost:9/other' },
  ...{ since: '2026-01-01T00:00', held: 'send', money: 'on', amount: '1', asset: 'USDC@ethereum', txid: '' },
  ...{ email: 'somebody@staff.example', password: Staff.PASSWORD },
};

/** An invitation is shown and taken by its link, whoever holds that: its own tests say whose it is. */
const BY_LINK = (path: string) => path.includes('/link/:');

it('an owner finds nothing under another’s ids, and changes nothing of theirs', async () => {
  const dataSource = service.app.get(DataSource);
  const before = await tenantRows(dataSource, theirs.merchantId);
  expect(Object.keys(before).length).toBeGreaterThan(8);
  const wrong: string[] = [];
  const withIds = guarded().filter(
    ({ path, permission }) => path.includes(':') && !permission!.startsWith('operator') && !BY_LINK(path),
  );
  for (const route of withIds) {
    const path = theirs.at(route.path);
    const { status, html } = await (route.method === 'GET'
      ? ours.owner.get(path)
      : ours.owner.post(path, VALID_FORM));
    const words = ['Their Shop', theirs.merchantId, theirs.owner.email, 'Order 1001'];
    const told = words.filter((word) => html.includes(word));
    if (status !== 404 || told.length > 0) wrong.push(`${nameOf(route)}: ${status} ${told.join(', ')}`);
  }
  expect(wrong).toEqual([]);
  expect(await tenantRows(dataSource, theirs.merchantId)).toEqual(before);
});

it('no form is taken from another site, or without its token, not even from an owner who operates', async () => {
  const staff = await Staff.of(service, { merchantId: ours.merchantId, role: 'owner', isOperator: true });
  const before = await traces(ours);
  const wrong: string[] = [];
  for (const route of routes.filter(({ method }) => method === 'POST')) {
    const path = ours.at(route.path);
    const foreign = await staff.post(path, {}, { origin: 'https://evil.example' });
    const without = route.permission === null ? foreign : await staff.post(path, { csrf: '' });
    if (foreign.status !== 403 || without.status !== 403)
      wrong.push(`${nameOf(route)}: ${foreign.status} ${without.status}`);
  }
  expect(wrong).toEqual([]);
  expect(await traces(ours)).toBe(before);
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
  'POST /dashboard/review/:id/dismiss',
  'POST /dashboard/review/:id/refund',
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
  const before = await traces(ours);
  const changes = guarded().filter(({ method }) => method === 'POST');
  const byProof = changes.filter((route) => !BY_SESSION_ALONE.includes(nameOf(route)));
  expect(byProof.length).toBeGreaterThan(20);
  const open: string[] = [];
  for (const route of byProof) {
    const { status, location } = await staff.post(ours.at(route.path));
    if (status !== 303 || !location!.startsWith('/dashboard/confirm'))
      open.push(`${nameOf(route)}: ${status}`);
  }
  expect(open).toEqual([]);
  expect(await traces(ours)).toBe(before);
  const declared = changes.filter(({ permission }) => CHANGES_NEED[permission!] === 'session').map(nameOf);
  expect(declared.sort()).toEqual([...BY_SESSION_ALONE].sort());
});

/** Names of fields on the pages, so that a form that somebody adds is in the test without their doing. */
async function fieldNames(staff: Staff): Promise<string[]> {
  const names = new Set<string>();
  for (const route of routes.filter(({ method }) => method === 'GET')) {
    const { html } = await staff.get(ours.at(route.path));
    for (const [, name] of html.matchAll(/<(?:input|select|textarea|button)[^>]* name="([^"]+)"/g))
      names.add(name!);
  }
  names.delete('csrf');
  return [...names];
}

it('a NUL in an address or in any field of a form is refused, and no error of ours', async () => {
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
