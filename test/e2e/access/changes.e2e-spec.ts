import { DataSource } from 'typeorm';
import {
  MERCHANT_PERMISSIONS,
  type Permission,
  type Role,
  type SignedIn,
  STANDING_ALLOWS,
} from '../../../src/modules/accounts/accounts.types.js';
import { isMerchantPermission } from '../../../src/modules/accounts/permissions.pure.js';
import { GUESSER_NAMES } from '../../../src/modules/accounts/sessions/domain/guess-limits.js';
import { SessionsService } from '../../../src/modules/accounts/sessions/sessions.service.js';
import { PasswordRequestsRepository } from '../../../src/modules/accounts/sign-in/data/password-requests.repository.js';
import type { MerchantStatus } from '../../../src/modules/merchants/merchants.types.js';
import { OTHER_CHANGES } from '../../support/api/other-changes.js';
import { CHANGES } from '../../support/dashboard/dashboard-changes.js';
import type { Example } from '../../support/dashboard/dashboard-examples.js';
import { kindOf, masked, namesOf, unlike } from '../../support/dashboard/dashboard-names.js';
import { type DashboardRoute, dashboardRoutes } from '../../support/dashboard/dashboard-routes.js';
import {
  answerBy,
  aPerson,
  type Asked,
  aWorld,
  D,
  PASSKEYS,
  type Person,
  withPasskey,
  type World,
} from '../../support/dashboard/dashboard-stage.js';
import { wholeTenant } from '../../support/dashboard/dashboard-tenant.js';
import { Staff } from '../../support/dashboard/staff.js';
import { MOVED_BY_JOBS, personRows, tenantRows } from '../../support/database/tenant-rows.js';
import { SILENT_CHAIN } from '../../support/nodes/wallet.js';
import { nameOf, type Route, routesOf } from '../../support/service/routes.js';
import { Service } from '../../support/service/service.js';
import { written } from '../../support/service/written.js';

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

const anOwner = () => aPerson(service, [[world.merchantId, 'owner']]);

const PRINCIPALS: Readonly<Record<string, Principal>> = {
  developer: {
    role: 'developer',
    tries: 'what they may',
    make: () => aPerson(service, [[world.merchantId, 'developer']]),
  },
  reviewer: {
    role: 'reviewer',
    tries: 'what they may',
    make: () => aPerson(service, [[world.merchantId, 'reviewer']]),
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
    make: () => aPerson(service, [], true),
  },
  'an operator who may only read here': {
    role: 'read-only',
    isOperator: true,
    tries: 'all of merchants',
    make: () => aPerson(service, [[world.merchantId, 'read-only']], true),
  },
  'an owner who may only read elsewhere': {
    role: 'owner',
    tries: 'all',
    make: () =>
      aPerson(service, [
        [world.merchantId, 'owner'],
        [world.otherId, 'read-only'],
      ]),
  },
  'a reader who owns another': {
    role: 'read-only',
    tries: 'all of merchants',
    make: () =>
      aPerson(service, [
        [world.merchantId, 'read-only'],
        [world.otherId, 'owner'],
      ]),
  },
  'somebody without a merchant': { role: null, tries: 'all', make: () => aPerson(service, []) },
};

let service: Service;
let world: World;
/** Nobody of ours belongs to it. */
let theirs: Example;
/** Before anything was changed: what makes a change possible must leave them alone as well. */
let theirRows: Readonly<Record<string, string>>;
let posts: DashboardRoute[];

beforeAll(async () => {
  // A job that answers one would leave its link and its entry between those of any other change.
  jest.spyOn(PasswordRequestsRepository.prototype, 'take').mockResolvedValue(null);
  service = await Service.start({
    chain: SILENT_CHAIN,
    standsAt: 1_000,
    env: { TRUST_PROXY: '1', SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'Rappen <pay@rappen.example>' },
  });
  world = await aWorld(service);
  theirs = await wholeTenant(service, 'Their Shop');
  await query(`UPDATE merchant SET accept_seen_late = false`, []);
  theirRows = await ofTheirs();
  posts = dashboardRoutes(service.app).filter(({ method }) => method === 'POST');
});
afterAll(async () => {
  await service?.stop();
});

const query = <Row>(sql: string, values: readonly unknown[]) =>
  service.app.get(DataSource).query<Row[]>(sql, [...values]);

const isOnesOwn = (permission: Permission | null) =>
  permission === null || permission === 'self' || permission === 'account';

function may(name: string, permission: Permission | null): boolean {
  if (isOnesOwn(permission)) return true;
  const { role, isOperator = false, standing = 'approved' } = PRINCIPALS[name]!;
  if (!isMerchantPermission(permission)) return isOperator;
  const roles: readonly Role[] = MERCHANT_PERMISSIONS[permission];
  return role !== null && roles.includes(role) && STANDING_ALLOWS[standing] === 'their role';
}

/** What is stored of a merchant and its people, of who asks, and of nobody, without the log of changes. */
async function stored(merchantId: string, personId: string): Promise<Record<string, string>> {
  const dataSource = service.app.get(DataSource);
  const { audit_entry: _, session: __, ...rows } = await tenantRows(dataSource, merchantId);
  const { audit_entry: ___, ...own } = await personRows(dataSource, personId);
  const [beside] = await query<Record<string, unknown>>(
    `SELECT (SELECT count(*) FROM passkey_challenge) AS challenges,
            (SELECT jsonb_agg(l.* ORDER BY l.id) FROM one_time_link l) AS links,
            (SELECT jsonb_agg(r.* ORDER BY r.email) FROM password_request r) AS requests,
            (SELECT jsonb_agg((e.id, e.recipient, e.subject, e.stands_for) ORDER BY e.id) FROM outgoing_mail e) AS mails,
            (SELECT jsonb_agg(to_jsonb(a) ORDER BY id) FROM alert a WHERE merchant_id IS NULL) AS alerts,
            (SELECT jsonb_agg(to_jsonb(m) ORDER BY id) FROM merchant m) AS merchants`,
    [],
  );
  return {
    ...rows,
    ...Object.fromEntries(Object.entries(own).map(([name, of]) => [`own ${name}`, of])),
    ...Object.fromEntries(Object.entries(beside!).map(([name, of]) => [name, JSON.stringify(of)])),
  };
}

/**
 * Where people could look: who asks is one of its people, and has a session that says so. Others belong to the first merchant as
 * well, and are told of that.
 */
async function ofTheSecond(personId: string): Promise<object> {
  const {
    session: _,
    outgoing_mail: __,
    ...rows
  } = await tenantRows(service.app.get(DataSource), world.otherId, personId);
  const mails = await query(
    `SELECT e.id, e.recipient, e.subject, e.stands_for
     FROM membership ms JOIN person p ON p.id = ms.person_id JOIN outgoing_mail e ON e.recipient = p.email
     WHERE ms.merchant_id = $1 AND p.id <> $2
       AND NOT EXISTS (SELECT FROM membership f WHERE (f.person_id, f.merchant_id) = (p.id, $3)) ORDER BY e.id`,
    [world.otherId, personId, world.merchantId],
  );
  return { ...rows, mails };
}

const ofTheirs = () => tenantRows(service.app.get(DataSource), theirs.merchantId);

/** Every route that changes something and has a handler: the only one without reads bodies (api-routes). */
const changing = () => routesOf(service.app).filter(({ method, access }) => method !== 'GET' && access);

it('each change has a request that is taken, and a new route needs one', () => {
  const tried = [...Object.keys(CHANGES), ...Object.keys(OTHER_CHANGES)];
  expect(changing().map(nameOf).sort()).toEqual(tried.sort());
});

/** What became of a request, and what it left. */
interface Outcome {
  readonly status: number;
  readonly location: string | null;
  /** The tables that are not as before, but the log of changes. */
  readonly changed: readonly string[];
  /** Whom the log names, for each new entry. */
  readonly actors: readonly string[];
}

async function outcomeOf(
  send: () => Promise<Pick<Response, 'status' | 'headers'>>,
  personId: string,
): Promise<Outcome> {
  await written(service);
  await forgetMails();
  const second = await ofTheSecond(personId);
  const before = await stored(world.merchantId, personId);
  const [log] = await query<{ last: string }>('SELECT coalesce(max(id), 0) AS last FROM audit_entry', []);
  const { status, headers } = await send();
  await written(service);
  const entries = await query<{ actor: string }>('SELECT actor FROM audit_entry WHERE id > $1', [log!.last]);
  const after = await stored(world.merchantId, personId);
  expect(await ofTheSecond(personId)).toEqual(second);
  expect(await ofTheirs()).toEqual(theirRows);
  return {
    status,
    location: headers.get('location'),
    actors: entries.map(({ actor }) => actor),
    changed: Object.keys(after).filter((name) => after[name] !== before[name]),
  };
}

/**
 * Each change is told to everybody whom it concerns, and with all of that each comparison would read thousands of mails.
 * Those to people of whom nothing may change stay: who belongs to the second and to the first as well is told of the first.
 */
async function forgetMails(): Promise<void> {
  await query(
    `DELETE FROM outgoing_mail WHERE recipient NOT IN (
       SELECT p.email FROM person p JOIN membership ms ON ms.person_id = p.id
       WHERE ms.merchant_id IN ($1, $2)
         AND NOT EXISTS (SELECT FROM membership f WHERE (f.person_id, f.merchant_id) = (p.id, $3)))`,
    [theirs.merchantId, world.otherId, world.merchantId],
  );
}

/** @returns what is not as the route says of its entries */
function wrongEntries({ access }: Route, actors: readonly string[], by: string): string[] {
  const isRecorded = actors.length > 0 && actors.every((name) => name === by);
  const isRight = access?.unrecorded === null ? isRecorded : actors.length === 0;
  return isRight ? [] : [`left ${actors.length} entries of ${actors.join(', ') || 'nobody'}`];
}

/** @returns what was not as it must be */
async function run(
  route: DashboardRoute,
  who: Person,
  isAllowed: boolean,
  { role, standing }: Principal,
): Promise<string[]> {
  // Known by now: else the first request of each would learn it.
  await query(`UPDATE person SET language = 'en' WHERE id = $1`, [who.id]);
  const { path, form, staff = who.staff } = await CHANGES[nameOf(route)]!(world, who);
  await stand(standing ?? 'approved');
  const { status, location, changed, actors } = await outcomeOf(() => staff.post(path, form), who.id);
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
  await query(`UPDATE merchant SET status = $2 WHERE id = $1 AND status <> $2`, [world.merchantId, status]);
}

it('a merchant’s server and a buyer change what is theirs, and it is recorded where the route says', async () => {
  const wrong: string[] = [];
  for (const route of changing().filter((one) => nameOf(one) in OTHER_CHANGES)) {
    const { by, table, form, send } = await OTHER_CHANGES[nameOf(route)]!(world);
    const { status, changed, actors } = await outcomeOf(() => send(form), '');
    const found = wrongEntries(route, actors, by);
    if (![200, 201, 303].includes(status)) found.push(String(status));
    if (!changed.includes(table)) found.push(`changed ${changed.join(', ') || 'nothing'}`);
    if (found.length > 0) wrong.push(`${nameOf(route)}: ${found.join('; ')}`);
  }
  expect(wrong).toEqual([]);
});

/** Where a form of `CHANGES` or `OTHER_CHANGES` names something of a merchant's. */
const NAMING = [
  'POST /dashboard/merchant merchant',
  'POST /dashboard/refunds/new payment',
  'POST /dashboard/refunds/new seen',
];

it('what a form names of another’s is as unknown as what nobody has, and nothing of theirs changes', async () => {
  const owner = await anOwner();
  const named: string[] = [];
  const wrong: string[] = [];
  for (const route of changing()) {
    const name = nameOf(route);
    const permission = posts.find((post) => nameOf(post) === name)?.permission ?? null;
    // Who operates may name anybody's.
    if (permission?.startsWith('operator')) continue;
    const who = isOnesOwn(permission) ? await anOwner() : owner;
    const { form, send } = await requestOf(name, who);
    const fields = Object.keys(form).filter((field) => kindOf(form[field]) !== null);
    named.push(...fields.map((field) => `${name} ${field}`));
    // Each by itself, and all of them: what one is refused for must not be what keeps the other out.
    for (const group of fields.length > 1 ? [...fields.map((field) => [field]), fields] : [fields]) {
      if (group.length === 0) continue;
      const names = group.map((field) => namesOf(theirRows, kindOf(form[field])!));
      const answers: string[] = [];
      for (const place of [0, 1] as const) {
        const foreign = group.map((field, i) => [
          field,
          Array.isArray(form[field]) ? [names[i]![place]] : names[i]![place],
        ]);
        let body = '';
        const { status, location, changed } = await outcomeOf(async () => {
          const answer = await send({ ...form, ...Object.fromEntries(foreign) });
          body = answer.body;
          return answer;
        }, who.id);
        answers.push(`${status} ${location} ${masked(body, names.flat())}`);
        // Anybody may be invited, whoever else has done so.
        const mayBeTaken = group.every((field) => kindOf(form[field]) === 'email');
        const isRefused = status >= 400 && changed.every((table) => MOVED_BY_JOBS.includes(table));
        if (!mayBeTaken && !isRefused) wrong.push(`${name} ${group.join()}: ${status} ${changed.join(', ')}`);
      }
      wrong.push(...unlike(answers).map((line) => `${name} ${group.join()}: ${line}`));
    }
  }
  expect(wrong).toEqual([]);
  expect(named).toEqual(expect.arrayContaining(NAMING));
});

async function requestOf(name: string, who: Person) {
  if (name in OTHER_CHANGES) {
    const { form, send } = await OTHER_CHANGES[name]!(world);
    return {
      form,
      send: async (fields: typeof form) => {
        const answer = await send(fields);
        return { status: answer.status, headers: answer.headers, body: await answer.text() };
      },
    };
  }
  const { path, form = {}, staff = who.staff } = await CHANGES[name]!(world, who);
  return {
    form,
    send: async (fields: Readonly<Record<string, unknown>>) => {
      const { status, headers, html } = await staff.post(path, fields as NonNullable<Asked['form']>);
      return { status, headers, body: html };
    },
  };
}

/** What is told of a change, and how far the jobs are, is no change; that a delivery is sent again is one. */
const BESIDE_A_CHANGE = [...MOVED_BY_JOBS, 'mails'].filter((name) => name !== 'delivery');

it('sent once more, a change leaves an entry only where something has changed again', async () => {
  const operator = await aPerson(service, [], true);
  const wrong: string[] = [];
  for (const route of posts) {
    const who = route.permission?.startsWith('operator') ? operator : await anOwner();
    const { path, form, staff = who.staff } = await CHANGES[nameOf(route)]!(world, who);
    await staff.post(path, form);
    const { status, changed, actors } = await outcomeOf(() => staff.post(path, form), who.id);
    // What is refused leaves an entry that says so.
    if (status < 400 && actors.length > 0 && changed.every((name) => BESIDE_A_CHANGE.includes(name)))
      wrong.push(`${nameOf(route)}: ${actors.length} entries`);
  }
  expect(wrong).toEqual([]);
});

interface Loss {
  readonly isOf: (permission: Permission) => boolean;
  readonly take: (who: SignedIn) => Promise<unknown>;
  /** Before it is looked at what has changed. */
  readonly giveBack: (who: Person) => Promise<unknown>;
}

const setPart = (personId: string, role: Role, isOperator: boolean) =>
  query(
    `WITH here AS (UPDATE membership SET role = $2 WHERE person_id = $1 AND merchant_id = $4)
     UPDATE person SET is_operator = $3 WHERE id = $1`,
    [personId, role, isOperator, world.merchantId],
  );

/** What whoever was let in loses before their change is recorded: its body may be held back, and much is slow besides. */
const LOSSES: readonly (readonly [string, Loss])[] = [
  [
    'their session',
    {
      isOf: () => true,
      take: ({ sessionId }) => query('DELETE FROM session WHERE id = $1', [sessionId]),
      giveBack: () => Promise.resolve(),
    },
  ],
  [
    'what they were let in as',
    {
      isOf: (permission) => !isOnesOwn(permission),
      take: ({ personId }) => setPart(personId, 'read-only', false),
      giveBack: ({ id }) => setPart(id, 'owner', true),
    },
  ],
];

/** An answer of a passkey is looked at before, and counts once, whatever comes of it. */
const CHALLENGE = ['passkey_challenge', 'own passkey_challenge', 'challenges'];
const SPENT: Readonly<Record<string, readonly string[]>> = {
  'POST /dashboard/account/passkeys': CHALLENGE,
  'POST /dashboard/confirm/passkey': [...CHALLENGE, 'passkey', 'own passkey'],
};

it.each(LOSSES)(
  'who loses %s at that moment changes nothing, and leaves no entry of theirs',
  async (_what, loss) => {
    const sessions = service.app.get(SessionsService);
    const find = sessions.find.bind(sessions);
    const wrong: string[] = [];
    for (const route of posts) {
      const { permission = null, access } = route;
      if (permission === null || access?.unrecorded !== null || !loss.isOf(permission)) continue;
      // An operator and an owner at once, so that both are given back.
      const who = await anOwner();
      await setPart(who.id, 'owner', true);
      const { path, form } = await CHANGES[nameOf(route)]!(world, who);
      await who.staff.get(`${D}/confirm`);
      const { changed, actors } = await outcomeOf(async () => {
        const letIn = jest.spyOn(sessions, 'find').mockImplementationOnce(async (token) => {
          const found = await find(token);
          await loss.take(found!);
          return found;
        });
        const answer = await who.staff.post(path, form);
        letIn.mockRestore();
        await loss.giveBack(who);
        return answer;
      }, who.id);
      const beside = [...MOVED_BY_JOBS, ...(SPENT[nameOf(route)] ?? []), 'own session'];
      const more = changed.filter((name) => !beside.includes(name));
      // That something was right is noted (ADR 83), and names nobody.
      const named = actors.filter((name) => name !== GUESSER_NAMES.session);
      if (more.length + named.length > 0)
        wrong.push(`${nameOf(route)}: changed ${more.join(', ')}; ${named.length} entries`);
    }
    expect(wrong).toEqual([]);
  },
);

it('a passkey leaves an entry when it is added, proves, signs in and is removed', async () => {
  const who = await aPerson(service, []);
  const device = await withPasskey(world, who);
  const elsewhere = Staff.stranger(service, who.staff.email);
  await elsewhere.post(`${D}/sign-in/passkey`, await answerBy(device, elsewhere));
  await who.staff.post(`${D}/confirm/passkey`, await answerBy(device, who.staff));
  const [{ id } = { id: '' }] = await query<{ id: string }>('SELECT id FROM passkey WHERE person_id = $1', [
    who.id,
  ]);
  await who.staff.post(`${PASSKEYS}/${id}/remove`);
  const entries = await query<{ action: string }>(
    `SELECT action FROM audit_entry WHERE actor = $1 AND action <> 'signed-in.new-device' ORDER BY id`,
    [who.staff.email],
  );
  // The first is their own, before they have a passkey.
  const actions = ['signed-in', 'passkey.added', 'signed-in', 'identity.proven', 'passkey.removed'];
  expect(entries.map(({ action }) => action)).toEqual(actions);
});

describe.each(Object.keys(PRINCIPALS))('%s', (name) => {
  it('changes what the table says, leaves who it was, and nothing of anybody else’s', async () => {
    const principal = PRINCIPALS[name]!;
    const { role, standing = 'approved', tries, make } = principal;
    const wrong: string[] = [];
    const who = await make();
    for (const route of posts) {
      const { permission } = route;
      const isAllowed = may(name, permission!);
      const isOwn = isOnesOwn(permission!);
      if (isOwn ? tries !== 'all' : tries === 'what they may' && !isAllowed) continue;
      if (standing === 'pending' && !/:manage$/.test(permission!)) continue;
      // Only who belongs to two merchants can look at the other.
      if (nameOf(route) === 'POST /dashboard/merchant' && role === null) continue;
      // What somebody does to their own account may end their session.
      const found = await run(route, isOwn ? await make() : who, isAllowed, principal);
      if (found.length > 0) wrong.push(`${nameOf(route)}: ${found.join('; ')}`);
    }
    expect(wrong).toEqual([]);
  });
});
