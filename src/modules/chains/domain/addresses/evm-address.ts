import { ECDH } from 'node:crypto';
import { publicKeyToAddress } from 'viem/accounts';
import { hexOf } from '../../../../kernel/text/hex.js';
import type { DerivedAddress } from './derived-address.js';
import { receiveNode } from './receive-node.js';

/**
 * The address at m/…/0/`index` of an account-level key that `parseExtendedKey` accepted (BIP44).
 * @throws RangeError for a hardened index: it cannot be derived from a public key.
 */
export function deriveEvmAddress(xpub: string, index: number): DerivedAddress {
  const { publicKey } = receiveNode(xpub, index);
  if (!publicKey) throw new Error('the key has no public key');
  const uncompressed = ECDH.convertKey(publicKey, 'secp256k1', undefined, 'hex', 'uncompressed');
  const address = publicKeyToAddress(hexOf(`0x${String(uncompressed)}`));
  return { address, watchedAddress: address.toLowerCase() };
}
