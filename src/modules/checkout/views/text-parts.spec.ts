import { en } from '../catalogue/en.js';
import { textParts } from './text-parts.js';

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

it('marks nothing where no moment is known', () => {
  expect(textParts('At 14:32\u00a0UTC.', [null], en)).toEqual([plain('At 14:32\u00a0UTC.')]);
});
