import {
  amountText,
  type AssetAmount,
  type CryptoAmount,
  type RecordedAmount,
  wireAmount,
} from '../../../kernel/crypto-amount.js';
import { decimalParts } from '../../../kernel/decimal.js';
import { FIAT_DECIMALS } from '../../../kernel/fiat.js';
import { wholeText } from '../../../kernel/text/staff-languages.js';
import type { Say } from '../language/say.js';

/** Whose language groups the digits. */
type Reads = Pick<Say, 'language'>;

/** An amount as `parts/amount` draws it: the point of each stands below that of the one above. */
export interface AmountText {
  readonly whole: string;
  /** ".19", or nothing. */
  readonly part: string;
  /** After it an asset, before it a currency. */
  readonly asset: string | null;
  readonly currency: string | null;
  /** Whether one of its column has more digits than a column has room for. */
  readonly isLong?: boolean;
}

/** The point and eight decimals, which is what the API says at most. */
const USUAL_PART = 9;

/** "CHF 1,234.50", in German "CHF 1’234.50": on one line, as all amounts are. */
export function formatAmount(say: Reads, minor: bigint, currency: string): string {
  return `${currency}\u00a0${groupedFiat(say, minor)}`;
}

/** "1,234.50", in German "1’234.50". */
export function groupedFiat(say: Reads, minor: bigint): string {
  const { whole, part } = fiatAmount(say, minor, '');
  return whole + part;
}

/** "1,234.5 USDC": eight decimals at most, without the zeros that say nothing. `null` in an asset that is no longer configured. */
export function coinText(say: Reads, amount: CryptoAmount | null, asset: string): string {
  return amount === null ? `unknown\u00a0${asset}` : exactCoinText(say, wireAmount(amount), asset);
}

/** The same, exactly: with all decimals that say something. */
export function exactCoinText(say: Reads, amount: CryptoAmount, asset: string): string {
  const { whole, part } = exactCoinAmount(say, amount, asset);
  return `${whole}${part}\u00a0${asset}`;
}

/** Rows of a table whose points stand below each other, however many decimals one of them has. */
export function aligned<Row extends { readonly amount: AmountText }>(rows: readonly Row[]): Row[] {
  const isLong = rows.some(({ amount }) => amount.part.length > USUAL_PART);
  return rows.map((row) => ({ ...row, amount: { ...row.amount, isLong } }));
}

/** "12.5 USDC"; "12500000 atoms of USDC" where nobody knows any more how finely it is divided. */
export function recordedCoinText(say: Say, { atoms, decimals, asset }: RecordedAmount): string {
  return decimals === null
    ? say('{count} atoms of {asset}', { count: atoms.toString(), asset })
    : ungroupedText({ atoms, decimals, asset });
}

/** "1234.5 USDC": as it is typed elsewhere, in no groups. */
export function ungroupedText(amount: AssetAmount): string {
  return amountText(amount).replace(' ', '\u00a0');
}

/** A text of these cut at its point, for `parts/amount`. */
export function cutAtPoint(text: string): AmountText {
  const parts = /^([^.\u00a0]+)(\.\d+)?\u00a0(.*)$/.exec(text);
  // What was recorded of an asset that nobody knows any more has no point.
  if (!parts) return { whole: text, part: '', asset: null, currency: null };
  const [, whole = '', part = '', asset = ''] = parts;
  return { whole, part, asset, currency: null };
}

export function coinAmount(say: Reads, amount: CryptoAmount, asset: string): AmountText {
  return exactCoinAmount(say, wireAmount(amount), asset);
}

function exactCoinAmount(say: Reads, { atoms, decimals }: CryptoAmount, asset: string): AmountText {
  const { whole, fraction } = decimalParts(atoms, decimals);
  const part = fraction === '' ? '' : `.${fraction}`;
  return { whole: wholeText(say.language, whole), part, asset, currency: null };
}

export function fiatAmount(say: Reads, minor: bigint, currency: string): AmountText {
  const { whole, fraction } = decimalParts(minor, FIAT_DECIMALS);
  const part = `.${fraction.padEnd(FIAT_DECIMALS, '0')}`;
  return { whole: wholeText(say.language, whole), part, asset: null, currency };
}
