import { createHash } from 'node:crypto';
import { bech32, bech32m, createBase58check } from '@scure/base';
import { getAddress, isAddress, zeroAddress } from 'viem';
import type { BitcoinChain, Family } from '../../../../config/config.types.js';
import { type BitcoinFamily, segwitPrefix } from './segwit-address.js';

/** Version bytes of a key's hash and of a script's hash. Litecoin's old scripts, which look like Bitcoin's, are not in it. */
const BASE58_VERSIONS: Readonly<Record<BitcoinFamily, Readonly<Record<'main' | 'test', readonly number[]>>>> =
  {
    bitcoin: { main: [0x00, 0x05], test: [0x6f, 0xc4] },
    litecoin: { main: [0x30, 0x32], test: [0x6f, 0x3a] },
  };
const HASH_BYTES = 20;
/** Longer than any address; what is longer is not decoded, which takes the square of its length. */
const MAX_LENGTH = 100;
/** Witness version → lengths of its program (BIP141, BIP350). Later versions have no owner yet. */
const PROGRAM_BYTES: readonly (readonly number[])[] = [[20, 32], [32]];

const base58check = createBase58check((data) => createHash('sha256').update(data).digest());

/**
 * An address that a person typed, in its normal spelling; `null` for one that is none of this network, or whose
 * checksum is wrong. An EVM address in one case only has no checksum, and comes back with one.
 * @param network `chain` says which chain of a Bitcoin-like coin
 */
export function readAddress(
  { family, chain }: { readonly family: Family; readonly chain?: BitcoinChain | undefined },
  text: string,
): string | null {
  if (text.length > MAX_LENGTH) return null;
  if (family === 'evm') return readEvm(text);
  return chain ? (readSegwit(family, chain, text) ?? readBase58(family, chain, text)) : null;
}

function readEvm(text: string): string | null {
  const digits = text.slice(2);
  const unchecked = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  const address = unchecked ? `0x${digits.toLowerCase()}` : text;
  if (!text.startsWith('0x') || !isAddress(address) || address === zeroAddress) return null;
  return getAddress(address);
}

function readSegwit(family: BitcoinFamily, chain: BitcoinChain, text: string): string | null {
  const address = text === text.toUpperCase() ? text.toLowerCase() : text;
  for (const [version, coder] of [bech32, bech32m].entries()) {
    const decoded = coder.decodeUnsafe(address);
    if (!decoded || decoded.prefix !== segwitPrefix(family, chain) || decoded.words[0] !== version) continue;
    const program = coder.fromWordsUnsafe(decoded.words.slice(1));
    if (program && PROGRAM_BYTES[version]?.includes(program.length)) return address;
  }
  return null;
}

function readBase58(family: BitcoinFamily, chain: BitcoinChain, text: string): string | null {
  try {
    const [version, ...hash] = base58check.decode(text);
    const known = BASE58_VERSIONS[family][chain === 'main' ? 'main' : 'test'];
    return version !== undefined && known.includes(version) && hash.length === HASH_BYTES ? text : null;
  } catch {
    return null;
  }
}
