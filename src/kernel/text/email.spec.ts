import { isEmail, isEmailOfAnyScript, mailtoHref } from './email.js';

it('a link that opens a mail names no more than its address', () => {
  expect(mailtoHref('a+b?cc=x&y@pay.shop.example')).toBe('mailto:a%2Bb%3Fcc%3Dx%26y@pay.shop.example');
});

it.each(['shop@example.com', 'a.b+alerts@pay.shop.example', "o'neil@localhost"])('takes %s', (text) => {
  expect(isEmail(text)).toBe(true);
});

it('takes as many characters as a path may have, and no more', () => {
  const ofLength = (length: number) => `a@${'b'.repeat(length - 2)}`;
  expect([254, 255].map((length) => isEmail(ofLength(length)))).toEqual([true, false]);
});

it.each([
  '',
  'shop',
  'a@b@c.example',
  'a@example.com, b@example.com',
  'Shop <a@example.com>',
  'a@example.com\nBcc: b@example.com',
  'a b@example.com',
  '@example.com',
  'a@example..com',
  `${'a'.repeat(64)}@${'b'.repeat(200)}.example`,
])('refuses %j', (text) => {
  expect(isEmail(text)).toBe(false);
});

it('takes other scripts only where they are asked for', () => {
  const umlauts = 'jürg@käse.example';
  expect([isEmail(umlauts), isEmailOfAnyScript(umlauts)]).toEqual([false, true]);
  expect(['a\0b@x.example', 'a\ud800@x.example', 'Jürg <a@x.example>'].filter(isEmailOfAnyScript)).toEqual(
    [],
  );
});
