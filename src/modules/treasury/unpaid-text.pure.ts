import { amountText } from '../../kernel/crypto-amount.js';
import type { Unpaid } from './treasury.types.js';

/** One of each asset, with all that did not pay out of it. */
export function unpaidSums(unpaid: readonly Unpaid[]): Unpaid[] {
  const sums = new Map<string, Unpaid>();
  for (const one of unpaid) {
    const before = sums.get(one.asset)?.atoms ?? 0n;
    sums.set(one.asset, { ...one, atoms: before + one.atoms });
  }
  return [...sums.values()];
}

/** "2 addresses with 5 USDC", "none", or that it is not known */
export function unpaidText(unpaid: readonly Unpaid[] | null): string {
  if (unpaid === null) return 'not known';
  if (unpaid.length === 0) return 'none';
  const what = unpaidSums(unpaid).map(amountText).join(' and ');
  return `${unpaid.length === 1 ? 'one address' : `${unpaid.length} addresses`} with ${what}`;
}

/** A sentence of what did not pay out, after a transaction is mined; empty where all did. */
export function unpaidSentence(unpaid: readonly Unpaid[] | null): string {
  if (unpaid === null) return 'What still lies there is not known: the node does not say.';
  if (unpaid.length === 0) return '';
  const text = unpaidText(unpaid);
  return (
    `${text.charAt(0).toUpperCase()}${text.slice(1)} did not pay out, as a rule because the token, or the wallet that is ` +
    'paid, refuses it. It stays there, and can be collected when that has changed.'
  );
}
