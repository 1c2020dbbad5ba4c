import { priceText } from '../../rates.pure.js';
import type { Pair } from '../pair.js';
import { SourceError } from './answer.js';
import { bitpayBases, bitpayPath, parseBitpayRates } from './bitpay.js';

const WANTED: Pair[] = [
  { base: 'BTC', quote: 'CHF' },
  { base: 'USDC', quote: 'CHF' },
  { base: 'EUR', quote: 'USD' },
  { base: 'USD', quote: 'CHF' },
];
const BODY = {
  data: [
    { code: 'BTC', name: 'Bitcoin', rate: 1 },
    { code: 'USD', name: 'US Dollar', rate: 100000 },
    { code: 'EUR', name: 'Eurozone Euro', rate: 86000.5 },
    { code: 'CHF', name: 'Swiss Franc', rate: 80000 },
  ],
};
const parse = (body: unknown, base = 'BTC') =>
  parseBitpayRates(body, base, WANTED).map(({ pair, price }) => [pair, price && priceText(price)]);

describe('BitPay', () => {
  it('is asked once for each coin, and for bitcoin in any case', () => {
    expect(bitpayBases(WANTED)).toEqual(['BTC', 'USDC']);
    expect(bitpayBases([WANTED[1]!])).toEqual(['BTC', 'USDC']);
    expect(bitpayPath('USDC')).toBe('/rates/USDC');
  });

  it('prices bitcoin in each currency, and the currencies by what a bitcoin costs in both', () => {
    expect(parse(BODY)).toEqual([
      ['BTC/CHF', '80000'],
      ['EUR/USD', '1.1627839373'],
      ['USD/CHF', '0.8'],
    ]);
    expect(parse({ data: [{ code: 'CHF', rate: 0.7999 }] }, 'USDC')).toEqual([['USDC/CHF', '0.7999']]);
  });

  it.each([
    ['a rate of nothing', [{ code: 'CHF', rate: 0 }]],
    ['a negative rate', [{ code: 'CHF', rate: -1 }]],
    ['text', [{ code: 'CHF', rate: 'cheap' }]],
    ['rows that are none', [null, 7, 'CHF']],
  ])('has no price for %s', (_what, data) => {
    expect(parse({ data }, 'USDC')).toEqual([['USDC/CHF', null]]);
  });

  it('has no price of one currency in another where a bitcoin’s is missing in either', () => {
    const without = (code: string) => parse({ data: BODY.data.filter((row) => row.code !== code) });
    expect(without('USD').slice(1)).toEqual([
      ['EUR/USD', null],
      ['USD/CHF', null],
    ]);
  });

  it.each([
    [{ error: 'Unknown currency', ...BODY }, 'Unknown currency'],
    [{ data: {} }, 'the answer has no list of rates'],
    [[], 'the answer is not an object'],
    [null, 'the answer is not an object'],
    ['rates', 'the answer is not an object'],
  ])('refuses %j', (body, reason) => {
    expect(() => parse(body)).toThrow(new SourceError(reason));
  });
});
