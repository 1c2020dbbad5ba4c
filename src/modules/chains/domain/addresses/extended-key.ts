import { HDKey } from '@scure/bip32';
import type { BitcoinChain, Family } from '../../../../config/config.types.js';
import { looksPrivate } from '../../../../kernel/private-key.js';
import { invalidExtendedKey, privateKeyRefused } from '../../chains.errors.js';
import { PUBLIC_KEY_KINDS } from './slip132.js';

/** m / purpose' / coin' / account': what wallets export, and what the external chain /0/i hangs from. */
const ACCOUNT_DEPTH = 3;
/** 78 bytes and a checksum. The library would also take a longer text with an uncompressed key in it. */
const SHAPE = /^[1-9A-HJ-NP-Za-km-z]{107,112}$/;

export interface ExtendedKey {
  readonly family: Family;
  /** The text as its owner wrote it, without blanks around it. */
  readonly xpub: string;
  /** hex(public key ‖ chain code): equal for every spelling (xpub, zpub, …) of one key. */
  readonly material: string;
}

/**
 * Reads an account-level extended public key of a family.
 * @param chain which chain of a Bitcoin-like coin the key must be for
 * @throws DomainError `private-key-refused` for anything that could spend, `invalid-extended-key` for a wrong
 * checksum, kind or level. Neither message repeats the input.
 */
export function parseExtendedKey(text: string, family: Family, chain?: BitcoinChain): ExtendedKey {
  const xpub = text.trim();
  if (looksPrivate(xpub)) throw privateKeyRefused();
  const kind = PUBLIC_KEY_KINDS[xpub.slice(0, 4)];
  if (!kind?.families.includes(family) || !SHAPE.test(xpub)) {
    const networks = family === 'evm' ? 'Ethereum and networks like it' : 'Bitcoin and networks like it';
    throw invalidExtendedKey(`it is not an extended public key for ${networks} (like xpub…)`);
  }
  if (chain !== undefined && (kind.isTest ?? false) !== (chain !== 'main')) {
    throw invalidExtendedKey(
      kind.isTest
        ? 'it belongs to a test network, and this instance takes real money'
        : `it belongs to the main network, and this instance is on a test network (${chain})`,
    );
  }
  const node = decode(xpub);
  if (node.depth !== ACCOUNT_DEPTH) {
    throw invalidExtendedKey(
      `it is of level ${node.depth}; export the key of the account (level ${ACCOUNT_DEPTH}, such as m/44'/60'/0')`,
    );
  }
  return { family, xpub, material: hex(node.publicKey) + hex(node.chainCode) };
}

/** The key's node for /0, from which the addresses that buyers pay to are derived. */
export function receiveChain(xpub: string): HDKey {
  return decode(xpub).deriveChild(0);
}

function decode(xpub: string): HDKey {
  const kind = PUBLIC_KEY_KINDS[xpub.slice(0, 4)];
  try {
    if (kind) return HDKey.fromExtendedKey(xpub, { public: kind.public, private: kind.private });
  } catch {
    // The library's message may quote what it was given.
  }
  throw invalidExtendedKey('its checksum or its content is wrong');
}

function hex(bytes: Uint8Array | null): string {
  if (!bytes) throw invalidExtendedKey('it has no public key');
  return Buffer.from(bytes).toString('hex');
}
