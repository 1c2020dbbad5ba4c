import type { Request } from 'express';
import { before } from '../../../kernel/lookups.js';
import { type Language, LOCALES } from '../../../kernel/text/staff-languages.js';

/** Whose page it is: in which language it is, where the clock stands and how a date is written there. */
export interface Reader {
  /** As the browser's script has left it in a cookie; empty before it has. */
  readonly zone: string;
  readonly language: Language;
  /** Of dates: the language with a region, as the browser names it. */
  readonly locale: string;
}

const FORMS = {
  /** "24 Nov 2026, 23:06" */
  whole: { dateStyle: 'medium', timeStyle: 'short' },
  /** "24 Nov, 23:06": of a list whose rows are of this year. */
  short: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>;

/** Making one takes longer than using it a hundred times; anybody may send any zone and language. */
const MAX_KEPT = 200;
const kept = new Map<string, Intl.DateTimeFormat | null>();

/** @param isChosen whether the reader has chosen the language here, rather than the browser */
export function readerOf(request: Request, language: Language, isChosen: boolean): Reader {
  const cookie = /(?:^|; )zone=([\w%+-]{1,80})(?:;|$)/.exec(request.headers.cookie ?? '')?.[1] ?? '';
  const zone = cookie.replaceAll('%2F', '/');
  const locale = localeOf(request.acceptsLanguages(), language, isChosen);
  return formatOf({ zone, locale }, 'whole')
    ? { zone, language, locale }
    : { zone: '', language, locale: LOCALES[language] };
}

/** Whoever reads English for want of their own language has dates as they know them. */
function localeOf(asked: readonly string[], language: Language, isChosen: boolean): string {
  const [first = '*'] = asked;
  if (language === 'en' && !isChosen) return first === '*' ? LOCALES.en : first;
  return asked.find((locale) => before('-', locale).toLowerCase() === language) ?? LOCALES[language];
}

/** A moment in the reader's zone and language; in UTC, and saying so, while the zone is not known. */
export function momentFor(
  reader: Pick<Reader, 'zone' | 'language' | 'locale'>,
  iso: string,
  utc: string,
  form: keyof typeof FORMS,
): string {
  if (reader.zone === '') return utcFor(reader.language, iso, utc);
  const date = new Date(iso);
  const isThisYear = date.getUTCFullYear() === new Date().getUTCFullYear();
  return formatOf(reader, isThisYear ? form : 'whole')?.format(date) ?? utc;
}

/** "21 Nov 2026, 14:32 UTC" in the page's language. */
export function utcFor(language: Language, iso: string, utc: string): string {
  if (language === 'en') return utc;
  const written = formatOf({ zone: 'UTC', locale: LOCALES[language] }, 'whole')?.format(new Date(iso));
  return written === undefined ? utc : `${written} UTC`;
}

function formatOf(
  { zone, locale }: Pick<Reader, 'zone' | 'locale'>,
  form: keyof typeof FORMS,
): Intl.DateTimeFormat | null {
  const key = `${form} ${locale} ${zone}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  if (kept.size >= MAX_KEPT) kept.clear();
  const made = zone === '' ? null : formatIn(zone, locale, FORMS[form]);
  kept.set(key, made);
  return made;
}

function formatIn(timeZone: string, locale: string, form: Intl.DateTimeFormatOptions) {
  try {
    return new Intl.DateTimeFormat(locale, { ...form, timeZone });
  } catch {
    return null; // no such zone or language
  }
}
