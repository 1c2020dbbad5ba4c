import { characterCount } from '../../../../kernel/text/character-count.js';

/** ASVS 5, 6.2.1: long enough to resist guessing, and no rule about its composition. */
const MIN_CHARS = 12;
/** Enough for every pass phrase; without an end, hashing could be made to take any time. */
const MAX_CHARS = 128;

/** The one spelling of a password, so that every keyboard that types the same letters types the same password. */
export function normalPassword(text: string): string {
  return text.normalize('NFKC');
}

/** What is plainly wrong with a new password, in a sentence; `null` when nothing is. How soon it is guessed is another question. */
export function flawOfPassword(text: string, email: string): string | null {
  const password = normalPassword(text);
  const chars = characterCount(password);
  if (chars < MIN_CHARS) return `Use at least ${MIN_CHARS} characters.`;
  if (chars > MAX_CHARS) return `Use at most ${MAX_CHARS} characters.`;
  if (!password.isWellFormed() || password.includes('\0'))
    return 'This password holds a character that cannot be stored.';
  const plain = password.toLowerCase();
  const address = email.toLowerCase();
  const name = address.replace(/@.*/, '');
  const isAboutOneself = plain.includes(address) || (name.length > 3 && lettersOf(plain) === lettersOf(name));
  return isAboutOneself ? 'Do not build the password from your e-mail address.' : null;
}

/** Longer is not looked at: nobody may make us hash a megabyte. */
export function isPossiblePassword(text: string): boolean {
  return text.length <= 4 * MAX_CHARS;
}

function lettersOf(text: string): string {
  return text.replace(/[^\p{L}]/gu, '');
}
