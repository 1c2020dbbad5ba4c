import fc from '../../test/support/fast-check.js';
import { mulDiv } from './arithmetic.js';

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
  ])('refuses %s × %s ÷ %s', (a, b, c) => {
    expect(() => mulDiv(a, b, c, 'up')).toThrow(RangeError);
  });
});
