import {
  MERCHANT_PERMISSIONS,
  type Permission,
  type Role,
  STANDING_ALLOWS,
} from '../../../src/modules/accounts/accounts.types.js';
import { isMerchantPermission } from '../../../src/modules/accounts/permissions.pure.js';
import type { MerchantStatus } from '../../../src/modules/merchants/merchants.types.js';
import { ChangesStage, isOnesOwn, wrongEntries } from '../../support/dashboard/changes-stage.js';
import { CHANGES, PARTS } from '../../support/dashboard/dashboard-changes.js';
import type { DashboardRoute } from '../../support/dashboard/dashboard-routes.js';
import { aPerson, type Person } from '../../support/dashboard/dashboard-stage.js';
import { MOVED_BY_JOBS } from '../../support/database/tenant-rows.js';
import { nameOf } from '../../support/service/routes.js';

/**
 * Who asks, by the role where they look; `null` has none there. What one role alone is refused is tried elsewhere
 * (dashboard-routes, of a closed merchant too). `all of merchants`: here too, with forms that others' are taken with;
 * `all`: their own account besides. `standing`: the merchant's when they ask; what they ask about is from before, and
 * nothing was paid before the approval.
 */
interface Principal {
  readonly role: Role | null;
  readonly isOperator?: true;
  readonly standing?: Exclude<MerchantStatus, 'approved'>;
  readonly tries: 'what they may' | 'all of merchants' | 'all';
  readonly make: () => Promise<Person>;
}

const anOwner = () => stage.anOwner();

const PRINCIPALS: Readonly<Record<string, Principal>> = {
  developer: {
    role: 'developer',
    tries: 'what they may',
    make: () => aPerson(stage.service, [[stage.world.merchantId, 'developer']]),
  },
  reviewer: {
    role: 'reviewer',
    tries: 'what they may',
    make: () => aPerson(stage.service, [[stage.world.merchantId, 'reviewer']]),
  },
  'an owner of a pending merchant': {
    role: 'owner',
    standing: 'pending',
    tries: 'what they may',
    make: anOwner,
  },
  'an owner of a suspended merchant': {
    role: 'owner',
    standing: 'suspended',
    tries: 'what they may',
    make: anOwner,
  },
  'an operator': {
    role: null,
    isOperator: true,
    tries: 'what they may',
    make: () => aPerson(stage.service, [], true),
  },
  'an operator who may only read here': {
    role: 'read-only',
    isOperator: true,
    tries: 'all of merchants',
    make: () => aPerson(stage.service, [[stage.world.merchantId, 'read-only']], true),
  },
  'an owner who may only read elsewhere': {
    role: 'owner',
    tries: 'all',
    make: () =>
      aPerson(stage.service, [
        [stage.world.merchantId, 'owner'],
        [stage.world.otherId, 'read-only'],
      ]),
  },
  'a reader who owns another': {
    role: 'read-only',
    tries: 'all of merchants',
    make: () =>
      aPerson(stage.service, [
        [stage.world.merchantId, 'read-only'],
        [stage.world.otherId, 'owner'],
      ]),
  },
  'somebody without a merchant': { role: null, tries: 'all', make: () => aPerson(stage.service, []) },
};

let stage: ChangesStage;

beforeAll(async () => {
  stage = await ChangesStage.start();
});
afterAll(() => stage?.stop());

function may(name: string, permission: Permission | null): boolean {
  if (isOnesOwn(permission)) return true;
  const { role, isOperator = false, standing = 'approved' } = PRINCIPALS[name]!;
  if (!isMerchantPermission(permission)) return isOperator;
  const roles: readonly Role[] = MERCHANT_PERMISSIONS[permission];
  return role !== null && roles.includes(role) && STANDING_ALLOWS[standing] === 'their role';
}

/** @returns what was not as it must be */
async function run(
  route: DashboardRoute,
  who: Person,
  isAllowed: boolean,
  { role, standing }: Principal,
): Promise<string[]> {
  // Known by now: else the first request of each would learn it.
  await stage.query(`UPDATE person SET language = 'en' WHERE id = $1`, [who.id]);
  const { path, form, staff = who.staff } = await CHANGES[nameOf(route)]!(stage.world, who);
  await stand(standing ?? 'approved');
  const { status, location, changed, actors } = await stage.outcomeOf(() => staff.post(path, form), who.id);
  await stand('approved');
  const wrong: string[] = [];
  const isTaken = status === 200 || status === 201 || (status === 303 && !/\/confirm/.test(location!));
  const isElsewhere =
    role === null && status === 303 && /^\/dashboard\/(operator|invitations)$/.test(location!);
  if (isAllowed ? !isTaken : status !== 403 && !isElsewhere) wrong.push(`${status} ${location ?? ''}`);
  if (isAllowed && route.access?.unrecorded !== 'nothing is stored' && changed.length === 0)
    wrong.push('changed nothing');
  const more = changed.filter((name) => !MOVED_BY_JOBS.includes(name));
  if (!isAllowed && more.length > 0) wrong.push(`changed ${more.join(', ')}`);
  if (isAllowed) wrong.push(...wrongEntries(route, actors, staff.email));
  else if (actors.length > 0) wrong.push(`left entries of ${actors.join(', ')}`);
  return wrong;
}

async function stand(status: MerchantStatus): Promise<void> {
  await stage.query(`UPDATE merchant SET status = $2 WHERE id = $1 AND status <> $2`, [
    stage.world.merchantId,
    status,
  ]);
}

describe.each(Object.keys(PRINCIPALS))('%s', (name) => {
  it.each(PARTS)(
    'changes in %s what the table says, leaves who it was, and nothing of anybody else’s',
    async (part) => {
      const principal = PRINCIPALS[name]!;
      const { role, standing = 'approved', tries, make } = principal;
      const wrong: string[] = [];
      let lasting: Person | null = null;
      for (const route of stage.postsIn(part)) {
        const { permission } = route;
        const isAllowed = may(name, permission!);
        const isOwn = isOnesOwn(permission!);
        if (isOwn ? tries !== 'all' : tries === 'what they may' && !isAllowed) continue;
        if (standing === 'pending' && !/:manage$/.test(permission!)) continue;
        // Only who belongs to two merchants can look at the other.
        if (nameOf(route) === 'POST /dashboard/merchant' && role === null) continue;
        // What somebody does to their own account may end their session. A proof of identity lasts longer than a test may.
        const who = isOwn ? await make() : (lasting ??= await make());
        const found = await run(route, who, isAllowed, principal);
        if (found.length > 0) wrong.push(`${nameOf(route)}: ${found.join('; ')}`);
      }
      expect(wrong).toEqual([]);
    },
  );
});
