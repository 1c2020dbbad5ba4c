import { parseAtoms } from '../../kernel/crypto-amount.js';
import { trimZeros } from '../../kernel/decimal.js';

/** Exactly what was asked for: an amount finer than the asset is refused, not rounded. */
export function exactAtoms(amount: string, decimals: number): bigint {
  const value = parseAtoms(trimZeros(amount), decimals);
  if (value === null || value === 0n)
    throw new Error(`${amount} is not an amount with at most ${decimals} decimals.`);
  return value;
}
