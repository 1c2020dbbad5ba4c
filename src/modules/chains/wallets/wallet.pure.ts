import type { Wallet } from '../wallets.types.js';

/** Whether somebody can be paid there now. */
export function isReady(wallet: Wallet): boolean {
  return wallet.kind === 'address' || wallet.isSearched;
}
