/** The languages of the dashboard, by their ISO 639 codes; English is what the code says, and the key of what others say. */
export type Language = 'en' | 'de';

export const NAMES: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' };

/** How numbers and dates are written where the reader's browser names no region of the language. */
export const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de-CH' };

export const LANGUAGES: readonly Language[] = ['en', 'de'];

export function isLanguage(text: unknown): text is Language {
  return typeof text === 'string' && Object.hasOwn(NAMES, text);
}
