import { formatDecimal, parseDecimal } from './decimal.js';

export const CURRENCIES = ['CHF', 'EUR', 'USD'] as const;
export type Currency = (typeof CURRENCIES)[number];

/** All three currencies have cents; a currency without them would need a table here. */
export const FIAT_DECIMALS = 2;

/** 999,999.99, far inside the range in which a JSON number is exact to the cent. */
export const MAX_FIAT_MINOR = 99_999_999n;

export type FiatError = 'not_a_number' | 'not_positive' | 'too_many_decimals' | 'too_large';

/**
 * A JSON amount as integer minor units. Judged by the shortest decimal form of the parsed number
 * (what JavaScript prints), so 49.9 is exact and 49.999 is refused, never rounded.
 */
export function parseFiat(amount: unknown): bigint | FiatError {
  if (typeof amount !== 'number' || !Number.isFinite(amount)) return 'not_a_number';
  if (amount <= 0) return 'not_positive';
  const minor = parseDecimal(String(amount), FIAT_DECIMALS);
  if (minor === null) return amount >= 1e21 ? 'too_large' : 'too_many_decimals';
  return minor > MAX_FIAT_MINOR ? 'too_large' : minor;
}

/** The JSON number of the API: exact, because minor units up to the limit are well inside 2^53. */
export function fiatToNumber(minor: bigint): number {
  return Number(formatDecimal(minor, FIAT_DECIMALS));
}

/** "1’234.50" in the Swiss way, for people. */
export function formatFiat(minor: bigint): string {
  const [whole = '0', cents = '00'] = formatDecimal(minor, FIAT_DECIMALS).split('.');
  return `${whole.replace(/\B(?=(\d{3})+$)/g, '’')}.${cents}`;
}
