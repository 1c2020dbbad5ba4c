import { wireText, type CryptoAmount } from '../../../kernel/crypto-amount.js';
import { trimZeros } from '../../../kernel/decimal.js';
import { formatFiat, parseFiat } from '../../../kernel/fiat.js';

/** An amount as `parts/amount` draws it: the point of each stands below that of the one above. */
export interface AmountText {
  readonly whole: string;
  /** ".19", or nothing. */
  readonly part: string;
  /** After it an asset, before it a currency. */
  readonly asset: string | null;
  readonly currency: string | null;
}

/** "CHF 1’234.50" of the API's number. */
export function formatAmount(amount: number, currency: string): string {
  return `${currency} ${formatFiat(minorOf(amount))}`;
}

export function fiatNumber(amount: number, currency: string): AmountText {
  return fiatAmount(minorOf(amount), currency);
}

function minorOf(amount: number): bigint {
  const minor = parseFiat(amount);
  if (typeof minor !== 'bigint') throw new Error(`${amount} is no amount of ours`);
  return minor;
}

/** "1’234.5 USDC": without the zeros that say nothing. `null` in an asset that is no longer configured. */
export function coinText(amount: CryptoAmount | null, asset: string): string {
  return amount === null ? `unknown\u00a0${asset}` : decimalText(wireText(amount), asset);
}

/** The same of a decimal string, with all of its decimals. */
export function decimalText(decimal: string, asset: string): string {
  const { whole, part } = decimalAmount(decimal, asset);
  return `${whole}${part}\u00a0${asset}`;
}

export function coinAmount(amount: CryptoAmount, asset: string): AmountText {
  return decimalAmount(wireText(amount), asset);
}

function decimalAmount(decimal: string, asset: string): AmountText {
  const [whole = '0', part] = trimZeros(decimal).split('.');
  return { whole: grouped(whole), part: part ? `.${part}` : '', asset, currency: null };
}

export function fiatAmount(minor: bigint, currency: string): AmountText {
  const [whole = '0', cents = '00'] = formatFiat(minor).split('.');
  return { whole, part: `.${cents}`, asset: null, currency };
}

const grouped = (whole: string) => whole.replace(/\B(?=(\d{3})+$)/g, '’');
