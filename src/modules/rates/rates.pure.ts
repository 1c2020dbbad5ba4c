import { mulDiv, pow10 } from '../../kernel/arithmetic.js';
import type { Price } from '../../kernel/crypto-amount.js';
import { formatDecimal, trimZeros } from '../../kernel/decimal.js';

/** 12 digits: on the largest amount that may be charged, the last one is worth far less than a cent. */
const SIGNIFICANT_DIGITS = 12;
const MAX_DECIMALS = 40;

/**
 * A price in as many digits as its text has. What has more is rounded down, as a merchant's spread is: the merchant never
 * receives less than was charged.
 */
export function roundPrice(price: Price): Price {
  const decimals = decimalsOf(price);
  return { numerator: countOf(price, decimals), denominator: pow10(decimals) };
}

/** "2650.12": a price as a plain decimal, rounded like `roundPrice`. */
export function priceText(price: Price): string {
  const decimals = decimalsOf(price);
  return trimZeros(formatDecimal(countOf(price, decimals), decimals));
}

function countOf({ numerator, denominator }: Price, decimals: number): bigint {
  return mulDiv(numerator, pow10(decimals), denominator, 'down');
}

function decimalsOf({ numerator, denominator }: Price): number {
  let decimals = 0;
  while (
    decimals < MAX_DECIMALS &&
    numerator * pow10(decimals) < pow10(SIGNIFICANT_DIGITS - 1) * denominator
  ) {
    decimals += 1;
  }
  return decimals;
}
