import { flawOfPassword } from './password-policy.js';

const flaw = (password: string) => flawOfPassword(password, 'maria.muster@shop.example');

it.each(['eleven char', '😀'.repeat(11), ''])('refuses fewer than twelve characters: %j', (password) => {
  expect(flaw(password)).toContain('at least 12');
});

it('counts characters, not bytes, and takes up to 128 of them', () => {
  const emoji = ['😀', '😁', '😂', '🤣', '😃', '😄'];
  expect(flaw(Array.from({ length: 12 }, (_, i) => emoji[i % 6]).join(''))).toBeNull();
  expect(flaw('abcdefgh'.repeat(16))).toBeNull();
  expect(flaw('abcdefgh'.repeat(16) + 'i')).toContain('at most 128');
});

it.each(['maria.muster@shop.example', 'MariaMuster2026', 'maria-muster-99'])(
  'refuses %s, which is the address',
  (password) => {
    expect(flaw(password)).toContain('e-mail');
  },
);

it.each([
  'a plain sentence for tests',
  'xK9#mQ2$vL7@',
  'vier schöne Kühe im Wald',
  '漢字とかなの長い合い言葉です',
])('takes %s, whatever it is composed of', (password) => {
  expect(flaw(password)).toBeNull();
});
