import { HDKey } from '@scure/bip32';
import type { BitcoinChain, Family } from '../../../../config/config.types.js';
import { looksPrivate } from '../../../../kernel/private-key.js';
import { invalidExtendedKey, privateKeyRefused } from '../../chains.errors.js';
import { PUBLIC_KEY_KINDS } from './slip132.js';

/** m / purpose' / coin' / account': what wallets export, and what the external chain /0/i hangs from. */
const ACCOUNT_DEPTH = 3;
/** Where wallets keep the account that addresses are made from. */
const ACCOUNT_PATHS = {
  evm: "m/44'/60'/0'",
  bitcoin: "m/84'/0'/0'",
  litecoin: "m/84'/2'/0'",
} as const satisfies Record<Family, string>;
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
 * checksum, kind or level. Each says what to do instead; none repeats the input.
 */
export function parseExtendedKey(text: string, family: Family, chain?: BitcoinChain): ExtendedKey {
  const xpub = text.trim();
  if (looksPrivate(xpub)) throw privateKeyRefused();
  const kind = PUBLIC_KEY_KINDS[xpub.slice(0, 4)];
  if (!kind?.families.includes(family) || !SHAPE.test(xpub)) {
    const isTest = chain !== undefined && chain !== 'main';
    throw invalidExtendedKey(
      `Addresses cannot be made from this. In your wallet, open the details of the account, choose its extended public key, and copy all of it: some 111 letters and digits that begin with ${kindsOf(family, isTest)}.`,
    );
  }
  if (chain !== undefined && (kind.isTest ?? false) !== (chain !== 'main')) {
    throw invalidExtendedKey(
      kind.isTest
        ? 'This key belongs to a test network, and this instance takes real money. Switch your wallet to the main network, and copy the key of the account there.'
        : `This key belongs to the main network, and this instance is on a test network (${chain}). Switch your wallet to that one, and copy the key of the account there.`,
    );
  }
  const node = decode(xpub);
  if (node.depth !== ACCOUNT_DEPTH) {
    throw invalidExtendedKey(
      `This key belongs to a whole wallet or to a single address, not to an account. In your wallet, open the details of an account, and copy the extended public key that is shown there (its path is like ${ACCOUNT_PATHS[family]}).`,
    );
  }
  return { family, xpub, material: hex(node.publicKey) + hex(node.chainCode) };
}

/** The beginnings that a key of this family may have: "zpub / xpub". */
function kindsOf(family: Family, isTest: boolean): string {
  return Object.entries(PUBLIC_KEY_KINDS)
    .filter(([, kind]) => kind.families.includes(family) && (kind.isTest ?? false) === isTest)
    .map(([name]) => name)
    .join(' / ');
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
  throw invalidExtendedKey(
    'A letter or digit of this key is missing or wrong. Copy the whole key from your wallet again.',
  );
}

function hex(bytes: Uint8Array | null): string {
  if (!bytes) throw invalidExtendedKey('There is no public key in this. Copy the key of the account again.');
  return Buffer.from(bytes).toString('hex');
}
