import type { HDKey } from '@scure/bip32';
import { RecentlyUsed } from '../../../../kernel/recently-used.js';
import { receiveChain } from './extended-key.js';

/** Decoding a key costs as much as an address; a busy instance serves far fewer merchants at a time than this. */
const chains = new RecentlyUsed<HDKey>(1_000);

/**
 * The node at m/…/0/`index` of an account-level key that `parseExtendedKey` accepted.
 * @throws RangeError for a hardened index: it cannot be derived from a public key.
 */
export function receiveNode(xpub: string, index: number): HDKey {
  if (!Number.isInteger(index) || index < 0 || index >= 2 ** 31) throw new RangeError('index out of range');
  return chains.get(xpub, () => receiveChain(xpub)).deriveChild(index);
}
