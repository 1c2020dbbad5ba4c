import { mulDiv, pow10 } from '../../../kernel/arithmetic.js';
import { type CryptoAmount, type Price, wireText } from '../../../kernel/crypto-amount.js';
import { formatDecimal, trimZeros } from '../../../kernel/decimal.js';
import { type Currency, FIAT_DECIMALS } from '../../../kernel/fiat.js';
import { isEmail, mailtoHref } from '../../../kernel/text/email.js';
import { parseUrl } from '../../../kernel/text/parse-url.js';
import type { Catalogue } from '../catalogue/en.js';

/** A number and its unit stay on one line. */
const NBSP = '\u00a0';
const ZONE = `${NBSP}UTC`;
/** Between threes: no reader takes it for a decimal point. What is copied and what a wallet reads has none. */
const THIN = '\u202f';

/** "CHF 1,234.50". */
export function fiatText(minor: bigint, currency: Currency, { notation }: Catalogue): string {
  return money(formatDecimal(minor, FIAT_DECIMALS), currency, notation, FIAT_DECIMALS);
}

/**
 * "56.1234 USDC", the same in every language: somebody compares it with what a wallet or an exchange shows, or types it
 * there, and a point that groups for one reader is a decimal point for the next.
 */
export function unitText(amount: CryptoAmount, asset: string): string {
  return `${groupedText(amount)}${NBSP}${asset}`;
}

/** "1 123 456.1234", for reading. */
export function groupedText(amount: CryptoAmount): string {
  return amountGroups(ungroupedWireText(amount)).join(THIN);
}

/** "1123456.1234", as wallets and exchanges read it. */
export function ungroupedWireText(amount: CryptoAmount): string {
  return trimZeros(wireText(amount));
}

/** "14:32 UTC". The server does not know the buyer's time zone, so it names its own; the script tells the buyer's. */
export function timeText(date: Date, { locale }: Catalogue): string {
  return inUtc(date, locale, 'time');
}

/** "21 Nov, 14:32 UTC": for what ends within the hour. */
export function dayTimeText(date: Date, { locale }: Catalogue): string {
  return inUtc(date, locale, 'day-time');
}

/** "21 Nov 2026, 14:32 UTC". */
export function dateTimeText(date: Date, { locale }: Catalogue): string {
  return inUtc(date, locale, 'date-time');
}

const TIME = { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' } as const;
const DAY_TIME = { day: 'numeric', month: 'short', ...TIME } as const;
const FORMS = { time: TIME, 'day-time': DAY_TIME, 'date-time': { year: 'numeric', ...DAY_TIME } } as const;

/** To make a format takes ICU longer than the rest of a page does; there are only so many languages and forms. */
const dateFormats = new Map<string, Intl.DateTimeFormat>();
const numberFormats = new Map<string, Intl.NumberFormat>();

function kept<Format>(formats: Map<string, Format>, key: string, make: () => Format): Format {
  const format = formats.get(key) ?? make();
  formats.set(key, format);
  return format;
}

/** Whether a text may name a time: each ends so. */
export const namesTime = (text: string) => text.includes(ZONE);

function inUtc(date: Date, locale: string, form: keyof typeof FORMS): string {
  const make = () => new Intl.DateTimeFormat(locale, FORMS[form]);
  return `${kept(dateFormats, `${locale} ${form}`, make).format(date)}${ZONE}`;
}

/** Of a price no reader looks at more; "=" is said of what is exact to as many. */
const PRICE_DECIMALS = 8;

/** "1 BTC ≈ CHF 54,321.12": six digits are enough to compare; "=" only where none were cut. */
export function unitPriceText(
  price: Price,
  asset: string,
  currency: Currency,
  { notation }: Catalogue,
): string {
  const units = mulDiv(price.numerator, pow10(PRICE_DECIMALS), price.denominator, 'down');
  const [whole = '0', fraction = ''] = trimZeros(formatDecimal(units, PRICE_DECIMALS)).split('.');
  const leading = whole === '0' ? (/^0*/.exec(fraction)?.[0].length ?? 0) : -whole.length;
  const kept = fraction.slice(0, Math.max(FIAT_DECIMALS, 6 + leading)).padEnd(FIAT_DECIMALS, '0');
  const sign = fraction.length > kept.length ? '≈' : '=';
  return `1${NBSP}${asset} ${sign} ${money(`${whole}.${kept}`, currency, notation, kept.length)}`;
}

/** @param decimal as text, which `Intl` formats exactly */
function money(decimal: string, currency: Currency, notation: string, fractionDigits: number): string {
  const make = () =>
    new Intl.NumberFormat(notation, {
      style: 'currency',
      currency,
      currencyDisplay: 'code',
      useGrouping: 'always',
      minimumFractionDigits: fractionDigits,
      maximumFractionDigits: fractionDigits,
    });
  const format = kept(numberFormats, `${notation} ${currency} ${fractionDigits}`, make);
  // Of the Swiss languages ICU writes a typewriter's apostrophe, in some of its versions.
  return format.format(decimal as Intl.StringNumericLiteral).replaceAll("'", '’');
}

/** "about 2 minutes". */
export function aboutText(seconds: number, { about }: Catalogue): string {
  if (seconds < 45) return about.lessThanAMinute;
  if (seconds < 90) return about.aMinute;
  const minutes = Math.round(seconds / 60);
  const text = minutes < 90 ? about.minutes(minutes) : about.hours(Math.round(minutes / 60));
  return text.replace(/(?<=\d) /, NBSP);
}

/** Cuts the whole digits of an amount into threes; the last piece has the fraction too. */
export function amountGroups(amount: string): string[] {
  return amount.split(/(?<=^\d+)(?=(?:\d{3})+(?:\.|$))/);
}

/** Only addresses that a link can mean safely; everything else stays text. */
export function safeHref(contact: string): string | null {
  const email = contact.replace(/^mailto:/i, '');
  return isEmail(email) ? mailtoHref(email) : httpsUrl(contact);
}

export function httpsUrl(text: string | null): string | null {
  if (text === null || !/^https:\/\//i.test(text)) return null;
  const url = parseUrl(text);
  return url && url.username === '' && url.password === '' ? url.href : null;
}

/** A wallet link of a scheme that we make; anything else is not put into an href. */
export function walletHref(uri: string): string | null {
  return /^(bitcoin|litecoin|ethereum):[\w:@/?&=.%+-]+$/i.test(uri) ? uri : null;
}
