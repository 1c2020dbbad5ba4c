import { flawOfPassword, isPossiblePassword, normalPassword } from './password-policy.js';

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

it.each(['a plain sentence\0for tests', 'a plain sentence \ud800 for tests'])(
  'refuses %j, which nobody could store',
  (password) => {
    expect(flaw(password)).toContain('cannot be stored');
  },
);

it('looks at a name of four letters and more: of a shorter one much is made by chance', () => {
  const of = (name: string) => flawOfPassword(`${name.toUpperCase()}-2026-11-22!`, `${name}@shop.example`);
  expect(of('anna')).toContain('e-mail');
  expect(of('ann')).toBeNull();
});

it('one password is the same from every keyboard, and none of a megabyte is looked at', () => {
  expect(normalPassword('Zu\u0308rich ﬁne')).toBe('Zürich fine');
  expect([512, 513].map((length) => isPossiblePassword('x'.repeat(length)))).toEqual([true, false]);
});
