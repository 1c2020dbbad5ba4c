import fc from '../../../../test/support/run/fast-check.js';
import { formatDecimal } from '../../../kernel/decimal.js';
import { coinAtoms, parseCoinJson } from './coin-json.js';

/** As the scanner takes an amount: from the text of an answer to atoms. */
function atomsIn(json: string): bigint | null {
  return coinAtoms((parseCoinJson(json) as { value: string }).value);
}

describe('an amount in a node’s answer', () => {
  it('is exact where a float would not be', () => {
    expect(atomsIn('{"value":0.00000001}')).toBe(1n);
    expect(atomsIn('{"value":20999999.9769}')).toBe(2_099_999_997_690_000n);
    expect(atomsIn('{"value": 0.10000000}')).toBe(10_000_000n);
    expect(atomsIn('{"value":83999999.99999999}')).toBe(8_399_999_999_999_999n);
    expect(atomsIn('{"value":0}')).toBe(0n);
    expect(atomsIn('{"value":50}')).toBe(5_000_000_000n);
  });

  it('may have an exponent, as nodes written in Go send it', () => {
    const texts = ['1e-08', '1E-8', '1.5e-07', '2.1e+07', '1.23456789e+01'];
    expect(texts.map(coinAtoms)).toEqual([1n, 1n, 15n, 2_100_000_000_000_000n, 1_234_567_890n]);
    expect(coinAtoms('12.3456789e0')).toBe(1_234_567_890n);
    expect(['1e-1', '0.005e2'].map(coinAtoms)).toEqual([10_000_000n, 50_000_000n]);
  });

  it('is none the finer for zeros at its end', () => {
    expect(['1.500000000', '2.0000000000'].map(coinAtoms)).toEqual([150_000_000n, 200_000_000n]);
  });

  it('is none when it is negative, finer than an atom, or no number', () => {
    expect(['-1', '0.000000001', '1.23456789e-1', '', 'NaN', '1.', '.5', '1e999'].map(coinAtoms)).toEqual(
      Array<null>(8).fill(null),
    );
  });

  it('comes back from every number of atoms', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 8_400_000_000_000_000n), (atoms) => {
        expect(atomsIn(`{"n":3,"value":${formatDecimal(atoms, 8)},"x":1.5}`)).toBe(atoms);
      }),
    );
  });

  it('is not looked for inside of strings, and other numbers stay numbers', () => {
    const text = JSON.stringify({ note: '"value": 5, "value":6', n: 7, size: 1.5 });
    expect(parseCoinJson(text)).toEqual({ note: '"value": 5, "value":6', n: 7, size: 1.5 });
  });
});
