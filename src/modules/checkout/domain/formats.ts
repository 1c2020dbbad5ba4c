import { formatFiat, type Currency } from '../../../kernel/fiat.js';
import { trimZeros } from '../../../kernel/decimal.js';
import { parseUrl } from '../../../kernel/parse-url.js';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;
/** A number and its unit stay on one line. */
const NBSP = '\u00a0';

export function fiatText(minor: bigint, currency: Currency): string {
  return `${currency}${NBSP}${formatFiat(minor)}`;
}

/** "56.1234 USDC": for sentences, never for copying. */
export function unitText(amount: string, asset: string): string {
  return `${trimZeros(amount)}${NBSP}${asset}`;
}

/** "14:32 UTC". The server does not know the buyer's time zone, so it names its own. */
export function timeText(date: Date): string {
  return `${date.toISOString().slice(11, 16)}${NBSP}UTC`;
}

/** "21 Nov, 14:32 UTC": for what ends within the hour. */
export function dayTimeText(date: Date): string {
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}, ${timeText(date)}`;
}

/** "21 Nov 2026, 14:32 UTC". */
export function dateTimeText(date: Date): string {
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}, ${timeText(date)}`;
}

/** "1 BTC ≈ CHF 54’321.12": six digits are enough to compare; "=" only where none were cut. */
export function priceText(price: string, asset: string, currency: Currency): string {
  const [whole = '0', fraction = ''] = trimZeros(price).split('.');
  const leading = whole === '0' ? (/^0*/.exec(fraction)?.[0].length ?? 0) : -whole.length;
  const kept = fraction.slice(0, Math.max(2, 6 + leading)).padEnd(2, '0');
  const sign = fraction.length > kept.length ? '≈' : '=';
  return `1${NBSP}${asset} ${sign} ${currency}${NBSP}${whole.replace(/\B(?=(\d{3})+$)/g, '’')}.${kept}`;
}

/** "about 2 minutes". */
export function aboutText(seconds: number): string {
  if (seconds < 45) return 'less than a minute';
  if (seconds < 90) return 'about a minute';
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `about ${minutes} minutes`;
  const hours = Math.round(minutes / 60);
  return `about ${hours} hours`;
}

/** Cuts the whole digits of an amount into threes; the last piece has the fraction too. */
export function amountGroups(amount: string): string[] {
  return amount.split(/(?<=^\d+)(?=(?:\d{3})+(?:\.|$))/);
}

/** Cuts an address into groups of four; an EVM address's "0x" goes with none of them. */
export function addressGroups(address: string): { prefix: string; groups: string[] } {
  const prefix = address.startsWith('0x') ? '0x' : '';
  return { prefix, groups: address.slice(prefix.length).match(/.{1,4}/gsu) ?? [] };
}

/** Only addresses that a link can mean safely; everything else stays text. */
export function safeHref(contact: string): string | null {
  if (/^[^\s@:/?#&]+@[^\s@:/?#&]+\.[^\s@:/?#&]+$/u.test(contact)) return `mailto:${contact}`;
  if (/^mailto:[^\s@:/?#&]+@[^\s@:/?#&]+$/iu.test(contact)) return contact;
  return httpsUrl(contact);
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
