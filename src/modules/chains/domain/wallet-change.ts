import type { Wallet } from '../wallets.types.js';

/**
 * What the log says of a change of where a merchant is paid. A key is named by its id, because the log is read; an
 * address by itself. The number of the change is text, so that mail says it too: an owner who counts along sees that
 * one is missing.
 */
export function walletChange(
  before: Wallet | null,
  after: Wallet,
): { before: string | null; after: string; change: string } {
  return { before: before && nameOf(before), after: nameOf(after), change: String(after.changes) };
}

function nameOf(wallet: Wallet): string {
  return wallet.kind === 'address' ? wallet.destination : wallet.extendedKeyId;
}
