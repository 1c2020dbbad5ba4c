import { randomBytes } from 'node:crypto';
import { DataSource } from 'typeorm';
import { poolOf } from '../../../src/database/statement.js';
import { PeopleService } from '../../../src/modules/accounts/people/people.service.js';
import { currentTraceId } from '../../../src/platform/observability/trace.js';
import { RateWindows } from '../../../src/platform/rate-limit/rate-windows.js';
import { Authenticator } from '../../support/dashboard/authenticator.js';
import { answerBy } from '../../support/dashboard/dashboard-stage.js';
import { Staff } from '../../support/dashboard/staff.js';
import { createTestDatabase } from '../../support/database/database.js';
import { CLI_ACTOR } from '../../support/intents/by.js';
import { inOneMinute } from '../../support/service/one-minute.js';
import { Service } from '../../support/service/service.js';
import { written } from '../../support/service/written.js';

// Whoever tries to sign in must not learn by their wait whether there is an account: what is asked of the database before the
// answer is the same.
const ENV = { TRUST_PROXY: '1', SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'Rappen <pay@rappen.example>' };
const SIGN_IN = '/dashboard/sign-in';

let service: Service;
let email: string;
let passkey: string;
/** Of each trace what was asked in it. */
const asked = new Map<string, string[]>();

beforeAll(async () => {
  service = await Service.start({ env: ENV });
  const client = await poolOf(service.app.get(DataSource)).connect();
  const prototype = Object.getPrototypeOf(client) as { query: (...args: unknown[]) => unknown };
  client.release();
  const { query } = prototype;
  jest.spyOn(prototype, 'query').mockImplementation(function (this: unknown, ...args: unknown[]) {
    const [config] = args as [string | { readonly name?: string; readonly text: string }];
    const trace = currentTraceId();
    if (trace !== undefined)
      asked.get(trace)?.push(typeof config === 'string' ? config : (config.name ?? config.text));
    return query.apply(this, args);
  });
});
afterAll(async () => {
  jest.restoreAllMocks();
  await service.stop();
});
beforeEach(async () => {
  email = `${randomBytes(4).toString('hex')}@staff.example`;
  const id = await service.app
    .get(PeopleService)
    .create({ email, password: Staff.PASSWORD, isOperator: true }, CLI_ACTOR);
  passkey = randomBytes(16).toString('base64url');
  await query(
    `INSERT INTO passkey (id, credential_id, person_id, public_key, counter, transports, label)
     VALUES ('pk_' || $1, $2, $1, '', 0, '{}', 'a key')`,
    [id, passkey],
  );
});

const query = <Row>(sql: string, values: unknown[] = []) =>
  service.app.get(DataSource).query<Row[]>(sql, values);

interface Answer {
  readonly status: number;
  readonly asked: readonly string[];
}

/** @returns what was asked of the database until the answer was there */
async function ask(
  browser: Staff,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const trace = randomBytes(16).toString('hex');
  asked.set(trace, []);
  const traceparent = `00-${trace}-00f067aa0ba902b7-01`;
  const { status } = await browser.post(path, fields, { traceparent, ...headers });
  return { status, asked: [...(asked.get(trace) ?? [])] };
}

const wrong = (browser: Staff, of: string, headers = {}) =>
  ask(browser, SIGN_IN, { email: of, password: 'a wrong guess' }, headers);

/** Of one address, and then of so many others that the person would be told. */
async function wrongPasswords(of: string): Promise<Answer[]> {
  const [answers, guesser] = [[] as Answer[], Staff.stranger(service)];
  for (let i = 0; i < 3; i += 1) answers.push(await wrong(guesser, of));
  await query(
    `UPDATE guess_delay SET next_at = clock_timestamp() + interval '1 hour' WHERE subject LIKE 'password:stranger:%'`,
  );
  for (let i = 0; i < 2; i += 1) answers.push(await wrong(guesser, of));
  for (let i = 0; i < 9; i += 1) answers.push(await wrong(Staff.stranger(service), of));
  return answers;
}

/** From an address that has used up its sign-ins of the minute. */
function tooMany(of: string): Promise<Answer[]> {
  return inOneMinute(service, async () => {
    const [windows, answers, address] = [
      service.app.get(RateWindows),
      [] as Answer[],
      `203.0.113.${of.length}`,
    ];
    for (let i = 0; i < 30; i += 1) windows.hit(`sign-in:${address}`);
    for (let i = 0; i < 3; i += 1)
      answers.push(await wrong(Staff.stranger(service), of, { 'x-forwarded-for': address }));
    return answers;
  });
}

async function forgotten(of: string): Promise<Answer[]> {
  const answers = [];
  for (let i = 0; i < 2; i += 1)
    answers.push(await ask(Staff.stranger(service), `${SIGN_IN}/forgotten`, { email: of }));
  return answers;
}

async function passkeyOf(id: string | null): Promise<Answer[]> {
  const browser = Staff.stranger(service);
  const { credential } = await answerBy(new Authenticator(service.url), browser);
  const answer = JSON.parse(credential) as object;
  const sent = JSON.stringify({ ...answer, ...(id === null ? {} : { id, rawId: id }) });
  return [await ask(browser, `${SIGN_IN}/passkey`, { credential: sent })];
}

it.each<[string, number[], string[], (isKnown: boolean) => Promise<Answer[]>]>([
  [
    'a wrong password, and one that came too soon',
    [422, 429],
    ['account.guessed-at', 'sign-in.failed password', 'sign-in.throttled password'],
    (isKnown) => wrongPasswords(isKnown ? email : `${email}.none`),
  ],
  [
    'a sign-in beyond those of the minute',
    [429],
    ['sign-in.throttled pace'],
    (isKnown) => tooMany(isKnown ? email : `${email}.none`),
  ],
  ['a forgotten password', [303], [], (isKnown) => forgotten(isKnown ? email : `${email}.none`)],
  ['a wrong passkey', [422], ['sign-in.failed passkey'], (isKnown) => passkeyOf(isKnown ? passkey : null)],
])('%s asks the same of the database whether there is an account or not', async (_, statuses, left, send) => {
  const [known, unknown] = [await send(true), await send(false)];
  expect(known).toEqual(unknown);
  expect([...new Set(known.map(({ status }) => status))]).toEqual(statuses);
  expect(Math.min(...known.map(({ asked: { length } }) => length))).toBeGreaterThan(0);
  // There was something to write, and afterwards it is there.
  await written(service);
  const entries = await query<{ entry: string }>(
    `SELECT DISTINCT concat_ws(' ', action, detail ->> 'why') AS entry FROM audit_entry
     WHERE subject = (SELECT id FROM person WHERE email = $1) AND action ~ 'sign-in|guessed' ORDER BY 1`,
    [email],
  );
  expect(entries.map(({ entry }) => entry)).toEqual(left);
});

it('what was refused in the last moment of an instance is in the log', async () => {
  const database = await createTestDatabase();
  const start = () => Service.start({ env: ENV, databaseUrl: database.url });
  const ending = await start();
  const person = await Staff.of(ending, { isOperator: true });
  expect((await Staff.stranger(ending, person.email).signIn('a wrong guess')).status).toBe(422);
  await ending.stop();
  const next = await start();
  const entries = await next.app
    .get(DataSource)
    .query<unknown[]>(`SELECT FROM audit_entry WHERE action = 'sign-in.failed'`);
  expect(entries).toHaveLength(1);
  await next.stop();
  await database.drop();
});
