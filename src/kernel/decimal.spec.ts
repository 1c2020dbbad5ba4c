import fc from '../../test/support/run/fast-check.js';
import { decimalParts, formatDecimal, parseDecimal, rescale, trimZeros } from './decimal.js';

describe('a decimal', () => {
  it('reads back as what was written, whatever its decimals', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 30n), fc.integer({ min: 0, max: 18 }), (value, decimals) => {
        expect(parseDecimal(formatDecimal(value, decimals), decimals)).toBe(value);
      }),
    );
  });

  it.each([
    [0n, 2, '0.00'],
    [5n, 0, '5'],
    [5n, 2, '0.05'],
    [1250n, 2, '12.50'],
  ])('of %s in units of 10^-%s is written %s', (value, decimals, text) => {
    expect(formatDecimal(value, decimals)).toBe(text);
  });

  it('is never negative', () => {
    expect(() => formatDecimal(-1n, 2)).toThrow(RangeError);
  });

  it('is not read where its unit has fewer places', () => {
    expect([parseDecimal('1.25', 2), parseDecimal('1.25', 1), parseDecimal('1.0', 0)]).toEqual([
      125n,
      null,
      null,
    ]);
  });
});

it('a count of a finer unit is exact, of a coarser one rounded as told', () => {
  expect(rescale(5n, 2, 4, 'down')).toBe(500n);
  expect([rescale(199n, 4, 2, 'down'), rescale(101n, 4, 2, 'up'), rescale(100n, 4, 2, 'up')]).toEqual([
    1n,
    2n,
    1n,
  ]);
});

it.each([
  ['56.12340000', '56.1234'],
  ['100.00', '100'],
  ['100', '100'],
  ['0.10100', '0.101'],
])('for reading, %s is %s', (text, trimmed) => {
  expect(trimZeros(text)).toBe(trimmed);
});

it.each([
  [1_234_500n, 3, 1_234n, '5'],
  [1_005n, 2, 10n, '05'],
  [100n, 2, 1n, ''],
  [7n, 0, 7n, ''],
  [0n, 8, 0n, ''],
  [1n, 18, 0n, '000000000000000001'],
])('%d with %d decimals is %d and "%s" behind the point', (value, decimals, whole, fraction) => {
  expect(decimalParts(value, decimals)).toEqual({ whole, fraction });
});
