import type { Permission, Role, SignedIn } from '../../../src/modules/accounts/accounts.types.js';
import { isMerchantPermission } from '../../../src/modules/accounts/permissions.pure.js';
import { GUESSER_NAMES } from '../../../src/modules/accounts/sessions/domain/guess-limits.js';
import { SessionsService } from '../../../src/modules/accounts/sessions/sessions.service.js';
import { OTHER_CHANGES } from '../../support/api/other-changes.js';
import {
  BESIDE_A_CHANGE,
  ChangesStage,
  isOnesOwn,
  wrongEntries,
} from '../../support/dashboard/changes-stage.js';
import { CHANGES, partOf, PARTS } from '../../support/dashboard/dashboard-changes.js';
import { kindOf, masked, namesOf, unlike } from '../../support/dashboard/dashboard-names.js';
import {
  answerBy,
  aPerson,
  type Asked,
  D,
  PASSKEYS,
  type Person,
  withPasskey,
} from '../../support/dashboard/dashboard-stage.js';
import { Staff } from '../../support/dashboard/staff.js';
import { MOVED_BY_JOBS } from '../../support/database/tenant-rows.js';
import { nameOf, routesOf } from '../../support/service/routes.js';

let stage: ChangesStage;

beforeAll(async () => {
  stage = await ChangesStage.start();
});
afterAll(() => stage?.stop());

/** Every route that changes something and has a handler: the only one without reads bodies (api-routes). */
const changing = () => routesOf(stage.service.app).filter(({ method, access }) => method !== 'GET' && access);

it('each change has a request that is taken, and a new route needs one', () => {
  const tried = [...Object.keys(CHANGES), ...Object.keys(OTHER_CHANGES)];
  expect(changing().map(nameOf).sort()).toEqual(tried.sort());
});

it('a merchant’s server and a buyer change what is theirs, and it is recorded where the route says', async () => {
  const wrong: string[] = [];
  for (const route of changing().filter((one) => nameOf(one) in OTHER_CHANGES)) {
    const { by, table, form, send } = await OTHER_CHANGES[nameOf(route)]!(stage.world);
    const { status, changed, actors } = await stage.outcomeOf(() => send(form), '');
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

const BESIDE = 'the API and the checkout';
const placeOf = (name: string) => (name in OTHER_CHANGES ? BESIDE : partOf(name));

it.each([...PARTS, BESIDE])(
  'what a form of %s names of another’s is as unknown as what nobody has, and nothing of theirs changes',
  async (place) => {
    const owner = await stage.anOwner();
    const named: string[] = [];
    const wrong: string[] = [];
    for (const name of changing()
      .map(nameOf)
      .filter((one) => placeOf(one) === place)) {
      const permission = stage.posts.find((post) => nameOf(post) === name)?.permission ?? null;
      // Who operates may name anybody's.
      if (permission?.startsWith('operator')) continue;
      const who = isOnesOwn(permission) ? await stage.anOwner() : owner;
      const { form, send } = await requestOf(name, who);
      const fields = Object.keys(form).filter((field) => kindOf(form[field]) !== null);
      named.push(...fields.map((field) => `${name} ${field}`));
      // Each by itself, and all of them: what one is refused for must not be what keeps the other out.
      for (const group of fields.length > 1 ? [...fields.map((field) => [field]), fields] : [fields]) {
        if (group.length === 0) continue;
        const names = group.map((field) => namesOf(stage.theirRows, kindOf(form[field])!));
        const answers: string[] = [];
        for (const nth of [0, 1] as const) {
          const foreign = group.map((field, i) => [
            field,
            Array.isArray(form[field]) ? [names[i]![nth]] : names[i]![nth],
          ]);
          let body = '';
          const { status, location, changed } = await stage.outcomeOf(async () => {
            const answer = await send({ ...form, ...Object.fromEntries(foreign) });
            body = answer.body;
            return answer;
          }, who.id);
          answers.push(`${status} ${location} ${masked(body, names.flat())}`);
          // Anybody may be invited, whoever else has done so.
          const mayBeTaken = group.every((field) => kindOf(form[field]) === 'email');
          const isRefused = status >= 400 && changed.every((table) => MOVED_BY_JOBS.includes(table));
          if (!mayBeTaken && !isRefused)
            wrong.push(`${name} ${group.join()}: ${status} ${changed.join(', ')}`);
        }
        wrong.push(...unlike(answers).map((line) => `${name} ${group.join()}: ${line}`));
      }
    }
    expect(wrong).toEqual([]);
    expect(named).toEqual(expect.arrayContaining(NAMING.filter((name) => placeOf(name) === place)));
  },
);

async function requestOf(name: string, who: Person) {
  if (name in OTHER_CHANGES) {
    const { form, send } = await OTHER_CHANGES[name]!(stage.world);
    return {
      form,
      send: async (fields: typeof form) => {
        const answer = await send(fields);
        return { status: answer.status, headers: answer.headers, body: await answer.text() };
      },
    };
  }
  const { path, form = {}, staff = who.staff } = await CHANGES[name]!(stage.world, who);
  return {
    form,
    send: async (fields: Readonly<Record<string, unknown>>) => {
      const { status, headers, html } = await staff.post(path, fields as NonNullable<Asked['form']>);
      return { status, headers, body: html };
    },
  };
}

it.each(PARTS)(
  'sent once more, a change in %s leaves an entry only where something has changed again',
  async (part) => {
    const operator = await aPerson(stage.service, [], true);
    const wrong: string[] = [];
    for (const route of stage.postsIn(part)) {
      const who = route.permission?.startsWith('operator') ? operator : await stage.anOwner();
      const { path, form, staff = who.staff } = await CHANGES[nameOf(route)]!(stage.world, who);
      await staff.post(path, form);
      const { status, changed, actors } = await stage.outcomeOf(() => staff.post(path, form), who.id);
      // What is refused leaves an entry that says so.
      if (status < 400 && actors.length > 0 && changed.every((name) => BESIDE_A_CHANGE.includes(name)))
        wrong.push(`${nameOf(route)}: ${actors.length} entries`);
    }
    expect(wrong).toEqual([]);
  },
);

it.each(PARTS)(
  'a form of a page of another merchant, or of no page, changes nothing in %s: neither here nor there',
  async (part) => {
    const { merchantId, otherId } = stage.world;
    const both = await aPerson(stage.service, [
      [merchantId, 'owner'],
      [otherId, 'owner'],
    ]);
    const ofMerchants = stage.postsIn(part).filter(({ permission }) => isMerchantPermission(permission!));
    expect(ofMerchants.length > 0).toBe(part !== 'accounts');
    const wrong: string[] = [];
    for (const route of ofMerchants) {
      // It would be taken with the page of the first, as whoever may is tried with it (changes-by-role).
      const { path, form } = await CHANGES[nameOf(route)]!(stage.world, both);
      for (const shown of [otherId, []]) {
        const { status, changed, actors } = await stage.outcomeOf(
          () => both.staff.post(path, { ...form, shown }),
          both.id,
        );
        const more = changed.filter((name) => !MOVED_BY_JOBS.includes(name));
        if (status !== 409 || more.length + actors.length > 0)
          wrong.push(
            `${nameOf(route)} of ${[shown].flat().join() || 'none'}: ${status} ${more.join(', ')}; ${actors.length} entries`,
          );
      }
    }
    expect(wrong).toEqual([]);
  },
);

interface Loss {
  readonly isOf: (permission: Permission) => boolean;
  readonly take: (who: SignedIn) => Promise<unknown>;
  /** Before it is looked at what has changed. */
  readonly giveBack: (who: Person) => Promise<unknown>;
}

const setPart = (personId: string, role: Role, isOperator: boolean) =>
  stage.query(
    `WITH here AS (UPDATE membership SET role = $2 WHERE person_id = $1 AND merchant_id = $4)
     UPDATE person SET is_operator = $3 WHERE id = $1`,
    [personId, role, isOperator, stage.world.merchantId],
  );

/** What whoever was let in loses before their change is recorded: its body may be held back, and much is slow besides. */
const LOSSES: readonly (readonly [string, Loss])[] = [
  [
    'their session',
    {
      isOf: () => true,
      take: ({ sessionId }) => stage.query('DELETE FROM session WHERE id = $1', [sessionId]),
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

describe.each(LOSSES)('who loses %s at that moment', (_what, loss) => {
  it.each(PARTS)('changes nothing in %s, and leaves no entry of theirs', async (part) => {
    const sessions = stage.service.app.get(SessionsService);
    const find = sessions.find.bind(sessions);
    const wrong: string[] = [];
    for (const route of stage.postsIn(part)) {
      const { permission = null, access } = route;
      if (permission === null || access?.unrecorded !== null || !loss.isOf(permission)) continue;
      // An operator and an owner at once, so that both are given back.
      const who = await stage.anOwner();
      await setPart(who.id, 'owner', true);
      const { path, form } = await CHANGES[nameOf(route)]!(stage.world, who);
      await who.staff.get(`${D}/confirm`);
      const { changed, actors } = await stage.outcomeOf(async () => {
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
  });
});

it('a passkey leaves an entry when it is added, proves, signs in and is removed', async () => {
  const who = await aPerson(stage.service, []);
  const device = await withPasskey(stage.world, who);
  const elsewhere = Staff.stranger(stage.service, who.staff.email);
  await elsewhere.post(`${D}/sign-in/passkey`, await answerBy(device, elsewhere));
  await who.staff.post(`${D}/confirm/passkey`, await answerBy(device, who.staff));
  const [{ id } = { id: '' }] = await stage.query<{ id: string }>(
    'SELECT id FROM passkey WHERE person_id = $1',
    [who.id],
  );
  await who.staff.post(`${PASSKEYS}/${id}/remove`);
  const entries = await stage.query<{ action: string }>(
    `SELECT action FROM audit_entry WHERE actor = $1 AND action <> 'signed-in.new-device' ORDER BY id`,
    [who.staff.email],
  );
  // The first is their own, before they have a passkey.
  const actions = ['signed-in', 'passkey.added', 'signed-in', 'identity.proven', 'passkey.removed'];
  expect(entries.map(({ action }) => action)).toEqual(actions);
});
