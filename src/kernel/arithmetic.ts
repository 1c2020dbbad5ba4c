/** Who benefits from a division that does not come out even: `up` the receiver, `down` the payer. */
export type Rounding = 'up' | 'down';

/**
 * The only division in money: `a × b ÷ c` on non-negative integers, rounded as the caller says.
 * @throws RangeError for a negative operand or a divisor of zero: both are bugs of the caller.
 */
export function mulDiv(a: bigint, b: bigint, c: bigint, rounding: Rounding): bigint {
  if (a < 0n || b < 0n || c <= 0n) throw new RangeError('mulDiv takes a ≥ 0, b ≥ 0, c > 0');
  const product = a * b;
  return rounding === 'up' ? (product + c - 1n) / c : product / c;
}

/** 10 to the power of a small non-negative integer. */
export function pow10(exponent: number): bigint {
  return 10n ** BigInt(exponent);
}

export function minBigInt(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
