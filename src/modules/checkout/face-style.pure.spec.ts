import { faceStyle, isLogoAbove, styleNamed } from './face-style.pure.js';

it('says a colour for both schemes, and nothing that a merchant wrote but the colour', () => {
  expect(faceStyle('#0a5c36').css).toBe(
    '.checkout{--main:#0a5c36;--on-main:#ffffff;--main-edge:#0a5c36}' +
      '@media screen and (prefers-color-scheme:dark){.checkout{--main:#0a5c36;--on-main:#ffffff;--main-edge:#f3f3f0}}' +
      '.button-main:hover{text-decoration:underline}\n',
  );
});

it('is found by its own name alone', () => {
  const { name, css } = faceStyle('#0a5c36');
  expect(name).toMatch(/^0a5c36\.[0-9a-f]{12}\.css$/);
  expect(styleNamed(name)).toBe(css);
  const others = [
    '0a5c36.css',
    name.replace('0a5c36', '0a5c37'),
    name.toUpperCase(),
    'x',
    '',
    `${'a'.repeat(32)}.png`,
  ];
  for (const other of others) expect([other, styleNamed(other)]).toEqual([other, null]);
});

it.each([
  [80, 'Demo Shop', false],
  [80, 'Alpine Coffee and Chocolates', false],
  [128, 'Alpine Coffee', false],
  [128, 'Schokolade', true],
  [80, 'Schokoladenmanufaktur', true],
  [80, 'Kaffee-Rösterei am See', false],
])('a logo of %s pixels with the name %j: above it is %s', (width, name, above) => {
  expect(isLogoAbove(width, name)).toBe(above);
});
