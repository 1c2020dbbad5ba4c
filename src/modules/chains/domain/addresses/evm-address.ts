import { ECDH } from 'node:crypto';
import { publicKeyToAddress } from 'viem/accounts';
import type { DerivedAddress } from './derived-address.js';
import { receiveNode } from './receive-node.js';

/**
 * The address at m/…/0/`index` of an account-level key that `parseExtendedKey` accepted (BIP44).
 * @throws RangeError for a hardened index: it cannot be derived from a public key.
 */
export function deriveEvmAddress(xpub: string, index: number): DerivedAddress {
  const { publicKey } = receiveNode(xpub, index);
  const uncompressed = ECDH.convertKey(publicKey!, 'secp256k1', undefined, 'hex', 'uncompressed') as string;
  const address = publicKeyToAddress(`0x${uncompressed}`);
  return { address, watchedAddress: address.toLowerCase() };
}
