import fc from '../../test/support/run/fast-check.js';
import { fiatToNumber, formatFiat, MAX_FIAT_MINOR, parseFiat } from './fiat.js';

describe('parseFiat', () => {
  it.each([
    [49.9, 4990n],
    [0.01, 1n],
    [1, 100n],
    [1e2, 10_000n],
    [999_999.99, 99_999_999n],
    [19.99, 1999n],
  ])('reads %s as %s minor units', (amount, minor) => {
    expect(parseFiat(amount)).toBe(minor);
  });

  it.each([
    [0, 'not_positive'],
    [-0, 'not_positive'],
    [-1, 'not_positive'],
    [49.999, 'too_many_decimals'],
    [0.001, 'too_many_decimals'],
    [1e-7, 'too_many_decimals'],
    [1_000_000, 'too_large'],
    [1e21, 'too_large'],
    [Number.NaN, 'not_a_number'],
    [Infinity, 'not_a_number'],
    ['49.90', 'not_a_number'],
    [null, 'not_a_number'],
    [true, 'not_a_number'],
  ])('refuses %s as %s', (amount, error) => {
    expect(parseFiat(amount)).toBe(error);
  });

  it('gives back the number that was charged, for every amount', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, MAX_FIAT_MINOR), (minor) => {
        expect(parseFiat(fiatToNumber(minor))).toBe(minor);
      }),
    );
  });
});

it('writes amounts in the Swiss way', () => {
  expect(formatFiat(123_456_789n)).toBe('1’234’567.89');
  expect(formatFiat(5n)).toBe('0.05');
});
