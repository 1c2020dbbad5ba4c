import { csrfTokenOf, hashToken, isToken, newToken } from './token.js';

it('a token has 256 random bits, and never twice the same', () => {
  const tokens = Array.from({ length: 500 }, newToken);
  expect(tokens.filter(isToken)).toHaveLength(500);
  expect(new Set(tokens).size).toBe(500);
  expect(Buffer.from(tokens[0]!, 'base64url')).toHaveLength(32);
});

it.each([
  '',
  'a'.repeat(42),
  'a'.repeat(44),
  `${'a'.repeat(42)}+`,
  `${'a'.repeat(43)}\n`,
  ` ${'a'.repeat(43)}`,
])('%j is none', (text) => {
  expect(isToken(text)).toBe(false);
});

it('what is stored says nothing of the token, and is the same each time', () => {
  // SHA-256 of "abc": FIPS 180-2, B.1.
  expect(hashToken('abc').toString('hex')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});

it('the token of forms is of its session alone, and neither the session’s nor its hash', () => {
  const [one, other] = [newToken(), newToken()];
  expect(isToken(csrfTokenOf(one))).toBe(true);
  expect(csrfTokenOf(one)).toBe(csrfTokenOf(one));
  expect([one, hashToken(one).toString('base64url'), csrfTokenOf(other)]).not.toContain(csrfTokenOf(one));
});
