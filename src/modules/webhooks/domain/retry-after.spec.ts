import { parseRetryAfter } from './retry-after.js';

const NOW_MS = Date.parse('2026-11-21T08:00:00Z');

describe('parseRetryAfter', () => {
  it.each([
    ['120', 120_000],
    ['0', 0],
    [' 7 ', 7_000],
    ['Sat, 21 Nov 2026 08:05:00 GMT', 300_000],
    ['Saturday, 21-Nov-26 08:05:00 GMT', 300_000],
    ['Sat Nov 21 08:05:00 2026', 300_000],
    ['Sat, 21 Nov 2020 08:05:00 GMT', 0],
    ['9'.repeat(400), Infinity],
  ])('reads %j as %d ms', (header, expected) => expect(parseRetryAfter(header, NOW_MS)).toBe(expected));

  it.each([
    null,
    '',
    '-5',
    '+5',
    '1.5',
    '1e3',
    'NaN',
    'Infinity',
    '1 month',
    'soon',
    '2026-11-21',
    '5, 6',
    '0x10',
    'Xyz, 99 Foo 2026 08:05:00 GMT',
    'Sat, 99 Nov 2026 08:05:00 GMT',
    '١٢',
  ])('ignores %j', (header) => expect(parseRetryAfter(header, NOW_MS)).toBeNull());
});
