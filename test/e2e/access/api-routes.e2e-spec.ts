import { readFileSync } from 'node:fs';
import { Controller, Get, Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PATHS } from '../../../src/app.product.js';
import { createApp, startApp } from '../../../src/app.setup.js';
import type { ProblemSlug } from '../../../src/kernel/domain-error.js';
import { AdmissionService } from '../../../src/modules/accounts/admission/admission.service.js';
import { ApiKeysService } from '../../../src/modules/auth/api-keys.service.js';
import type { Scope } from '../../../src/modules/auth/auth.types.js';
import { newApiKey } from '../../../src/modules/auth/domain/api-key.js';
import { REQUIRED_SCOPE } from '../../../src/modules/auth/principal.js';
import { MerchantsService } from '../../../src/modules/merchants/merchants.service.js';
import type { EvmBuyer } from '../../../src/modules/sandbox/buyers/evm-buyer.service.js';
import { SandboxModule } from '../../../src/modules/sandbox/sandbox.module.js';
import { Api } from '../../support/api/api.js';
import { openChange } from '../../support/api/open-changes.js';
import { openRead } from '../../support/api/open-reads.js';
import { expectProblem } from '../../support/api/problems.js';
import { masked, namesOf, unlike } from '../../support/dashboard/dashboard-names.js';
import { dashboardRoutes } from '../../support/dashboard/dashboard-routes.js';
import { picked, type World } from '../../support/dashboard/dashboard-stage.js';
import { type Tenant, twoTenants, wholeTenant } from '../../support/dashboard/dashboard-tenant.js';
import { Staff } from '../../support/dashboard/staff.js';
import { toldIn } from '../../support/database/own-values.js';
import { MOVED_BY_JOBS, tenantRows } from '../../support/database/tenant-rows.js';
import { by, CLI_ACTOR } from '../../support/intents/by.js';
import { Money } from '../../support/intents/money.js';
import { SILENT_CHAIN } from '../../support/nodes/wallet.js';
import { eventually } from '../../support/servers/receiver.js';
import { nameOf, type Route, routesOf } from '../../support/service/routes.js';
import { Service } from '../../support/service/service.js';
import { written } from '../../support/service/written.js';

interface ApiRoute extends Route {
  readonly scope: Scope | undefined;
}

interface OneMerchant {
  readonly merchantId: string;
}

interface Paid extends Tenant {
  /** A payment of theirs. */
  readonly intentId: string;
}

interface Visitor {
  readonly name: string;
  readonly api: Api;
  /** How a route that takes this scope refuses it; `null`: not at all. */
  readonly refusal: (scope: Scope) => ProblemSlug | null;
}

/** A stream never ends: its first event says what it answers. */
async function bodyOf(answer: Response): Promise<string> {
  if (!answer.headers.get('content-type')?.startsWith('text/event-stream')) return answer.text();
  let text = '';
  for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (/\n\n/.test(text)) break;
  }
  return text;
}

/** What the API takes, as it is promised: a parameter that is added is tried without anybody's doing. */
const CONTRACT = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as {
  paths: Record<
    string,
    { get?: { parameters: { name: string; in: string; schema?: { pattern?: string } }[] } }
  >;
};

/** Has no handler: what reads the forms of the buyer's. */
const READER = 'POST /pay/:id/*action';

/** Begins to pay, and cannot. */
const NO_BUYER = { chain: { coin: 'ETH' }, pay: () => Promise.reject(new Error('no chain')) };
const EVM = ['ethereum', 'polygon'] as const;

let service: Service;
let routes: Route[];
let apiRoutes: ApiRoute[];
let visitors: Visitor[];
let ours: Paid;
let theirs: Paid & { readonly key: string };

beforeAll(async () => {
  service = await Service.start({
    chain: SILENT_CHAIN,
    standsAt: 1_000,
    env: { RATE_LIMIT_FAILED_AUTH_PER_MINUTE: '100000', SECURITY_CONTACT: 'mailto:security@rappen.example' },
    modules: [
      SandboxModule.with({
        evm: new Map(EVM.map((id) => [id, NO_BUYER as unknown as EvmBuyer])),
        coins: new Map(),
      }),
    ],
  });
  routes = routesOf(service.app);
  apiRoutes = routes
    .filter(({ path }) => path.startsWith('/api/'))
    .map((route) => ({
      ...route,
      scope: Reflect.getMetadata(REQUIRED_SCOPE, route.handler) as Scope | undefined,
    }));
  const [our, their] = (await twoTenants(service)).map((tenant) => ({
    ...tenant,
    intentId: namesOf(tenant.rows, 'pi')[0],
  }));
  ours = our!;
  theirs = { ...their!, key: await service.key(their!.merchantId, ['read', 'write']) };
  visitors = await everyVisitor(ours.merchantId);
});
afterAll(() => service.stop());

async function everyVisitor(merchantId: string): Promise<Visitor[]> {
  const { app } = service;
  const holder = async (name: string, scopes: Scope[]): Promise<Visitor> => ({
    name,
    api: new Api(service, await service.key(merchantId, scopes)),
    refusal: (scope) => (scopes.includes(scope) ? null : 'insufficient-scope'),
  });
  const always = (name: string, key: string | null, slug: ProblemSlug): Visitor => ({
    name,
    api: new Api(service, key),
    refusal: () => slug,
  });
  const keyOf = async (status: 'pending' | 'suspended' | 'closed') => {
    const { id } = await app.get(MerchantsService).create({ name: status }, 'pending', by('test'));
    if (status !== 'pending') await app.get(AdmissionService).decide(id, status, 'a test', CLI_ACTOR);
    return service.key(id, ['read', 'write']);
  };
  const revoked = await app.get(ApiKeysService).create(merchantId, ['read', 'write'], 'old', by('test'));
  await app.get(ApiKeysService).revoke(merchantId, revoked.id, by('test'));
  return [
    always('a stranger', null, 'invalid-api-key'),
    always('an unknown key', newApiKey(), 'invalid-api-key'),
    always('a revoked key', revoked.key, 'invalid-api-key'),
    always('a pending merchant', await keyOf('pending'), 'merchant-not-approved'),
    always('a suspended merchant', await keyOf('suspended'), 'merchant-not-approved'),
    {
      name: 'a closed merchant',
      api: new Api(service, await keyOf('closed')),
      // 404 says that the merchant is gone, 401 that its key opens nothing any more.
      refusal: (scope) => (scope === 'write' ? 'merchant-not-found' : 'invalid-api-key'),
    },
    await holder('a key that reads', ['read']),
    await holder('a key that writes', ['write']),
    await holder('a key for both', ['read', 'write']),
  ];
}

const apiOf = (visitor: string) => visitors.find(({ name }) => name === visitor)!.api;

const rowsOf = async (merchantId: string) => {
  await written(service);
  return tenantRows(service.app.get(DataSource), merchantId);
};

const call = ({ api }: Visitor, { method, path }: Route, id: string) =>
  api.call(method, path.replace(/:\w+/g, id), {
    ...(method === 'POST' ? { headers: { 'content-type': 'application/json' }, body: '{}' } : {}),
  });

it('every route of the API names the scope that it takes', () => {
  expect(apiRoutes.length).toBeGreaterThanOrEqual(5);
  expect(apiRoutes.filter(({ scope }) => scope === undefined).map(nameOf)).toEqual([]);
});

it('every route says who it answers: the API by scopes, the dashboard by its rules, any other that it is open to all', () => {
  const expected = (path: string) =>
    /^\/api(\/|$)/.test(path) ? 'api-scope' : /^\/dashboard(\/|$)/.test(path) ? 'session-rule' : 'open';
  const wrong = routes.filter(({ path, access }) => access?.by !== expected(path)).map(nameOf);
  expect(wrong).toEqual([READER]);
  expect(routes.filter(({ path }) => path.startsWith('/sandbox/')).length).toBeGreaterThanOrEqual(6);
  const posts = routes.filter(({ method, access }) => method === 'POST' && access?.by === 'open');
  // The audit log names somebody, and here is nobody to name.
  expect(posts.filter(({ access }) => access!.unrecorded === null).map(nameOf)).toEqual([]);
});

it('every route of the buyer’s address refuses the forms of other sites, and counts who asks unless it is of a sandbox', async () => {
  const buyers = routes.filter((route) => PATHS.checkout.test(route.path) && nameOf(route) !== READER);
  const wrong: string[] = [];
  for (const route of buyers) {
    const { status, headers, body } = await fetch(
      `${service.config.checkoutUrl}${route.path.replace(/[:*]\w+/g, 'x')}`,
      { method: route.method, redirect: 'manual', headers: { origin: 'https://evil.example' } },
    );
    await body?.cancel();
    const isCounted = headers.get('ratelimit-policy')?.startsWith('"checkout"') ?? false;
    const isGuarded = route.method === 'POST' ? status === 403 : isCounted;
    const isOfSandbox = route.method !== 'POST' && route.path.startsWith('/sandbox/');
    if (!isGuarded && !isOfSandbox) wrong.push(`${nameOf(route)}: ${status}`);
  }
  expect(wrong).toEqual([]);
  for (const method of ['GET', 'POST'])
    expect(buyers.filter((route) => route.method === method).length).toBeGreaterThan(4);
});

it('the service does not start with a route that does not say who it answers', async () => {
  @Controller('undeclared')
  class Undeclared {
    @Get()
    show(): string {
      return 'anything';
    }
  }
  @Module({ controllers: [Undeclared] })
  class UndeclaredModule {}
  const app = await createApp(service.config, [UndeclaredModule]);
  await expect(startApp(app, service.config)).rejects.toThrow(/who may ask .*Undeclared\.show$/);
  await app.close();
});

const world = ({ merchantId }: OneMerchant): World => ({
  service,
  merchantId,
  otherId: merchantId,
  money: new Money(service),
});

/** Whoever may ask for what is open to all: nobody in particular, and the people and the servers of each of these. */
async function everyAsker(merchants: readonly OneMerchant[]): Promise<Record<string, string>[]> {
  const whose = async ({ merchantId }: OneMerchant): Promise<Record<string, string>[]> => {
    const owner = await Staff.of(service, { merchantId, role: 'owner', isOperator: true });
    // Their language is known by now: else the first request would learn it.
    await owner.get('/dashboard/confirm');
    const key = await service.key(merchantId, ['read', 'write']);
    return [{ cookie: owner.cookie }, { authorization: `Bearer ${key}`, 'x-api-key': key }];
  };
  return [{}, ...(await Promise.all(merchants.map(whose))).flat()];
}

const open = (of: (method: string) => boolean) =>
  routes.filter(({ method, access }) => of(method) && access?.by === 'open');

/**
 * @param place whose payment stands in the address, and the rows of its merchant, of which other names in it are
 * @returns what is compared of the answer: nothing that tells the payment from another
 */
async function openAnswer(
  { method, path }: Route,
  [id, rows]: readonly [id: string, rows: Tenant['rows']],
  headers: Readonly<Record<string, string>>,
) {
  const route = nameOf({ method, path });
  const { names, form } =
    method === 'GET' ? { names: openRead(route, service, rows), form: {} } : openChange(route);
  const { baseUrl, checkoutUrl } = service.config;
  const host = /^(\/sandbox)?\/pay\//.test(path) ? checkoutUrl : baseUrl;
  const answer = await fetch(host + path.replace(/:(\w+)/g, (_, name: string) => names[name] ?? id), {
    method,
    headers,
    redirect: 'manual',
    ...(method === 'GET' ? {} : { body: new URLSearchParams(form) }),
  });
  const said = ['location', 'content-type', 'set-cookie'].map((name) => answer.headers.get(name) ?? '');
  return masked([`${answer.status} ${said.join(' ')}`, await bodyOf(answer)].join('\n'), [id]);
}

/** Without a token for them the metrics are nowhere here; `metrics.e2e-spec` asks with one. */
const NOT_HERE = ['/metrics'];

it('a page that is open to all answers everybody alike, and changes nothing', async () => {
  const askers = await everyAsker([ours, theirs]);
  // Without endpoints: nothing that is made there is sent meanwhile.
  const quiet = await service.shop();
  const returnUrl = 'https://shop.example/thanks';
  const request = { amount: 1, currency: 'CHF', returnUrl };
  const { body: returning } = await new Api(service, quiet.key).create(request);
  const places = [
    [theirs.intentId, theirs.rows],
    [await picked(world(quiet)), ours.rows],
    [returning.id, ours.rows],
  ] as const;
  const rowsOfAll = () => Promise.all([ours, theirs, quiet].map(({ merchantId }) => rowsOf(merchantId)));
  const before = await rowsOfAll();
  const wrong: string[] = [];
  for (const route of open((method) => method === 'GET')) {
    const statuses: string[] = [];
    for (const place of route.path.includes(':') ? places : places.slice(0, 1)) {
      const answers: string[] = [];
      for (const headers of askers) answers.push(await openAnswer(route, place, headers));
      const [first = ''] = answers;
      wrong.push(...answers.flatMap((one) => unlike([first, one]).map((line) => `${route.path}: ${line}`)));
      if (/^(401|403|5)|^.*sign-in/.test(first)) wrong.push(`${route.path}: ${first.slice(0, 200)}`);
      statuses.push(first.slice(0, 3));
    }
    // Else all that is compared is how it refuses.
    const isAnswered = statuses.some((status) => ['200', '303'].includes(status));
    if (isAnswered === NOT_HERE.includes(route.path))
      wrong.push(`${route.path} answers ${statuses.join(', ')}`);
  }
  expect(wrong).toEqual([]);
  expect(await rowsOfAll()).toEqual(before);
});

/** What stands in rows that name a payment, but not this one. */
function ofOtherPayments(rows: Readonly<Record<string, string>>, id: string): string[] {
  const all = Object.entries(rows).flatMap(([table, text]) =>
    text === 'none' ? [] : (JSON.parse(text) as unknown[]).map((row) => `${table} ${JSON.stringify(row)}`),
  );
  return all.filter((row) => /"pi_\w+"/.test(row) && !row.includes(id));
}

/** @returns what of this merchant's is not as before, but what jobs move */
const changedIn = (before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>) =>
  Object.keys(after).filter((table) => after[table] !== before[table] && !MOVED_BY_JOBS.includes(table));

it('a change that is open to all is made for everybody alike, to the payment whose link it is and to nothing else', async () => {
  const atRest = await rowsOf(theirs.merchantId);
  // Without endpoints or alerts: what is made here moves nothing of theirs later.
  const tenants = [await service.shop(undefined, 'One'), await service.shop(undefined, 'Another')];
  const askers = await everyAsker(tenants);
  const wrong: string[] = [];
  for (const route of open((method) => method !== 'GET')) {
    const [name, isOfPayment] = [nameOf(route), route.path.includes(':')];
    const { payment, table, refusal } = openChange(name);
    const seen: string[] = [];
    for (const [i, tenant] of (isOfPayment ? tenants : tenants.slice(0, 1)).entries()) {
      const ids: string[] = [];
      for (const _ of askers) ids.push(await payment(world(tenant)));
      const rowsNow = () => Promise.all([tenant, tenants[1 - i]!].map((one) => rowsOf(one.merchantId)));
      for (const [place, headers] of askers.entries()) {
        const id = ids[place]!;
        const [own, others] = await rowsNow();
        const answer = await openAnswer(route, [id, {}], headers);
        // What follows from it has followed.
        await world(tenant).money.status(id);
        const [ownNow, othersNow] = await rowsNow();
        const changed = changedIn(own!, ownNow!);
        seen.push([answer, `changed ${changed.join(', ')}`].join('\n'));
        const touched = [
          ...changedIn(others!, othersNow!),
          ...unlike([ofOtherPayments(own!, id), ofOtherPayments(ownNow!, id)].map((rows) => rows.join('\n'))),
        ];
        wrong.push(...touched.map((line) => `${name} touches ${line}`));
        if (table === null ? changed.length > 0 : !changed.includes(table))
          wrong.push(`${name} changed ${changed.join(', ') || 'nothing'}`);
      }
    }
    const [first = ''] = seen;
    wrong.push(...seen.flatMap((one) => unlike([first, one]).map((line) => `${name}: ${line}`)));
    const status = Number(first.slice(0, 3));
    if (refusal === null ? status >= 400 : status !== refusal) wrong.push(`${name}: ${first.slice(0, 200)}`);
  }
  expect(wrong).toEqual([]);
  expect(await rowsOf(theirs.merchantId)).toEqual(atRest);
});

it('each kind of key is refused where its scope, its state or its merchant’s does not reach, and nowhere else', async () => {
  const wrong: string[] = [];
  const before = await rowsOf(theirs.merchantId);
  // What was asked for is in the answer, whosever it is.
  const telling = theirs.values.filter((value) => value !== theirs.intentId);
  for (const visitor of visitors) {
    for (const route of apiRoutes) {
      const answer = await call(visitor, route, theirs.intentId);
      const refusal = visitor.refusal(route.scope!);
      if (refusal === null) {
        // An id of another merchant is as unknown as one that nobody has; an empty body is refused only now.
        const isLetIn = [200, 404, 400].includes(answer.status) && toldIn(answer.text, telling).length === 0;
        const isUnknown = !route.path.includes(':') || answer.status === 404;
        if (!isLetIn || !isUnknown) wrong.push(`${visitor.name}: ${nameOf(route)} ${answer.status}`);
      } else {
        expectProblem(answer, refusal);
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(await rowsOf(theirs.merchantId)).toEqual(before);
});

/** What the API reads to a key for ours. */
async function readToOurs(): Promise<Map<string, string>> {
  const pending = () =>
    service.app.get(DataSource).query<{ n: number }[]>('SELECT count(*)::int AS n FROM event_log_pending');
  // An event is in the list some time after it has been written.
  await eventually(pending, ([row]) => row!.n === 0);
  const [api, answers] = [apiOf('a key that reads'), new Map<string, string>()];
  for (const route of apiRoutes.filter(({ method }) => method === 'GET')) {
    const { status, text } = await api.call('GET', route.path.replace(/:\w+/g, ours.intentId));
    answers.set(nameOf(route), `${status} ${text}`);
  }
  return answers;
}

it('each list and read of the API answers what is the key’s merchant’s, and the same whoever comes beside it', async () => {
  const before = await readToOurs();
  const wrong: string[] = [];
  for (const [name, text] of before) {
    if (toldIn(text, ours.values).length === 0)
      wrong.push(`${name} names nothing of its merchant’s: without a query it cannot be compared`);
    wrong.push(...toldIn(text, theirs.values).map((value) => `${name} tells of another’s ${value}`));
  }
  await wholeTenant(service, 'A Third Shop');
  for (const [name, now] of await readToOurs())
    wrong.push(...unlike([masked(before.get(name)!), masked(now)]).map((line) => `${name}: ${line}`));
  expect(wrong).toEqual([]);
});

it('an id of another’s in a query is as unknown as one that nobody has', async () => {
  const rows = await rowsOf(theirs.merchantId);
  const api = apiOf('a key for both');
  const wrong: string[] = [];
  const named: string[] = [];
  for (const [path, { get }] of Object.entries(CONTRACT.paths)) {
    for (const { name, schema, in: place } of get?.parameters ?? []) {
      const kind = /^\^([a-z]+)_/.exec(schema?.pattern ?? '')?.[1];
      if (kind === undefined || place !== 'query') continue;
      named.push(`${path} ${name}`);
      const names = namesOf(rows, kind);
      const answers: string[] = [];
      for (const one of names) {
        const { status, text } = await api.call('GET', `${path}?${name}=${one}`);
        answers.push(`${status} ${masked(text, names)}`);
      }
      wrong.push(...unlike(answers).map((line) => `${path} ${name}: ${line}`));
    }
  }
  expect(wrong).toEqual([]);
  expect(named).toContain('/api/v1/events after');
});

/** What each change takes, and of which intent. */
const CHANGES: Readonly<Record<string, (intentId: string) => { path: string; body: string }>> = {
  'POST /api/v1/intents': () => ({ path: '/api/v1/intents', body: '{"amount":1,"currency":"CHF"}' }),
  'POST /api/v1/intents/:id/cancel': (id) => ({ path: `/api/v1/intents/${id}/cancel`, body: '{}' }),
};

it('each change is made for the key’s merchant, and for nobody else', async () => {
  const posts = apiRoutes.filter(({ method }) => method === 'POST').map(nameOf);
  expect(posts.sort()).toEqual(Object.keys(CHANGES).sort());
  const api = apiOf('a key for both');
  const others = await rowsOf(theirs.merchantId);
  for (const change of Object.values(CHANGES)) {
    const { body } = await api.create({ amount: 1, currency: 'CHF' });
    const [before, asked] = [await rowsOf(ours.merchantId), change(body.id)];
    const headers = { 'content-type': 'application/json' };
    const { status } = await api.call('POST', asked.path, { headers, body: asked.body });
    expect([200, 201]).toContain(status);
    expect((await rowsOf(ours.merchantId))['intent']).not.toBe(before['intent']);
  }
  expect(await rowsOf(theirs.merchantId)).toEqual(others);
});

it('an owner’s session opens no route of the API', async () => {
  const owner = await Staff.of(service, { merchantId: theirs.merchantId, role: 'owner', isOperator: true });
  // Their language is known by now: else the first request would learn it.
  await owner.get('/dashboard/confirm');
  const before = await rowsOf(theirs.merchantId);
  for (const { method, path } of apiRoutes) {
    const at = path.replace(/:\w+/g, theirs.intentId);
    expect((await (method === 'GET' ? owner.get(at) : owner.post(at))).status).toBe(401);
  }
  expect(await rowsOf(theirs.merchantId)).toEqual(before);
});

it('no key opens a page of the dashboard or changes anything there, not even its own merchant’s', async () => {
  const before = await rowsOf(theirs.merchantId);
  const open: string[] = [];
  for (const { method, path, permission } of dashboardRoutes(service.app)) {
    if (permission === null) continue;
    const response = await fetch(service.url + path.replace(/:\w+/g, theirs.intentId), {
      method,
      redirect: 'manual',
      headers: { authorization: `Bearer ${theirs.key}`, origin: service.url },
      ...(method === 'POST' ? { body: new URLSearchParams({ csrf: 'x' }) } : {}),
    });
    const isSentAway = response.headers.get('location')?.startsWith('/dashboard/sign-in') ?? false;
    if (response.status !== 303 || !isSentAway) open.push(`${method} ${path}: ${response.status}`);
  }
  expect(open).toEqual([]);
  expect(await rowsOf(theirs.merchantId)).toEqual(before);
});
