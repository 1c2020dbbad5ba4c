import { dayOf, dayText } from './calendar.js';

it.each(['2026-11-21', '2024-02-29', '0001-01-01', '9999-12-31'])(
  '%s is a day, which begins in UTC',
  (text) => {
    expect(dayOf(text)?.toISOString()).toBe(`${text}T00:00:00.000Z`);
    expect(dayText(new Date(`${text}T23:59:59.999Z`))).toBe(text);
  },
);

it.each([
  '2026-02-30',
  '2026-02-29',
  '2026-13-01',
  '2026-00-10',
  '2026-1-1',
  '2026-11-21T00:00:00Z',
  'today',
  '',
])('%j is none', (text) => {
  expect(dayOf(text)).toBeNull();
});
