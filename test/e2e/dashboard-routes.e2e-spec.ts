import { DataSource } from 'typeorm';
import {
  MERCHANT_PERMISSIONS,
  ROLES,
  type Permission,
  type Role,
} from '../../src/modules/accounts/accounts.types.js';
import { exampleShop, type Example } from '../support/dashboard-examples.js';
import { dashboardRoutes, type DashboardRoute } from '../support/dashboard-routes.js';
import { Service } from '../support/service.js';
import { Staff } from '../support/staff.js';

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
      permission === 'self' ||
      (permission !== 'operator' && (MERCHANT_PERMISSIONS[permission] as readonly Role[]).includes(role)),
  });
  const operator: Visitor = {
    name: 'operator',
    staff: await Staff.of(service, { isOperator: true }),
    may: (permission) => permission === 'self' || permission === 'operator',
  };
  visitors = [...(await Promise.all(ROLES.map(ofRole))), operator];
});
afterAll(() => service.stop());

const nameOf = ({ method, path }: DashboardRoute) => `${method} ${path}`;
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
  return permission === 'self' && path.includes(':') && status === 404;
}

it('an owner finds nothing under another merchant’s ids, and changes nothing', async () => {
  const before = await traces(theirs);
  const wrong: string[] = [];
  const withIds = guarded().filter(({ path, permission }) => path.includes(':') && permission !== 'operator');
  for (const route of withIds) {
    const { status, html } = await call(ours.owner, route, theirs.at(route.path));
    const isRefused = route.method === 'GET' ? status === 404 : status >= 400 && status < 500;
    if (!isRefused || html.includes('Their Shop')) wrong.push(`${nameOf(route)}: ${status}`);
  }
  expect(wrong).toEqual([]);
  expect(await traces(theirs)).toBe(before);
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
