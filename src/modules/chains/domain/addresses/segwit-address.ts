import { createHash } from 'node:crypto';
import { bech32 } from '@scure/base';
import type { BitcoinChain, Family } from '../../../../config/config.types.js';
import type { DerivedAddress } from './derived-address.js';
import { receiveNode } from './receive-node.js';

export type BitcoinFamily = Exclude<Family, 'evm'>;

/** What an address of each chain begins with (BIP173, and Litecoin's own). */
const PREFIXES: Readonly<Record<BitcoinFamily, Readonly<Record<BitcoinChain, string>>>> = {
  bitcoin: { main: 'bc', test: 'tb', regtest: 'bcrt' },
  litecoin: { main: 'ltc', test: 'tltc', regtest: 'rltc' },
};
const WITNESS_VERSION = 0;
const KEY_HASH_BYTES = 20;
/** OP_0 and a push of the 20 bytes of a key's hash: the only kind of script that we hand out. */
const P2WPKH = /^0014[0-9a-f]{40}$/;

export function segwitPrefix(family: BitcoinFamily, chain: BitcoinChain): string {
  return PREFIXES[family][chain];
}

/**
 * The P2WPKH address at m/…/0/`index` of an account-level key (BIP84). Bech32 has one normal spelling, lower case,
 * so it is both what people see and what is watched; unlike the script it also tells one chain from another.
 * @throws RangeError for a hardened index: it cannot be derived from a public key.
 */
export function deriveSegwitAddress(prefix: string, xpub: string, index: number): DerivedAddress {
  const { pubKeyHash } = receiveNode(xpub, index);
  if (!pubKeyHash) throw new Error('the key has no hash');
  const address = encode(prefix, pubKeyHash);
  return { address, watchedAddress: address };
}

/** The address that a scriptPubKey (lower-case hex) pays to; `null` for every kind of script but P2WPKH. */
export function addressOfScript(prefix: string, script: string): string | null {
  return P2WPKH.test(script) ? encode(prefix, Buffer.from(script.slice(4), 'hex')) : null;
}

/** One of a chain's, of nobody: to ask a node whether such addresses are its own. */
export const anyAddress = (prefix: string): string => encode(prefix, new Uint8Array(KEY_HASH_BYTES));

/** The P2WPKH address of a public key (hex). */
export function addressOfKey(prefix: string, key: string): string {
  const sha = createHash('sha256').update(Buffer.from(key, 'hex')).digest();
  return encode(prefix, createHash('ripemd160').update(sha).digest());
}

/** @param address one whose checksum was looked at */
export function isKeyHashAddress(address: string): boolean {
  const words = bech32.decodeUnsafe(address)?.words ?? [];
  return words[0] === WITNESS_VERSION && bech32.fromWordsUnsafe(words.slice(1))?.length === KEY_HASH_BYTES;
}

function encode(prefix: string, keyHash: Uint8Array): string {
  return bech32.encode(prefix, [WITNESS_VERSION, ...bech32.toWords(keyHash)]);
}
