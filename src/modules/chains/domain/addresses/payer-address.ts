import type { BitcoinChain, Family } from '../../../../config/config.types.js';
import { readAddress } from './read-address.js';
import { isKeyHashAddress } from './segwit-address.js';

/**
 * An address that a person typed, as the watchers write down who paid; `null` when it is none of that network, or of a
 * kind that they never see as a payer: on Bitcoin-like networks they know those of P2WPKH inputs alone.
 */
export function payerAddress(
  network: { readonly family: Family; readonly chain?: BitcoinChain | undefined },
  text: string,
): string | null {
  const address = readAddress(network, text);
  if (address === null) return null;
  if (network.family === 'evm') return address.toLowerCase();
  return isKeyHashAddress(address) ? address : null;
}
