import { mulDiv } from '../../../kernel/arithmetic.js';
import { parsePrice, type Price } from '../../../kernel/crypto-amount.js';

/** No market writes a price this long; without a limit a hostile answer could make us compute with a million digits. */
const MAX_DIGITS = 60;

/**
 * A source's decimal as an exact ratio. A JSON number is judged by its shortest decimal form, never computed with.
 * `null` for anything that is not a positive plain decimal.
 */
export function readPrice(value: unknown): Price | null {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text.length <= MAX_DIGITS ? parsePrice(text) : null;
}

export function compare(a: Price, b: Price): number {
  const difference = a.numerator * b.denominator - b.numerator * a.denominator;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

export function multiply(a: Price, b: Price): Price {
  return { numerator: a.numerator * b.numerator, denominator: a.denominator * b.denominator };
}

export function invert({ numerator, denominator }: Price): Price {
  return { numerator: denominator, denominator: numerator };
}

export function mean(a: Price, b: Price): Price {
  return {
    numerator: a.numerator * b.denominator + b.numerator * a.denominator,
    denominator: 2n * a.denominator * b.denominator,
  };
}

/** The exact median; of an even number of prices the mean of the middle two. @throws RangeError for none */
export function median(prices: readonly Price[]): Price {
  const sorted = [...prices].sort(compare);
  const upper = sorted[sorted.length >> 1];
  const lower = sorted[(sorted.length - 1) >> 1];
  if (!upper || !lower) throw new RangeError('there is no median of nothing');
  return upper === lower ? upper : mean(lower, upper);
}

/** How far a price is from another, in hundredths of a percent of the other, rounded up: a limit is never stretched. */
export function distanceBps(price: Price, from: Price): bigint {
  const difference = price.numerator * from.denominator - from.numerator * price.denominator;
  const size = difference < 0n ? -difference : difference;
  return mulDiv(size, 10_000n, from.numerator * price.denominator, 'up');
}
