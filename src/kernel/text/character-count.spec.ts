import { characterCount } from './character-count.js';

it.each([
  ['', 0],
  ['Rappen', 6],
  ['Bäckerei', 8],
  ['🥐🥐', 2],
  ['\u{1F469}\u200D\u{1F373}', 3],
  ['\ud800', 1],
])('of %j is %d', (text, count) => expect(characterCount(text)).toBe(count));
