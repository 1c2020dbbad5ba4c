import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** Fixed prefix plus 32 alphanumeric characters. The last six are a checksum of the rest. */
const PREFIX = 'svc_live_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_CHARS = 26; // 154 bits
const CHECKSUM_CHARS = 6;
const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_CHARS + CHECKSUM_CHARS}}$`);

export function newApiKey(): string {
  let key = PREFIX;
  for (let i = 0; i < RANDOM_CHARS; i++) key += ALPHABET[randomInt(ALPHABET.length)];
  return key + checksum(key);
}

/** Whether a text can be a key at all. A typo is refused here, without asking the database. */
export function isWellFormedApiKey(text: string): boolean {
  return SHAPE.test(text) && text.endsWith(checksum(text.slice(0, -CHECKSUM_CHARS)));
}

/** What is stored instead of the key. Keys are random, so a slow hash would add nothing. */
export function hashApiKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** What a list shows of a key: enough to recognise it, useless to a thief. */
export function shortApiKey(key: string): string {
  return `${key.slice(0, PREFIX.length + 6)}…`;
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECKSUM_CHARS; i++, rest = Math.floor(rest / ALPHABET.length)) {
    digits = ALPHABET.charAt(rest % ALPHABET.length) + digits;
  }
  return digits;
}
