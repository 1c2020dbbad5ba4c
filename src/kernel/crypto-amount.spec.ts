import fc from '../../test/support/run/fast-check.js';
import {
  amountText,
  completionThreshold,
  exactText,
  fiatValue,
  isNothing,
  missingAtoms,
  parseAtoms,
  parsePrice,
  payable,
  payableAtoms,
  plainText,
  recordedAmountText,
  recordedText,
  wireText,
  withSpread,
} from './crypto-amount.js';

it('less than eight decimals show is nothing', () => {
  const isShown = (atoms: bigint, decimals: number) => !isNothing({ atoms, decimals });
  expect([isShown(10n ** 10n - 1n, 18), isShown(10n ** 10n, 18)]).toEqual([false, true]);
  expect([isShown(0n, 6), isShown(1n, 6), isShown(1n, 8)]).toEqual([false, true, true]);
});

const price = (text: string) => parsePrice(text) ?? { numerator: 0n, denominator: 1n };

it('an amount of an asset that nobody knows is its smallest units, and says so', () => {
  const amount = { atoms: 12_500_000n, asset: 'USDC' };
  expect(recordedText({ ...amount, decimals: 6 })).toBe('12.5');
  expect(recordedText({ ...amount, decimals: null })).toBe('12500000 (smallest units)');
  expect(recordedAmountText({ ...amount, decimals: 6 })).toBe('12.5 USDC');
  expect(recordedAmountText({ ...amount, decimals: 0 })).toBe('12500000 USDC');
  expect(recordedAmountText({ ...amount, decimals: null })).toBe('12500000 USDC (smallest units)');
});

describe('parsePrice', () => {
  it.each([
    ['2650.12', 265_012n, 100n],
    ['80000', 80_000n, 1n],
    ['0.00000001', 1n, 100_000_000n],
  ])('reads %s exactly', (text, numerator, denominator) => {
    expect(parsePrice(text)).toEqual({ numerator, denominator });
  });

  it.each(['', '0', '0.00', '-1', 'NaN', '1e5', '1.2.3', '1,5', ' 1'])('takes %p for no price', (text) => {
    expect(parsePrice(text)).toBeNull();
  });
});

describe('payableAtoms', () => {
  it.each([
    [4990n, '0.8', 6, 62_375_000n], // CHF 49.90 in USDC: exact
    [4990n, '2800', 18, 17_821_430_000_000_000n], // ETH: 0.01782143 after rounding 0.017821428… up at 8 places
    [1n, '80000', 8, 13n], // a cent in BTC: 12.5 satoshi, rounded up
    [1000n, '3', 0, 4n], // an asset without decimals
  ])('charges %s minor units at %s with %s decimals as %s atoms', (minor, at, decimals, atoms) => {
    expect(payableAtoms(minor, price(at), decimals)).toBe(atoms);
  });

  it('never asks for less than was charged, nor for a unit more than needed', () => {
    const decimals = fc.integer({ min: 0, max: 18 });
    fc.assert(
      fc.property(
        fc.bigInt(1n, 99_999_999n),
        fc.bigInt(1n, 10n ** 12n),
        decimals,
        (minor, cents, assetDecimals) => {
          const at = { numerator: cents, denominator: 100n };
          const atoms = payableAtoms(minor, at, assetDecimals);
          const unit = 10n ** BigInt(assetDecimals - Math.min(8, assetDecimals));
          const scale = 10n ** BigInt(assetDecimals);
          expect(atoms % unit).toBe(0n);
          expect(atoms * at.numerator * 100n >= minor * at.denominator * scale).toBe(true);
          expect((atoms - unit) * at.numerator * 100n < minor * at.denominator * scale).toBe(true);
        },
      ),
    );
  });
});

it('values what was received in the merchant’s currency, rounded as asked', () => {
  expect(fiatValue(62_375_000n, price('0.8'), 6, 'down')).toBe(4990n);
  expect(fiatValue(1n, price('0.8'), 6, 'down')).toBe(0n);
  expect(fiatValue(1n, price('0.8'), 6, 'up')).toBe(1n);
});

it('lowers the price by the spread, so that the buyer pays more', () => {
  const worse = withSpread(price('100'), 100);
  expect(payableAtoms(10_000n, worse, 8)).toBe(101_010_102n);
});

describe('completionThreshold', () => {
  it('is the quoted amount without a tolerance', () =>
    expect(completionThreshold(62_375_000n, 0)).toBe(62_375_000n));
  it('is rounded up with one', () => expect(completionThreshold(101n, 100)).toBe(100n));
});

describe('missingAtoms', () => {
  it('is what the quote still lacks', () => expect(missingAtoms(100n, 40n, 0)).toBe(60n));
  it('is nothing inside the tolerance', () => expect(missingAtoms(100n, 99n, 100)).toBe(0n));
  it('is nothing after an over-payment', () => expect(missingAtoms(100n, 140n, 0)).toBe(0n));
});

describe('eight decimals on the wire', () => {
  it.each([
    [62_375_000n, 6, '62.37500000'],
    [1n, 8, '0.00000001'],
    [17_821_430_000_000_000n, 18, '0.01782143'],
  ])('writes %s atoms with %s decimals as %s', (atoms, decimals, text) => {
    expect(wireText({ atoms, decimals })).toBe(text);
  });

  it('rounds what was received down and what is missing up', () => {
    expect(wireText({ atoms: 19_999_999_999n, decimals: 18 })).toBe('0.00000001');
    expect(wireText(payable({ atoms: 10_000_000_001n, decimals: 18 }))).toBe('0.00000002');
  });

  it.each(['', ' 1', '+1', '-1', '1e3', '01', '1.', '.5', '1.0000001', '0x1'])('does not read %p', (text) => {
    expect(parseAtoms(text, 6)).toBeNull();
  });
});

it('an amount is written exactly, with all decimals for programs and without idle zeros for people', () => {
  const amount = { atoms: 12_500_000n, decimals: 6, asset: 'USDC' };
  expect([exactText(amount), plainText(amount), amountText(amount)]).toEqual([
    '12.500000',
    '12.5',
    '12.5 USDC',
  ]);
  expect(plainText({ atoms: 1n, decimals: 18 })).toBe('0.000000000000000001');
});
