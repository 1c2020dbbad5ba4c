/** ASVS 5, 6.2.1: long enough to resist guessing, and no rule about its composition. */
const MIN_CHARS = 12;
/** Enough for every pass phrase; without an end, hashing could be made to take any time. */
const MAX_CHARS = 128;
/** "abababababab" is long and no secret. */
const MIN_DIFFERENT_CHARS = 5;

/** What people take for a password. Also with digits and signs around: nearly all long ones of the leaks are made so. */
const COMMON_WORDS = new Set(
  (
    'password passwort motdepasse contrasena senha parola secret geheim letmein welcome willkommen admin administrator ' +
    'root user login test testtest temp changeme default master qwerty qwertyuiop qwertz qwertzuiop azerty azertyuiop ' +
    'asdfgh asdfghjkl zxcvbnm yxcvbnm qazwsx qazwsxedc qweasd qweasdzxc iloveyou loveyou princess sunshine football ' +
    'fussball baseball basketball superman batman pokemon dragon monkey shadow michael jennifer jordan hunter ranger ' +
    'trustno starwars whatever computer internet samsung summer winter spring autumn sommer herbst hello hallo abc ' +
    'abcd abcde abcdef abcdefg abcdefgh abcdefghijkl google facebook bitcoin ethereum crypto satoshi nakamoto rappen ' +
    'dashboard merchant payment payments company zurich zuerich switzerland schweiz correcthorsebatterystaple'
  ).split(' '),
);
const LEET: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};
const KEYBOARD_AND_COUNTING = [
  '01234567890123456789',
  '98765432109876543210',
  'abcdefghijklmnopqrstuvwxyz',
  '1q2w3e4r5t6y7u8i9o0p',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
];

/** The one spelling of a password, so that every keyboard that types the same letters types the same password. */
export function normalPassword(text: string): string {
  return text.normalize('NFKC');
}

/** What is wrong with a new password, in a sentence; `null` when nothing is. */
export function flawOfPassword(text: string, email: string): string | null {
  const password = normalPassword(text);
  const chars = [...password];
  if (chars.length < MIN_CHARS) return `Use at least ${MIN_CHARS} characters.`;
  if (chars.length > MAX_CHARS) return `Use at most ${MAX_CHARS} characters.`;
  if (!password.isWellFormed() || password.includes('\0'))
    return 'This password holds a character that cannot be stored.';
  const plain = password.toLowerCase();
  if (new Set(plain).size < MIN_DIFFERENT_CHARS || isCommon(plain)) {
    return 'This password is one of the first that somebody would guess. Use another one.';
  }
  const [name = ''] = email.toLowerCase().split('@');
  const isAboutOneself =
    plain.includes(email.toLowerCase()) || (name.length > 3 && lettersOf(plain) === lettersOf(name));
  return isAboutOneself ? 'Do not build the password from your e-mail address.' : null;
}

/** Longer is not looked at: nobody may make us hash a megabyte. */
export function isPossiblePassword(text: string): boolean {
  return text.length <= 4 * MAX_CHARS;
}

function isCommon(plain: string): boolean {
  if (KEYBOARD_AND_COUNTING.some((row) => row.includes(plain))) return true;
  // "P@ssw0rd2026": the year at its end is no letters in disguise.
  const disguised = [...plain.replace(/[^\p{L}]+$/u, '')].map((char) => LEET[char] ?? char).join('');
  const letters = lettersOf(plain);
  const half = letters.slice(0, letters.length / 2);
  return [letters, lettersOf(disguised), ...(letters === half + half ? [half] : [])].some((word) =>
    COMMON_WORDS.has(word),
  );
}

function lettersOf(text: string): string {
  return text.replace(/[^\p{L}]/gu, '');
}
