import fc from '../../test/support/run/fast-check.js';
import { minBigInt, mulDiv, pow10 } from './arithmetic.js';

describe('mulDiv', () => {
  const operand = fc.bigInt(0n, 10n ** 40n);
  const divisor = fc.bigInt(1n, 10n ** 40n);

  it('rounds down to the greatest integer not above the quotient', () => {
    fc.assert(
      fc.property(operand, operand, divisor, (a, b, c) => {
        const q = mulDiv(a, b, c, 'down');
        expect(q * c <= a * b && (q + 1n) * c > a * b).toBe(true);
      }),
    );
  });

  it('rounds up to the least integer not below the quotient', () => {
    fc.assert(
      fc.property(operand, operand, divisor, (a, b, c) => {
        const q = mulDiv(a, b, c, 'up');
        expect(q * c >= a * b && (q - 1n) * c < a * b).toBe(true);
      }),
    );
  });

  it.each([
    [-1n, 1n, 1n],
    [1n, -1n, 1n],
    [1n, 1n, 0n],
    [1n, 1n, -1n],
  ])('refuses %s × %s ÷ %s', (a, b, c) => {
    expect(() => mulDiv(a, b, c, 'up')).toThrow('mulDiv takes a ≥ 0, b ≥ 0, c > 0');
  });

  it('of nothing is nothing', () => {
    expect([mulDiv(0n, 5n, 3n, 'up'), mulDiv(5n, 0n, 3n, 'up')]).toEqual([0n, 0n]);
  });
});

it('the lesser of two is the same in either order', () => {
  expect([minBigInt(1n, 2n), minBigInt(2n, 1n), minBigInt(2n, 2n)]).toEqual([1n, 1n, 2n]);
});

it('powers of ten are exact far beyond what a number holds', () => {
  expect([pow10(0), pow10(1), pow10(24)]).toEqual([1n, 10n, 1_000_000_000_000_000_000_000_000n]);
});
