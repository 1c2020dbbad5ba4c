import fc from '../../../../test/support/run/fast-check.js';
import type { Price } from '../../../kernel/crypto-amount.js';
import { priceText } from '../rates.pure.js';
import { compare, distanceBps, invert, mean, median, multiply, readPrice } from './price.js';

const price = (text: string): Price => readPrice(text)!;
const anyPrice = fc.record({
  numerator: fc.bigInt(1n, 10n ** 24n),
  denominator: fc.bigInt(1n, 10n ** 12n),
});

describe('readPrice', () => {
  it.each([
    ['97000.5', '97000.5'],
    ['1'.repeat(60), '1'.repeat(60)],
    [0.8123, '0.8123'],
    [97000, '97000'],
  ])('takes %p', (value, text) => expect(priceText(readPrice(value)!)).toBe(text));

  it.each([
    '0',
    '-1',
    '1e5',
    ' 1',
    '',
    '0x10',
    'NaN',
    '1'.repeat(61),
    0,
    -1,
    1e-7,
    1e21,
    NaN,
    Infinity,
    null,
    undefined,
    {},
    ['1'],
  ])('refuses %p', (value) => expect(readPrice(value)).toBeNull());
});

describe('arithmetic on prices', () => {
  it('is exact', () => {
    expect(compare(mean(price('0.1'), price('0.2')), price('0.15'))).toBe(0);
    expect(compare(multiply(price('97000.1'), price('0.81')), price('78570.081'))).toBe(0);
    expect(compare(multiply(invert(price('0.81')), price('0.81')), price('1'))).toBe(0);
  });

  it.each([
    ['102', '100', 200n],
    ['98', '100', 200n],
    ['102.000001', '100', 201n],
    ['100', '100', 0n],
  ])('finds %s at %s to be %s bps away, rounded up', (a, b, bps) => {
    expect(distanceBps(price(a), price(b))).toBe(bps);
  });

  it('takes the median of any number of prices', () => {
    expect(priceText(median(['3', '1', '2'].map(price)))).toBe('2');
    expect(priceText(median(['4', '1', '2', '3'].map(price)))).toBe('2.5');
    expect(() => median([])).toThrow(new RangeError('there is no median of nothing'));
  });

  it('keeps the median within the smallest and the largest', () => {
    fc.assert(
      fc.property(fc.array(anyPrice, { minLength: 1, maxLength: 7 }), (prices) => {
        const sorted = [...prices].sort(compare);
        expect(compare(median(prices), sorted[0]!)).toBeGreaterThanOrEqual(0);
        expect(compare(median(prices), sorted.at(-1)!)).toBeLessThanOrEqual(0);
      }),
    );
  });
});
