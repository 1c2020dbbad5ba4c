import { mulDiv, pow10, type Rounding } from './arithmetic.js';

const PLAIN_DECIMAL = /^(0|[1-9]\d*)(?:\.(\d+))?$/;

/**
 * Reads a plain non-negative decimal ("12", "0.005") as an integer count of 10^-decimals.
 * Refused, as `null`: signs, exponents, blanks, leading zeros, and more decimals than the unit has,
 * because rounding what somebody wrote is guessing.
 */
export function parseDecimal(text: string, decimals: number): bigint | null {
  const match = PLAIN_DECIMAL.exec(text);
  if (!match) return null;
  const fraction = match[2] ?? '';
  if (fraction.length > decimals) return null;
  return BigInt(match[1] + fraction.padEnd(decimals, '0'));
}

/** Writes an integer count of 10^-decimals with exactly `decimals` places ("12.50"). */
export function formatDecimal(value: bigint, decimals: number): string {
  if (value < 0n) throw new RangeError('amounts are never negative');
  if (decimals === 0) return value.toString();
  const digits = value.toString().padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** What stands before the point of an integer count of 10^-decimals, and behind it, without the last zeros ("5" of 12.50). */
export function decimalParts(value: bigint, decimals: number): { whole: bigint; fraction: string } {
  const unit = pow10(decimals);
  const whole = mulDiv(value, 1n, unit, 'down');
  const behind = (value - whole * unit).toString().padStart(decimals, '0');
  return { whole, fraction: behind.replace(/0+$/, '') };
}

/** Moves an integer count of 10^-from to a count of 10^-to; digits that no longer fit are rounded as told. */
export function rescale(value: bigint, from: number, to: number, rounding: Rounding): bigint {
  return to >= from ? value * pow10(to - from) : mulDiv(value, 1n, pow10(from - to), rounding);
}

/** "56.12340000" to "56.1234": for reading, never for copying into a payment. */
export function trimZeros(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}
