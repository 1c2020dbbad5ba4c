import { DomainError } from '../../../kernel/domain-error.js';
import { checkedEmail } from './email.js';

it.each([
  [' Maria.Muster@Shop.Example ', 'maria.muster@shop.example'],
  ['admin@localhost', 'admin@localhost'],
  ['jürg@käse.example', 'jürg@käse.example'],
  ["o'neil+tag@x.example", "o'neil+tag@x.example"],
])('%j is kept as %j', (typed, email) => {
  expect(checkedEmail(typed)).toBe(email);
});

it.each([
  ['nothing', ''],
  ['no @', 'maria'],
  ['two', 'a@b@c.example'],
  ['nobody', '@shop.example'],
  ['nowhere', 'maria@'],
  ['a blank', 'ma ria@shop.example'],
  ['a second line', 'a@shop.example\nBcc: b'],
  ['two addresses', 'a@shop.example,b@shop.example'],
  ['a name', 'Maria <a@shop.example>'],
  ['a NUL', 'a\0b@shop.example'],
  ['half a character', 'a\ud800@shop.example'],
])('%s is no address', (_what, typed) => {
  const detail = 'This is not an e-mail address.';
  const errors = [{ pointer: '/email', code: 'invalid', detail }];
  const refusal = { kind: 'invalid', code: 'validation-error', details: { errors } };
  expect(() => checkedEmail(typed)).toThrow(expect.objectContaining(refusal));
});

it('an address has at most 254 characters', () => {
  const ofLength = (length: number) => `${'a'.repeat(length - 10)}@x.example`;
  expect(checkedEmail(ofLength(254))).toHaveLength(254);
  expect(() => checkedEmail(ofLength(255))).toThrow(DomainError);
});
