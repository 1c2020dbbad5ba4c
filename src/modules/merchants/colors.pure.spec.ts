import { contrast, inksOf, isColor } from './colors.pure.js';

/** 4,096 colours, evenly. */
const EVERY = Array.from(
  { length: 4096 },
  (_, i) =>
    `#${[i >> 8, (i >> 4) & 15, i & 15].map((part) => (part * 17).toString(16).padStart(2, '0')).join('')}`,
);
const PAPER = { light: '#ffffff', dark: '#101010' } as const;

it('measures contrast as WCAG does', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
  expect(contrast('#0a5c36', '#0a5c36')).toBe(1);
});

it.each(['light', 'dark'] as const)(
  'whatever the colour, in the %s its words can be read and its lines be seen',
  (scheme) => {
    expect(EVERY).toHaveLength(4_096);
    const hardToRead = EVERY.filter((color) => {
      const { fill, text, edge } = inksOf(color, scheme);
      const page = PAPER[scheme];
      return !(contrast(fill, text) >= 4.5 && contrast(edge, page) >= 3 && contrast(fill, page) >= 1.2);
    });
    expect(hardToRead).toEqual([]);
  },
);

it('never makes a colour another one', () => {
  expect(inksOf('#0a5c36', 'light')).toEqual({ fill: '#0a5c36', text: '#ffffff', edge: '#0a5c36' });
  expect(inksOf('#0a5c36', 'dark')).toEqual({ fill: '#0a5c36', text: '#ffffff', edge: '#f3f3f0' });
  expect(inksOf('#ffdd00', 'light')).toEqual({ fill: '#ffdd00', text: '#000000', edge: '#111111' });
  expect(inksOf('#ffffff', 'light')).toEqual({ fill: '#111111', text: '#ffffff', edge: '#111111' });
});

it.each(['#0a5c36', '#ffffff'])('takes %s for a colour', (text) => expect(isColor(text)).toBe(true));
it.each(['', '0a5c36', '#0A5C36', '#abc', '#0a5c366', 'red', '#0a5c3;', '#0a5c36\n'])(
  'does not take %j for one',
  (text) => expect(isColor(text)).toBe(false),
);
