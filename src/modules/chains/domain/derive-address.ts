import type { BitcoinChain, Family } from '../../../config/config.types.js';
import { underivable } from '../chains.errors.js';
import type { DerivedAddress } from './derived-address.js';
import { deriveEvmAddress } from './evm-address.js';
import { deriveSegwitAddress, segwitPrefix } from './segwit-address.js';

/**
 * @param chain which chain of a Bitcoin-like coin: it decides how the address is written
 * @throws DomainError `network-unavailable` for a Bitcoin-like family without a chain.
 */
export function deriveAddress(
  { family, chain }: { readonly family: Family; readonly chain?: BitcoinChain | undefined },
  xpub: string,
  index: number,
): DerivedAddress {
  if (family === 'evm') return deriveEvmAddress(xpub, index);
  if (!chain) throw underivable(family);
  return deriveSegwitAddress(segwitPrefix(family, chain), xpub, index);
}
