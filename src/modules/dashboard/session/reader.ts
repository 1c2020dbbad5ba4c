import type { Request } from 'express';

/** Whose page it is: where the clock stands and how a date is written there. */
export interface Reader {
  /** As the browser's script has left it in a cookie; empty before it has. */
  readonly zone: string;
  readonly language: string;
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

export function readerOf(request: Request): Reader {
  const cookie = /(?:^|; )zone=([\w%+-]{1,80})(?:;|$)/.exec(request.headers.cookie ?? '')?.[1] ?? '';
  const zone = cookie.replaceAll('%2F', '/');
  const asked = request.acceptsLanguages()[0] ?? '*';
  const language = asked === '*' ? 'en-GB' : asked;
  return formatOf({ zone, language }, 'whole') ? { zone, language } : { zone: '', language: 'en-GB' };
}

/** A moment in the reader's zone and language; in UTC, and saying so, while the zone is not known. */
export function momentFor(reader: Reader, iso: string, utc: string, form: keyof typeof FORMS): string {
  if (reader.zone === '') return utc;
  const date = new Date(iso);
  const isThisYear = date.getUTCFullYear() === new Date().getUTCFullYear();
  return formatOf(reader, isThisYear ? form : 'whole')?.format(date) ?? utc;
}

function formatOf({ zone, language }: Reader, form: keyof typeof FORMS): Intl.DateTimeFormat | null {
  const key = `${form} ${language} ${zone}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  if (kept.size >= MAX_KEPT) kept.clear();
  const made = zone === '' ? null : formatIn(zone, language, FORMS[form]);
  kept.set(key, made);
  return made;
}

function formatIn(timeZone: string, language: string, form: Intl.DateTimeFormatOptions) {
  try {
    return new Intl.DateTimeFormat(language, { ...form, timeZone });
  } catch {
    return null; // no such zone or language
  }
}
