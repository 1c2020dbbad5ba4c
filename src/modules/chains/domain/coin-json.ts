import { parseDecimal } from '../../../kernel/decimal.js';

export const COIN_DECIMALS = 8;

/**
 * Nodes write amounts as JSON numbers, and JSON.parse would make floats of them. So each `"value":<number>` becomes
 * a string before it is parsed. The text cannot occur inside a JSON string, because a quote is escaped there and
 * `"value"` is then followed by a backslash. (A reviver sees the source text from Node 21 on only.)
 */
const AMOUNTS = {
  value: amountsNamed('value'),
  amount: amountsNamed('amount'),
  feerate: amountsNamed('feerate'),
} as const;
const NUMBER = /^(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,2}))?$/;

/** What a node calls its amounts: `value` in transactions, `amount` in lists of outputs, `feerate` in estimates. */
export type AmountField = keyof typeof AMOUNTS;

/** JSON.parse, but every amount stays the decimal text that the node wrote. */
export function parseCoinJson(text: string, field: AmountField = 'value'): unknown {
  return JSON.parse(text.replace(AMOUNTS[field], '$1"$2"'));
}

/**
 * The atoms of an amount as a node writes it: `0.00000001`, and `1e-08` as nodes written in Go do.
 * @returns `null` when it is no amount or is finer than an atom
 */
export function coinAtoms(text: string): bigint | null {
  const [, whole, fraction = '', exponent = '0'] = NUMBER.exec(text) ?? [];
  if (whole === undefined) return null;
  const shift = Number(exponent);
  const digits = `${whole}${fraction}`;
  const point = whole.length + shift;
  const plain =
    point > 0
      ? `${digits.slice(0, point).padEnd(point, '0')}.${digits.slice(point)}`
      : `0.${'0'.repeat(-point)}${digits}`;
  return parseDecimal(withoutBlankZeros(plain), COIN_DECIMALS);
}

function withoutBlankZeros(decimal: string): string {
  return decimal.replace(/^0+(?=\d)/, '').replace(/\.?0*$/, '');
}

function amountsNamed(name: string): RegExp {
  return new RegExp(`("${name}"\\s*:\\s*)(-?\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?)`, 'g');
}
