import { Api } from '../../support/api/api.js';
import { expectProblem, placesOf } from '../../support/api/problems.js';
import { Service } from '../../support/service/service.js';

let service: Service;
let api: Api;

beforeAll(async () => {
  service = await Service.start({ env: { RATE_LIMIT_WRITES_PER_MINUTE: '100000' } });
  api = new Api(service, (await service.shop()).key);
});
afterAll(() => service.stop());

const create = (fields: object) => api.create({ amount: 1, currency: 'CHF', ...fields });
const urlOf = (length: number) =>
  `https://shop.example/${'a'.repeat(length - 'https://shop.example/'.length)}`;

it.each([
  ['title', 'x'],
  ['title', 'x'.repeat(200)],
  ['title', '🧀'.repeat(200)],
  ['title', ' '],
  ['title', 'a\nb\t"<script>'],
  ['returnUrl', urlOf(500)],
  ['returnUrl', 'https://shop.example'],
  ['returnUrl', 'HTTPS://Shop.Example:8443/a?b=c&d=%20#e'],
  ['returnUrl', 'https://[2001:db8::1]/x'],
  ['returnUrl', 'https://shop.example/mail@example.com'],
])('gives the %s %j back unchanged', async (field, value) => {
  const { status, body } = await create({ [field]: value });
  expect(status).toBe(201);
  expect({ ...body }[field]).toBe(value);
});

it.each(['x', 'k'.repeat(255), '🧀'.repeat(255), ' ', 'order/1001?a=b'])(
  'takes the idempotency key %j',
  async (idempotencyKey) => {
    expect((await create({ idempotencyKey })).status).toBe(201);
    expect((await create({ idempotencyKey })).status).toBe(200);
  },
);

it.each(['title', 'idempotencyKey', 'returnUrl'])('takes null for %s as omitted', async (field) => {
  const first = await create({ [field]: null });
  const second = await create({ [field]: null });
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(first.body).toMatchObject({ title: null, returnUrl: null });
  expect(second.body.id).not.toBe(first.body.id);
});

it.each([
  ['title', '', 'wrong_length'],
  ['title', 'x'.repeat(201), 'wrong_length'],
  ['title', '🧀'.repeat(201), 'wrong_length'],
  // Two code points each, one character to the eye: counted as the database counts.
  ['title', '❤\uFE0F'.repeat(101), 'wrong_length'],
  ['title', 1, 'wrong_type'],
  ['title', true, 'wrong_type'],
  ['title', ['x'], 'wrong_type'],
  ['title', { text: 'x' }, 'wrong_type'],
  ['idempotencyKey', '', 'wrong_length'],
  ['idempotencyKey', 'k'.repeat(256), 'wrong_length'],
  ['idempotencyKey', '❤\uFE0F'.repeat(128), 'wrong_length'],
  ['idempotencyKey', 1001, 'wrong_type'],
  ['idempotencyKey', ['k'], 'wrong_type'],
  ['returnUrl', urlOf(501), 'invalid_url'],
  ['returnUrl', '', 'invalid_url'],
  ['returnUrl', 'http://shop.example/', 'invalid_url'],
  ['returnUrl', '//shop.example/', 'invalid_url'],
  ['returnUrl', '/thanks', 'invalid_url'],
  ['returnUrl', 'shop.example', 'invalid_url'],
  ['returnUrl', 'https:shop.example', 'invalid_url'],
  ['returnUrl', 'https:/shop.example', 'invalid_url'],
  ['returnUrl', 'https://', 'invalid_url'],
  ['returnUrl', 'https:///path', 'invalid_url'],
  ['returnUrl', 'https://?a=b', 'invalid_url'],
  ['returnUrl', ' https://shop.example/', 'invalid_url'],
  ['returnUrl', 'https://shop.example/a b', 'invalid_url'],
  ['returnUrl', 'https://shop.example/\r\nSet-Cookie: a=b', 'invalid_url'],
  ['returnUrl', 'https://shop.example\\@evil.example/', 'invalid_url'],
  ['returnUrl', 'https://shop.example:99999/', 'invalid_url'],
  ['returnUrl', 'https://user:secret@shop.example/', 'invalid_url'],
  ['returnUrl', 'https://user@shop.example/', 'invalid_url'],
  ['returnUrl', 'javascript:alert(1)', 'invalid_url'],
  ['returnUrl', 'ftp://shop.example/', 'invalid_url'],
  ['returnUrl', 'data:text/html,x', 'invalid_url'],
  ['returnUrl', 1, 'wrong_type'],
  ['returnUrl', ['https://shop.example/'], 'wrong_type'],
])('refuses the %s %j as %s', async (field, value, code) => {
  const answer = await create({ [field]: value });
  expectProblem(answer, 'validation-error');
  expect(placesOf(answer)).toEqual([`/${field} ${code}`]);
});

it.each(['title', 'idempotencyKey', 'returnUrl'])(
  'refuses NUL and half surrogate pairs in %s',
  async (field) => {
    for (const text of ['https://shop.example/\\u0000', 'https://shop.example/\\ud800', '\\udc00\\ud83e']) {
      expectProblem(await api.create(`{"amount":1,"currency":"CHF","${field}":"${text}"}`), 'malformed-json');
    }
  },
);

it.each([
  ['status', '/status'],
  ['id', '/id'],
  ['Amount', '/Amount'],
  ['description', '/description'],
  ['__proto__', '/__proto__'],
  ['constructor', '/constructor'],
  ['prototype', '/prototype'],
  ['toString', '/toString'],
  ['hasOwnProperty', '/hasOwnProperty'],
  ['', '/'],
  ['a/b~c', '/a~1b~0c'],
])('refuses the unknown field %j', async (field, pointer) => {
  for (const value of ['1', 'null', '{"title":"x"}', '{"constructor":1}']) {
    const answer = await api.create(`{"amount":1,"currency":"CHF",${JSON.stringify(field)}:${value}}`);
    expectProblem(answer, 'validation-error');
    expect(placesOf(answer)).toEqual([`${pointer} unknown_field`]);
  }
});

it('names everything that is wrong at once, each by its pointer', async () => {
  const answer = await api.create(
    `{"amount":0,"currency":"XXX","title":"","idempotencyKey":1,"returnUrl":"/","extra":1,"__proto__":{"a":1}}`,
  );
  expectProblem(answer, 'validation-error');
  expect(placesOf(answer)).toEqual([
    '/__proto__ unknown_field',
    '/amount invalid_amount',
    '/currency not_allowed',
    '/extra unknown_field',
    '/idempotencyKey wrong_type',
    '/returnUrl invalid_url',
    '/title wrong_length',
  ]);
  for (const { detail } of answer.body.errors ?? []) expect(detail).toMatch(/\w+ .+\.$/);
});

it('names what is wrong in the query and in the body at once, and each name that stands twice', async () => {
  const body = '{"amount":0,"currency":"CHF","currency":"EUR","extra":{"a":1,"a":2}}';
  const headers = { 'content-type': 'application/json' };
  const answer = await api.call('POST', '/api/v1/intents?x=1&y=2', { headers, body });
  expectProblem(answer, 'validation-error');
  expect(placesOf(answer)).toEqual([
    '/amount invalid_amount',
    '/currency duplicate_field',
    '/extra unknown_field',
    '/extra/a duplicate_field',
    'x unknown_parameter',
    'y unknown_parameter',
  ]);
});

it('takes no name twice, even where both say the same: two readers would see two requests', async () => {
  const answer = await api.create('{"amount":1,"currency":"CHF","amount":1}');
  expectProblem(answer, 'validation-error');
  expect(placesOf(answer)).toEqual(['/amount duplicate_field']);
});

it('takes no query parameters where an intent is created or read', async () => {
  const { body } = await create({});
  const body1 = JSON.stringify({ amount: 1, currency: 'CHF' });
  const headers = { 'content-type': 'application/json' };
  for (const answer of [
    await api.call('POST', '/api/v1/intents?amount=5', { headers, body: body1 }),
    await api.get(`${body.id}?amount=5`),
    await api.get(`${body.id}?__proto__=5`),
  ]) {
    expectProblem(answer, 'validation-error');
    expect(placesOf(answer)).toEqual([expect.stringMatching(/ unknown_parameter$/)]);
  }
});
