import type { Language } from '../../../kernel/text/staff-languages.js';
import type { Role } from '../accounts.types.js';

export interface Letter {
  readonly subject: string;
  readonly text: string;
  /** In which both are. */
  readonly language: Language;
}

/** What is said, and no more: who it is for is decided by whoever sends it. */
export type LetterText = Omit<Letter, 'language'>;

export interface Invited {
  /** `null` for what an operator runs. */
  readonly merchantName: string | null;
  readonly role: Role | null;
  readonly invitedBy: string;
  readonly expiresAt: Date;
}

/** Somebody who tries passwords or codes at an account. */
export interface Guessing {
  readonly guessed: 'password' | 'code';
  /** From a session of it, from a browser where its person has signed in before, or from elsewhere. */
  readonly by: 'session' | 'device' | 'stranger';
  /** From where the last try came. */
  readonly ip: string | null;
}

/** The letters in one language; what strangers wrote comes so that nothing in it acts. */
export interface Letters {
  invitation(invited: Invited, url: string): LetterText;
  proof(url: string, expiresAt: Date): LetterText;
  /** @param asked.ip from where: whoever it was is not known */
  reset(asked: { readonly url: string; readonly expiresAt: Date; readonly ip: string }): LetterText;
  /** @param url of the account's own page */
  guessed(guessing: Guessing, url: string): LetterText;
  /** A right password whose second step did not follow. @param ip from where it came */
  unfinished(ip: string, url: string): LetterText;
}
