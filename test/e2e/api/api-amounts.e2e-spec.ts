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

// Written as JSON text, because JSON.stringify would tidy up what a client may well send.
it.each([
  ['49.90', 49.9],
  ['49.9', 49.9],
  ['1e2', 100],
  ['1E+2', 100],
  ['1e-2', 0.01],
  ['0.01', 0.01],
  ['0.07', 0.07],
  ['0.1', 0.1],
  ['0.29', 0.29],
  ['1.10', 1.1],
  ['4.35', 4.35],
  ['8.2', 8.2],
  ['64.1', 64.1],
  ['1.005e2', 100.5],
  ['123456.78', 123456.78],
  ['999999.99', 999999.99],
  ['100.000000', 100],
])('takes the amount %s as %d, to the cent', async (text, amount) => {
  const created = await api.create(`{"amount":${text},"currency":"CHF"}`);
  expect(created.status).toBe(201);
  expect(created.body.amount).toBe(amount);
  expect((await api.get(created.body.id)).body.amount).toBe(amount);
});

it.each([
  ['0', 'greater than 0'],
  ['-0', 'greater than 0'],
  ['0.00', 'greater than 0'],
  ['-1', 'greater than 0'],
  ['-0.01', 'greater than 0'],
  ['-1e300', 'greater than 0'],
  ['1e-400', 'greater than 0'], // the parsed number is 0
  ['49.999', 'two decimals'],
  ['0.001', 'two decimals'],
  ['0.005', 'two decimals'],
  ['1e-3', 'two decimals'],
  ['1e-7', 'two decimals'],
  ['0.30000000000000004', 'two decimals'], // 0.1 + 0.2
  ['1.1500000000000001', 'two decimals'],
  ['5e-324', 'two decimals'],
  ['1000000', 'at most 999999.99'],
  ['1e6', 'at most 999999.99'],
  ['999999.990000001', 'two decimals'],
  ['1e20', 'at most 999999.99'],
  ['1e21', 'at most 999999.99'],
  ['1.7976931348623157e308', 'at most 999999.99'],
  ['9007199254740993', 'at most 999999.99'],
  ['1e400', 'JSON number'], // beyond what a number can hold
  ['"49.90"', 'JSON number'],
  ['"49,90"', 'JSON number'],
  ['""', 'JSON number'],
  ['"NaN"', 'JSON number'],
  ['true', 'JSON number'],
  ['[49.9]', 'JSON number'],
  ['{"value":49.9}', 'JSON number'],
])('refuses the amount %s and says that it %s', async (text, why) => {
  const answer = await api.create(`{"amount":${text},"currency":"CHF"}`);
  expectProblem(answer, 'validation-error');
  expect(placesOf(answer)).toEqual(['/amount invalid_amount']);
  expect(answer.body.errors?.[0]?.detail).toContain(why);
});

it.each(['{"currency":"CHF"}', '{"amount":null,"currency":"CHF"}'])(
  'asks for the amount in %s',
  async (text) => {
    const answer = await api.create(text);
    expectProblem(answer, 'validation-error');
    expect(placesOf(answer)).toEqual(['/amount required']);
  },
);

it.each(['"GBP"', '"chf"', '"CHF "', '""', '1', '["CHF"]', '{"code":"CHF"}', 'true', '"BTC"'])(
  'refuses the currency %s',
  async (text) => {
    const answer = await api.create(`{"amount":1,"currency":${text}}`);
    expectProblem(answer, 'validation-error');
    expect(placesOf(answer)).toEqual(['/currency not_allowed']);
    expect(answer.body.errors?.[0]?.detail).toContain('CHF, EUR, USD');
  },
);

it.each(['{"amount":1}', '{"amount":1,"currency":null}'])('asks for the currency in %s', async (text) => {
  const answer = await api.create(text);
  expectProblem(answer, 'validation-error');
  expect(placesOf(answer)).toEqual(['/currency required']);
});

it('stores nothing of what it refuses', async () => {
  const { body } = await api.list('?pageSize=100');
  expect(body.total).toBe(17);
  expect(body.items.every(({ amount }) => amount > 0)).toBe(true);
});
