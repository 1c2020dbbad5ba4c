import type { HDKey } from '@scure/bip32';
import { receiveChain } from './extended-key.js';

/** Decoding a key costs as much as an address; a busy instance serves far fewer merchants at a time than this. */
const CACHED_KEYS = 1_000;
const chains = new Map<string, HDKey>();

/**
 * The node at m/…/0/`index` of an account-level key that `parseExtendedKey` accepted.
 * @throws RangeError for a hardened index: it cannot be derived from a public key.
 */
export function receiveNode(xpub: string, index: number): HDKey {
  if (!Number.isInteger(index) || index < 0 || index >= 2 ** 31) throw new RangeError('index out of range');
  return cachedChain(xpub).deriveChild(index);
}

/** Least recently used out first: a Map keeps the order of insertion. */
function cachedChain(xpub: string): HDKey {
  const chain = chains.get(xpub) ?? receiveChain(xpub);
  chains.delete(xpub);
  chains.set(xpub, chain);
  const [oldest] = chains.keys();
  if (chains.size > CACHED_KEYS && oldest !== undefined) chains.delete(oldest);
  return chain;
}
