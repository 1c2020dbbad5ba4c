import { takeRandomBytes } from './random-bytes.js';

/** Crockford's base 32 in lower case: sorts as it counts, no letters that look alike, safe in every URL. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_CHARS = 10; // 48 bits of milliseconds, in fives
const RANDOM_CHARS = 20; // 100 random bits: nobody guesses the link of a payment

export type IdPrefix =
  | 'pi'
  | 'evt'
  | 'mer'
  | 'key'
  | 'we'
  | 'quo'
  | 'xk'
  | 'dst'
  | 'tr'
  | 'rpl'
  | 'rev'
  | 'rfr'
  | 'rf'
  | 'alr'
  | 'usr'
  | 'ses'
  | 'pk'
  | 'sv'
  | 'lnk'
  | 'eml';

/**
 * An id that sorts by time and cannot be guessed: `pi_` + 10 characters of time + 20 of chance. The one place of the
 * kernel that reads a clock: this time only says where a row lies, and decides nothing.
 */
// eslint-disable-next-line no-restricted-syntax -- as said above
export function newId(prefix: IdPrefix, nowMs: number = Date.now()): string {
  let random = '';
  for (const byte of takeRandomBytes(RANDOM_CHARS)) random += ALPHABET[byte % 32];
  return timePart(prefix, nowMs) + random;
}

/** What every id of this millisecond and later sorts after, and every id from before it sorts before. */
export function lowestId(prefix: IdPrefix, atMs: number): string {
  return timePart(prefix, Math.max(0, atMs));
}

function timePart(prefix: IdPrefix, atMs: number): string {
  let time = '';
  for (let rest = atMs, i = 0; i < TIME_CHARS; i++, rest = Math.floor(rest / 32)) {
    time = ALPHABET[rest % 32] + time;
  }
  return `${prefix}_${time}`;
}

const SHAPE = new RegExp(`^[a-z]+_[${ALPHABET}]{${TIME_CHARS + RANDOM_CHARS}}$`);

/** Whether a string could be an id of ours; a malformed id is simply an unknown one. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(`${prefix}_`) && SHAPE.test(text);
}
