import { priceAt as price } from '../../../test/support/intents/amount.js';
import fc from '../../../test/support/run/fast-check.js';
import { compare } from './domain/price.js';
import { priceText, roundPrice } from './rates.pure.js';

const anyPrice = fc.record({
  numerator: fc.bigInt(1n, 10n ** 24n),
  denominator: fc.bigInt(1n, 10n ** 12n),
});

describe('priceText', () => {
  it.each([
    ['97000.12', '97000.12'],
    ['0.00001234', '0.00001234'],
    ['123456789.123456', '123456789.123'],
    ['100', '100'],
    ['1234567890123456', '1234567890123456'],
    [`0.${'0'.repeat(35)}123456789`, `0.${'0'.repeat(35)}12345`],
  ])('writes %s as %s', (given, text) => expect(priceText(price(given))).toBe(text));

  it('never rounds up, and loses less than one part in 10^11', () => {
    fc.assert(
      fc.property(anyPrice, (exact) => {
        const written = price(priceText(exact));
        expect(compare(written, exact)).toBeLessThanOrEqual(0);
        const lost = exact.numerator * written.denominator - written.numerator * exact.denominator;
        expect(lost * 10n ** 11n < exact.numerator * written.denominator).toBe(true);
      }),
    );
  });

  it('is the whole of a rounded price: what is recorded is what was calculated with', () => {
    fc.assert(
      fc.property(anyPrice, (exact) => {
        const rounded = roundPrice(exact);
        expect(compare(rounded, price(priceText(exact)))).toBe(0);
        expect(compare(rounded, price(priceText(rounded)))).toBe(0);
      }),
    );
  });
});
