import { isStaffLanguage, utcMoment, wholeText } from './staff-languages.js';

it('writes a moment as the language does, and says that it is UTC', () => {
  const at = new Date('2026-01-02T03:04:59Z');
  expect([utcMoment(at, 'en'), utcMoment(at, 'de')]).toEqual([
    '2 Jan 2026, 03:04 UTC',
    '02.01.2026, 03:04 UTC',
  ]);
});

it('groups the digits of a number as the language does', () => {
  expect([wholeText('en', 1_234_567), wholeText('de', 1_234_567n)]).toEqual(['1,234,567', '1’234’567']);
});

it.each([
  ['de', true],
  ['fr', false],
  [5, false],
  ['constructor', false],
  [undefined, false],
])('takes %j for a language of ours: %j', (text, expected) => {
  expect(isStaffLanguage(text)).toBe(expected);
});
