import { Api } from '../../support/api/api.js';
import { expectProblem } from '../../support/api/problems.js';
import fc from '../../support/run/fast-check.js';
import { Service } from '../../support/service/service.js';

let service: Service;
let api: Api;

beforeAll(async () => {
  service = await Service.start({ env: { RATE_LIMIT_WRITES_PER_MINUTE: '100000' } });
  api = new Api(service, (await service.shop()).key);
});
afterAll(() => service.stop());

const bytes = (hex: string) => Buffer.from(hex, 'hex');
const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

// In the manner of JSONTestSuite, where these are the files that a parser must refuse, or that are no object.
it.each<[string, string | Buffer]>([
  ['nothing', ''],
  ['a blank', ' '],
  ['a brace', '{'],
  ['a closed brace', '}'],
  ['half a key', '{"amount'],
  ['no value', '{"amount":}'],
  ['no colon', '{"amount" 1}'],
  ['two colons', '{"amount"::1}'],
  ['a comma too many', '{"amount":1,}'],
  ['only a comma', '{,}'],
  ['no comma', '{"amount":1 "currency":"CHF"}'],
  ['a key without quotes', '{amount:1}'],
  ['single quotes', "{'amount':1}"],
  ['a number as key', '{1:1}'],
  ['a comment', '{"amount":1/* one */}'],
  ['a line comment', '{"amount":1} // one'],
  ['something after the end', '{"amount":1}x'],
  ['two documents', '{"amount":1}{"amount":2}'],
  ['NaN', '{"amount":NaN}'],
  ['Infinity', '{"amount":Infinity}'],
  ['a plus', '{"amount":+1}'],
  ['a leading zero', '{"amount":01}'],
  ['a leading dot', '{"amount":.5}'],
  ['a trailing dot', '{"amount":5.}'],
  ['half an exponent', '{"amount":1e}'],
  ['hexadecimal', '{"amount":0x1}'],
  ['an underscore', '{"amount":1_0}'],
  ['a full-width digit', '{"amount":\uFF11}'],
  ['True', '{"amount":True}'],
  ['undefined', '{"amount":undefined}'],
  ['an open string', '{"title":"x}'],
  ['a raw newline in a string', '{"title":"a\nb"}'],
  ['a raw NUL in a string', '{"title":"a\0b"}'],
  ['an unknown escape', '{"title":"\\x41"}'],
  ['half an escape', '{"title":"\\u00"}'],
  ['an escaped NUL', '{"title":"\\u0000"}'],
  ['a NUL in a key', '{"\\u0000":1}'],
  ['half a surrogate pair in a key', '{"\\ud800":1}'],
  ['a NUL deep inside', '{"title":[[{"a":"\\u0000"}]]}'],
  ['a form feed', '\f{"amount":1}'],
  ['a BOM', '\uFEFF{"amount":1,"currency":"CHF"}'],
  ['UTF-16', Buffer.from('\uFEFF{"amount":1}', 'utf16le')],
  ['a lone continuation byte', bytes('7b2261223a2280227d')],
  ['an overlong slash', bytes('7b2261223a22c0af227d')],
  ['an encoded surrogate', bytes('7b2261223a22eda080227d')],
  ['bytes beyond Unicode', bytes('7b2261223a22f4bfbfbf227d')],
  ['a broken sequence', bytes('7b2261223a22e28222227d')],
  ['null', 'null'],
  ['a number', '1'],
  ['a string', '"amount"'],
  ['a list', '[{"amount":1,"currency":"CHF"}]'],
  ['an empty list', '[]'],
  ['a form', 'amount=1&currency=CHF'],
  ['XML', '<amount>1</amount>'],
  ['17 levels', nested(17)],
  ['30,000 levels of lists', `{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`],
  ['60,000 open lists', '['.repeat(60_000)],
])('refuses %s as no JSON object of ours', async (_, body) => {
  expectProblem(await api.create(body), 'malformed-json');
});

it('tells 16 levels, which it reads, from 17', async () => {
  expectProblem(await api.create(nested(16)), 'validation-error');
  expectProblem(await api.create(nested(17)), 'malformed-json');
});

it('takes blanks around and escapes within a valid body', async () => {
  const { status, body } = await api.create(
    ' \r\n\t{"amount":1,"currency":"\\u0043HF","title":"\\ud83e\\uddc0"} ',
  );
  expect(status).toBe(201);
  expect(body).toMatchObject({ currency: 'CHF', title: '🧀' });
});

it.each([
  '{"title":{"constructor":1}}',
  '{"title":{"__proto__":{"toString":1}}}',
  '{"title":{"then":"x","toString":1,"valueOf":1}}',
  '{"returnUrl":{"length":5,"match":1}}',
  '{"currency":{"constructor":{"name":"String"}}}',
  '{"amount":{"valueOf":1,"toString":null}}',
  '{"title":[{"constructor":[]}]}',
  '{"idempotencyKey":{"hasOwnProperty":0,"prototype":{}}}',
])('answers the hostile object %j with 400', async (text) => {
  expectProblem(await api.create(text), 'validation-error');
});

it('answers an object of 4,000 fields with 400', async () => {
  const fields = Object.fromEntries(Array.from({ length: 4_000 }, (_, i) => [`k${i}`, i]));
  const answer = await api.create({ amount: 1, currency: 'CHF', ...fields });
  expectProblem(answer, 'validation-error');
  expect(answer.body.errors).toHaveLength(4_000);
});

const FIELDS = ['amount', 'currency', 'title', 'idempotencyKey', 'returnUrl', '__proto__', 'constructor'];

/** Bodies near the valid ones, and far from them, and bytes that are no JSON at all. */
const anyBody = fc.oneof(
  fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array)),
  fc.json({ maxDepth: 20 }),
  fc
    .dictionary(
      fc.oneof(fc.constantFrom(...FIELDS), fc.string({ unit: 'binary' })),
      fc.jsonValue({ maxDepth: 3 }),
    )
    .map((body) => JSON.stringify(body)),
  fc
    .record(
      {
        amount: fc.oneof(fc.double(), fc.integer(), fc.constant(1)),
        currency: fc.oneof(fc.constantFrom('CHF', 'EUR', 'USD'), fc.string()),
        title: fc.string({ unit: 'binary', maxLength: 300 }),
        idempotencyKey: fc.string({ unit: 'binary', maxLength: 300 }),
        returnUrl: fc.oneof(fc.webUrl({ withQueryParameters: true, withFragments: true }), fc.string()),
      },
      { requiredKeys: ['amount', 'currency'] },
    )
    .map((body) => JSON.stringify(body)),
  fc.string({ unit: 'binary' }).map((text) => `{"amount":1,"currency":"CHF","title":${text}}`),
);

it('answers 500 random bodies with 200, 201 or a problem document of status 400', async () => {
  const statuses = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(anyBody, async (body) => {
      const answer = await api.create(body);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      if (answer.status < 300) return;
      expect(answer.status).toBe(400);
      expectProblem(answer, answer.body.code === 'malformed-json' ? 'malformed-json' : 'validation-error');
    }),
    { numRuns: 500 },
  );
  // Both kinds came up, or the bodies are not as varied as they claim.
  expect([...statuses.keys()]).toEqual(expect.arrayContaining([201, 400]));
});
