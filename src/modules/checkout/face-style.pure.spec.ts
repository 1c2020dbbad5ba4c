import { faceStyle, styleNamed } from './face-style.pure.js';

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
