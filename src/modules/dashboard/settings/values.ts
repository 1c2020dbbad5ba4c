import type { Depth } from '../../../config/config.types.js';
import { formatDecimal, parseDecimal } from '../../../kernel/decimal.js';
import { FIAT_DECIMALS } from '../../../kernel/fiat.js';
import type { TypedNumber } from '../../../kernel/text/typed-number.js';

// What somebody typed as the settings store it. What cannot be read says so, and is in no setting's range: the settings
// themselves say what they take, in the same words on every way to them.

/** "0.5", "0.5 %" or "0,5" → 50 hundredths of a percent; nothing is 0. */
export function bpsOf(text: string): TypedNumber {
  return decimalOf(text.replace(/\s*%$/, ''));
}

/** "9.90" → 990; nothing is 0. */
export function minorOf(text: string): TypedNumber {
  return decimalOf(text);
}

export function wholeOf(text: string): TypedNumber {
  return text === '' ? 0 : /^\d{1,9}$/.test(text) ? Number(text) : 'unreadable';
}

/** Empty is the network's default. */
export function depthOf(text: string): Depth | TypedNumber | null {
  const tag = text.toLowerCase();
  if (tag === 'safe' || tag === 'finalized') return tag;
  return text === '' ? null : wholeOf(text);
}

/** 990 → "9.90"; nothing for 0. */
export function amountField(minor: number): string {
  return minor === 0 ? '' : formatDecimal(BigInt(minor), FIAT_DECIMALS);
}

/** Percents and amounts have two decimals both. */
function decimalOf(text: string): TypedNumber {
  const hundredths = text === '' ? 0n : parseDecimal(text.replace(',', '.'), 2);
  return hundredths === null || hundredths > BigInt(Number.MAX_SAFE_INTEGER)
    ? 'unreadable'
    : Number(hundredths);
}
