import { catalogues } from '../catalogue/catalogues.js';
import { en } from '../catalogue/en.js';
import { dateTimeText, timeText } from '../domain/formats.js';
import { momentParts, textParts } from './text-parts.js';

const at = new Date('2026-11-21T14:32:10Z');
const iso = at.toISOString();
const plain = (text: string) => ({ text, iso: null, clock: false });

it('loses nothing of a sentence, whatever it names', () => {
  for (const text of [
    '',
    'No moment.',
    '14:32\u00a0UTC',
    'At 14:32\u00a0UTC, not at 14:32.',
    '((14:32\u00a0UTC',
  ]) {
    const parts = textParts(text, [at, null], en);
    expect(parts.map((part) => part.text).join('')).toBe(text);
  }
});

it('finds the time of a day, and the date with it as one', () => {
  expect(textParts('Before 14:32\u00a0UTC.', [at], en)).toEqual([
    plain('Before '),
    { text: '14:32\u00a0UTC', iso, clock: true },
    plain('.'),
  ]);
  expect(textParts('Saved on 21 Nov 2026, 14:32\u00a0UTC:', [at], en)).toEqual([
    plain('Saved on '),
    { text: '21 Nov 2026, 14:32\u00a0UTC', iso, clock: false },
    plain(':'),
  ]);
});

it.each(Object.values(catalogues))('finds each of them in $name, whatever stands around it', (catalogue) => {
  const [date, time] = [dateTimeText(at, catalogue), timeText(at, catalogue)];
  expect(textParts(`(${date}, ${time})`, [at], catalogue)).toEqual([
    plain('('),
    { text: date, iso, clock: false },
    plain(', '),
    { text: time, iso, clock: true },
    plain(')'),
  ]);
  expect(momentParts(at, catalogue)).toEqual(textParts(date, [at], catalogue));
});

it('marks nothing where no moment is known', () => {
  expect(textParts('At 14:32\u00a0UTC.', [null], en)).toEqual([plain('At 14:32\u00a0UTC.')]);
});
