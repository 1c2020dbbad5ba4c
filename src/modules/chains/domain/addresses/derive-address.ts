import type { BitcoinChain, Family } from '../../../../config/config.types.js';
import { RecentlyUsed } from '../../../../kernel/recently-used.js';
import { underivable } from '../../chains.errors.js';
import type { DerivedAddress } from './derived-address.js';
import { deriveEvmAddress } from './evm-address.js';
import { deriveSegwitAddress, segwitPrefix } from './segwit-address.js';

/**
 * Half a millisecond each, and a hundred and more for each key in every round of a comparison, on every network of its
 * family. These are some megabytes.
 */
const addresses = new RecentlyUsed<DerivedAddress>(20_000);

/**
 * @param chain which chain of a Bitcoin-like coin: it decides how the address is written
 * @throws DomainError `network-unavailable` for a Bitcoin-like family without a chain.
 */
export function deriveAddress(
  { family, chain }: { readonly family: Family; readonly chain?: BitcoinChain | undefined },
  xpub: string,
  index: number,
): DerivedAddress {
  const key = `${family} ${chain} ${xpub} ${index}`;
  if (family === 'evm') return addresses.get(key, () => deriveEvmAddress(xpub, index));
  if (!chain) throw underivable(family);
  return addresses.get(key, () => deriveSegwitAddress(segwitPrefix(family, chain), xpub, index));
}
