/** Extended private keys by the letters that their version bytes spell (SLIP-132). */
const EXTENDED_KEY_PREFIXES = [
  'xprv',
  'yprv',
  'zprv',
  'Yprv',
  'Zprv',
  'tprv',
  'uprv',
  'vprv',
  'Uprv',
  'Vprv',
  'Ltpv',
  'Mtpv',
  'ttpv',
];

const BASE58 = '[1-9A-HJ-NP-Za-km-z]';
/**
 * Anywhere in the text, because output descriptors and `key=value` lines carry keys too; but at the beginning of a word,
 * because one public key of some twenty thousand has such four letters within it.
 */
const EXTENDED_PRIVATE_KEY = new RegExp(`(?<!${BASE58})(?:${EXTENDED_KEY_PREFIXES.join('|')})${BASE58}{40,}`);
const RAW_PRIVATE_KEY = /^(?:0x)?[0-9a-f]{64}$/i;
/** Wallet import format: Bitcoin and Litecoin, main and test networks. */
const WIF = /^(?:[59][1-9A-HJ-NP-Za-km-z]{50}|6[1-9A-HJ-NP-Za-km-z]{50}|[KLcT][1-9A-HJ-NP-Za-km-z]{51})$/;
const MNEMONIC_LENGTHS: readonly number[] = [12, 15, 18, 21, 24];
/** Every English BIP39 word has three to eight letters. */
const MNEMONIC_WORD = /^[a-z]{3,8}$/;

/**
 * Whether a text reads like something that can spend: an extended private key of any kind, 32 raw bytes in hex,
 * a WIF key, or a seed phrase. Judged by its looks alone, so a typo in a private key is caught as well.
 * Any 32 bytes in hex match: ask this only of values that have no business being one.
 */
export function looksPrivate(text: string): boolean {
  const trimmed = text.trim();
  return (
    EXTENDED_PRIVATE_KEY.test(trimmed) ||
    RAW_PRIVATE_KEY.test(trimmed) ||
    WIF.test(trimmed) ||
    looksLikeMnemonic(trimmed)
  );
}

/** Whether an extended private key stands anywhere in a text, whatever else the text is. Exact enough for any text. */
export function hasExtendedPrivateKey(text: string): boolean {
  return EXTENDED_PRIVATE_KEY.test(text);
}

function looksLikeMnemonic(text: string): boolean {
  const words = text.toLowerCase().split(/[\s,]+/);
  return MNEMONIC_LENGTHS.includes(words.length) && words.every((word) => MNEMONIC_WORD.test(word));
}
