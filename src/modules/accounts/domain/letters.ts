import type { Language } from '../../../kernel/text/staff-languages.js';
import { visibleText } from '../../../kernel/text/visible-text.js';
import type { Guessing, Invited, Letter, Letters } from './letter-texts.js';
import { english } from './letters.english.js';
import { german } from './letters.german.js';

const LETTERS: Readonly<Record<Language, Letters>> = { en: english, de: german };

/** Only the mailbox gets the link: having it proves that the mailbox is one's own. */
export function invitationLetter(invited: Invited, url: string, language: Language): Letter {
  const { merchantName, invitedBy } = invited;
  const shown = {
    ...invited,
    merchantName: merchantName === null ? null : visibleText(merchantName),
    invitedBy: visibleText(invitedBy),
  };
  return { ...LETTERS[language].invitation(shown, url), language };
}

export function proofLetter(url: string, expiresAt: Date, language: Language): Letter {
  return { ...LETTERS[language].proof(url, expiresAt), language };
}

export function resetLetter(asked: Parameters<Letters['reset']>[0], language: Language): Letter {
  return { ...LETTERS[language].reset(asked), language };
}

/** @param url of the account's own page */
export function guessedLetter(guessing: Guessing, url: string, language: Language): Letter {
  return { ...LETTERS[language].guessed(guessing, url), language };
}

/** @param url of the account's own page */
export function unfinishedLetter(ip: string, url: string, language: Language): Letter {
  return { ...LETTERS[language].unfinished(ip, url), language };
}
