import { longestLookedThrough } from '../../../test/support/run/looked-through.js';
import { printableLine, printableText } from './printable.js';

const LONG = 'é'.repeat(1_000_000);

it('a text keeps its letters, tabs and lines, and nothing that acts unseen', () => {
  expect(printableText('Käse\tund\r\nBrot 🧀\n', 100)).toBe('Käse\tund\nBrot 🧀\n');
  expect(printableText('a\0b\u001bc\u202ed\ud800', 100)).toBe('a\uFFFDb\uFFFDc\uFFFDd\uFFFD');
});

it('a line is of plain ASCII', () => expect(printableLine('Käse\n\u202e', 100)).toBe('K?se??'));

it.each([printableText, printableLine])('%p looks no further than it keeps', (printable) => {
  let kept = '';
  expect(longestLookedThrough(() => (kept = printable(LONG, 80)))).toBe(80);
  expect(kept).toHaveLength(80);
});
