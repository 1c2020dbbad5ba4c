import { mulDiv } from '../../../kernel/arithmetic.js';
import {
  type CryptoAmount,
  fiatValue,
  type Price,
  WIRE_DECIMALS,
  wireUnits,
} from '../../../kernel/crypto-amount.js';

/** What is missing of a payment, in minor units of its currency. */
export interface Gap {
  readonly atQuote: bigint;
  /** At the price of now; `null` without a fresh one. */
  readonly today: bigint | null;
}

/**
 * @param amountMinor what was asked for
 * @param today the price of one unit of the asset in the payment's currency
 */
export function gapOf(
  amountMinor: bigint,
  quoted: CryptoAmount,
  missing: CryptoAmount,
  today: Price | null,
): Gap {
  const [whole, part] = [wireUnits(quoted), wireUnits(missing)];
  // A quote is rounded up to its last unit, which is nobody's debt: at an unmoved price both gaps are the same.
  const owed = part === 0n ? 0n : part - 1n;
  return {
    atQuote: mulDiv(amountMinor, part, whole, 'up'),
    today: today && fiatValue(owed, today, WIRE_DECIMALS, 'up'),
  };
}
