import type { Request } from 'express';
import type { Language } from '../../../kernel/text/staff-languages.js';
import { momentFor, readerOf } from './reader.js';

const UTC = '24 Nov 2025, 22:06 UTC';
const ISO = '2025-11-24T22:06:00.000Z';
const asked = (
  cookie: string | undefined,
  languages: string[] = ['en-GB'],
  language: Language = 'en',
  isChosen = false,
) =>
  readerOf(
    { headers: { cookie }, acceptsLanguages: () => languages } as unknown as Request,
    language,
    isChosen,
  );
const TOKYO = 'a=b; zone=Asia%2FTokyo; c=d';

it('writes a moment where the reader is, in the reader’s language', () => {
  const reader = asked(TOKYO, ['fr-CH', 'en']);
  expect(reader).toEqual({ zone: 'Asia/Tokyo', language: 'en', locale: 'fr-CH' });
  expect(momentFor(reader, ISO, UTC, 'whole')).toBe('25 nov. 2025, 07:06');
});

it('writes it in the language of the page where that is no makeshift', () => {
  const date = (languages: string[], language: Language, isChosen: boolean) =>
    momentFor(asked(TOKYO, languages, language, isChosen), ISO, UTC, 'whole');
  expect(date(['de-AT', 'en'], 'de', false)).toBe('25.11.2025, 07:06');
  expect(date(['fr', 'de'], 'de', false)).toBe('25.11.2025, 07:06');
  expect(date(['fr'], 'en', true)).toBe('25 Nov 2025, 07:06');
});

it.each([
  ['no cookie', undefined, ['en-GB']],
  ['no such zone', 'zone=Nowhere%2FAtAll', ['en-GB']],
  ['markup', 'zone="><script>', ['en-GB']],
  ['no such language', 'zone=Asia%2FTokyo', ['not_a_language']],
])('says UTC with %s', (_, cookie, languages) => {
  expect(momentFor(asked(cookie, languages), ISO, UTC, 'whole')).toBe(UTC);
});

it('says UTC in the language of the page', () => {
  expect(momentFor(asked(undefined, ['de'], 'de'), ISO, UTC, 'whole')).toBe('24.11.2025, 22:06 UTC');
});

it('leaves out this year, and no other', () => {
  const reader = asked('zone=Europe%2FZurich', ['*']);
  expect(momentFor(reader, ISO, UTC, 'short')).toBe('24 Nov 2025, 23:06');
  const now = new Date().toISOString();
  expect(momentFor(reader, now, UTC, 'short')).not.toContain(now.slice(0, 4));
});
