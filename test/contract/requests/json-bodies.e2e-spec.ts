import { Api } from '../../support/api/api.js';
import { expectProblem } from '../../support/api/problems.js';
import { Service } from '../../support/service/service.js';
import { JSON_CASES } from './json-test-suite.js';

let service: Service;
let api: Api;

beforeAll(async () => {
  service = await Service.start({ env: { RATE_LIMIT_WRITES_PER_MINUTE: '100000' } });
  api = new Api(service, (await service.shop()).key);
});
afterAll(() => service.stop());

const inTitle = (value: Uint8Array) =>
  Buffer.concat([Buffer.from('{"amount":1,"currency":"CHF","title":'), value, Buffer.from('}')]);

/** A title may be absent, but not empty. */
const isTitle = (bytes: Buffer) => /^\s*("(?!")|null)/.test(bytes.toString('latin1'));

it('has the 318 files of JSONTestSuite, by their verdicts', () => {
  const count = (verdict: string) => JSON_CASES.filter((one) => one.verdict === verdict).length;
  expect([JSON_CASES.length, count('take'), count('refuse'), count('either')]).toEqual([318, 95, 188, 35]);
});

/** JSON that PostgreSQL could not keep. */
const holdsNul = (bytes: Buffer) => /(?<!\\)(\\\\)*\\u0000/.test(bytes.toString('latin1'));
/** Two of them are larger than what we read at all. */
const refusalOf = (bytes: Buffer) => (bytes.length > 64 * 1024 ? 'payload-too-large' : 'malformed-json');

it('refuses each as a whole body: what is no JSON as that, and the rest as no request of ours', async () => {
  for (const { name, bytes, verdict } of JSON_CASES) {
    const answer = await api.create(bytes);
    // An object with the wrong fields; anything else is no object.
    const isObject = verdict === 'take' && !holdsNul(bytes) && /^\s*\{/.test(bytes.toString('latin1'));
    const slug = isObject ? 'validation-error' : refusalOf(bytes);
    expect({ name, code: answer.body.code }).toEqual({ name, code: slug });
    expectProblem(answer, slug);
  }
});

it('takes and refuses each as a value within a body as the suite says', async () => {
  for (const { name, bytes, verdict } of JSON_CASES) {
    const answer = await api.create(inTitle(bytes));
    if (verdict === 'take' && holdsNul(bytes)) expect(answer.body.code).toBe('malformed-json');
    else if (verdict === 'take' && isTitle(bytes)) expect([name, answer.status]).toEqual([name, 201]);
    else if (verdict === 'take') expect([name, answer.body.code]).toEqual([name, 'validation-error']);
    else if (verdict === 'refuse') expect([name, answer.body.code]).toEqual([name, refusalOf(bytes)]);
    else expect([name, answer.status]).toEqual([name, 400]);
  }
});
