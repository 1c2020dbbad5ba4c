import { isStaffLanguage, utcMoment } from './staff-languages.js';

it('writes a moment as the language does, and says that it is UTC', () => {
  const at = new Date('2026-01-02T03:04:59Z');
  expect([utcMoment(at, 'en'), utcMoment(at, 'de')]).toEqual([
    '2 Jan 2026, 03:04 UTC',
    '02.01.2026, 03:04 UTC',
  ]);
});

it.each([
  ['de', true],
  ['fr', false],
  ['constructor', false],
  [undefined, false],
])('takes %j for a language of ours: %j', (text, expected) => {
  expect(isStaffLanguage(text)).toBe(expected);
});
