import { setTimeout as sleep } from 'node:timers/promises';
import { newApiKey } from '../../../src/modules/auth/domain/api-key.js';
import { type Answer, type AnyBody, Api } from '../../support/api/api.js';
import { expectProblem } from '../../support/api/problems.js';
import { createTestDatabase } from '../../support/database/database.js';
import { Service } from '../../support/service/service.js';

const [READS, WRITES, FAILURES] = [6, 3, 4];
/** Longer than the 250 ms after which instances tell each other what they counted. */
const EXCHANGE_MS = 400;
const env = {
  RATE_LIMIT_READS_PER_MINUTE: String(READS),
  RATE_LIMIT_WRITES_PER_MINUTE: String(WRITES),
  RATE_LIMIT_FAILED_AUTH_PER_MINUTE: String(FAILURES),
};

let service: Service;

beforeAll(async () => {
  service = await Service.start({ env });
});
afterAll(() => service.stop());

const apiOf = async () => new Api(service, (await service.shop()).key);
const create = (api: Api) => api.create({ amount: 1, currency: 'CHF' });

/** `"read";r=5;t=42` */
function standing({ headers }: Answer<AnyBody>): { left: number; resetS: number } {
  const [, left, resetS] = /^"\w+";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit') ?? '') ?? [];
  return { left: Number(left), resetS: Number(resetS) };
}

/**
 * Asks until it is refused. A minute may end on the way, which starts the count anew, so what counts is what was
 * let through since then.
 */
async function untilRefused(ask: () => Promise<Answer<AnyBody>>, limit: number) {
  let passed: Answer<AnyBody>[] = [];
  for (let i = 0; i <= 2 * limit; i++) {
    const answer = await ask();
    if (answer.status === 429) return { passed, refused: answer };
    const last = passed.at(-1);
    if (last && standing(answer).left >= standing(last).left) passed = [];
    passed.push(answer);
  }
  throw new Error(`not refused after ${2 * limit + 1} requests`);
}

it.each<[string, number, (api: Api) => Promise<Answer<AnyBody>>]>([
  ['read', READS, (api) => api.list()],
  ['write', WRITES, create],
])('lets a key burst its whole minute of %ss and then refuses', async (policy, limit, ask) => {
  const api = await apiOf();
  const { passed, refused } = await untilRefused(() => ask(api), limit);
  expect(passed.map((answer) => standing(answer).left)).toEqual(
    Array.from({ length: limit }, (_, i) => limit - 1 - i),
  );
  for (const { headers } of [...passed, refused]) {
    expect(headers.get('ratelimit-policy')).toBe(`"${policy}";q=${limit};w=60`);
  }
  expectProblem(refused, 'rate-limit-exceeded');
  expect(standing(refused).left).toBe(0);
  const retryAfterS = Number(refused.headers.get('retry-after'));
  expect(retryAfterS).toBe(standing(refused).resetS);
  expect(retryAfterS).toBeGreaterThanOrEqual(1);
  expect(retryAfterS).toBeLessThanOrEqual(60);
});

it('creates nothing once it refuses', async () => {
  const api = await apiOf();
  let created = 0;
  await untilRefused(async () => {
    const answer = await create(api);
    if (answer.status === 201) created += 1;
    return answer;
  }, WRITES);
  expect(created).toBeGreaterThanOrEqual(WRITES);
  expect((await api.list()).body.total).toBe(created);
});

it('counts every key for itself, and reads apart from writes', async () => {
  const { merchantId, key } = await service.shop();
  const [api, second] = [
    new Api(service, key),
    new Api(service, await service.key(merchantId, ['read', 'write'])),
  ];
  await untilRefused(() => create(api), WRITES);
  expect((await api.list()).status).toBe(200);
  expect((await create(second)).status).toBe(201);
});

it('counts HEAD as a read, and requests that are refused later on', async () => {
  const api = await apiOf();
  const reads = [
    await api.list(),
    await api.call('HEAD', '/api/v1/intents'),
    await api.get('pi_x'),
    await api.list('?page=0'),
  ];
  const left = reads.map((answer) => standing(answer).left);
  // Consecutive, unless the minute ended in between.
  for (const [i, now] of left.entries()) expect([READS - 1, (left[i - 1] ?? now + 1) - 1]).toContain(now);
});

it('slows down who guesses keys, and lets a valid key pass from the same address', async () => {
  const guess = () => new Api(service, newApiKey()).list();
  const valid = await apiOf();
  let answer = await guess();
  for (let i = 0; i < 2 * FAILURES && answer.status === 401; i++) answer = await guess();
  expectProblem(answer, 'rate-limit-exceeded');
  expect(answer.headers.get('ratelimit-policy')).toBe(`"failed-auth";q=${FAILURES};w=60`);
  expect(answer.headers.get('ratelimit')).toMatch(/^"failed-auth";r=0;t=\d+$/);
  expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d?$/);
  expect((await valid.list()).status).toBe(200);
});

it('shares the limit among all instances on one database', async () => {
  const limit = 40;
  const database = await createTestDatabase();
  const options = { databaseUrl: database.url, env: { RATE_LIMIT_READS_PER_MINUTE: String(limit) } };
  const [one, two] = [await Service.start(options), await Service.start(options)];
  const { key } = await one.shop();
  const [apiOne, apiTwo] = [new Api(one, key), new Api(two, key)];
  // The other learns of it with an exchange, and its own few requests could never use up the limit. A minute that
  // ends on the way starts the count anew, so the first fills it again.
  const statuses: number[] = [];
  while (statuses.length < limit / 2 && !statuses.includes(429)) {
    await untilRefused(() => apiOne.list(), limit);
    await sleep(EXCHANGE_MS);
    statuses.push((await apiTwo.list()).status);
  }
  expect(statuses.at(-1)).toBe(429);
  await one.stop();
  await two.stop();
  await database.drop();
});
