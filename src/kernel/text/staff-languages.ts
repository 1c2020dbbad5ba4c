/** The languages of the dashboard and of mails to its people, by their ISO 639 codes; English is what the code says. */
export type Language = 'en' | 'de';

/** A text of a mail beside its German: one that nobody has translated does not compile. */
export type InEach = Readonly<Record<Language, string>>;

export const NAMES: InEach = { en: 'English', de: 'Deutsch' };

/** How numbers and dates are written where the reader's browser names no region of the language. */
export const LOCALES: InEach = { en: 'en-GB', de: 'de-CH' };

export const LANGUAGES: readonly Language[] = ['en', 'de'];

export function isStaffLanguage(text: unknown): text is Language {
  return typeof text === 'string' && Object.hasOwn(NAMES, text);
}

const NUMBERS: Readonly<Record<Language, Intl.NumberFormat>> = {
  en: new Intl.NumberFormat(LOCALES.en),
  de: new Intl.NumberFormat(LOCALES.de),
};

/** "1,234", in German "1’234": newer data of Node's put a straight quote into the numbers of Switzerland. */
export function wholeText(language: Language, count: bigint | number): string {
  return NUMBERS[language].format(count).replaceAll("'", '’');
}

const MOMENTS: Readonly<Record<Language, Intl.DateTimeFormat>> = { en: momentIn('en'), de: momentIn('de') };

/** A moment as mails have it, who do not know where they are read: "21 Nov 2026, 14:32 UTC", "21.11.2026, 14:32 UTC". */
export function utcMoment(at: Date, language: Language): string {
  return `${MOMENTS[language].format(at)} UTC`;
}

function momentIn(language: Language): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(LOCALES[language], {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
}
