import { partsOf, unquoted } from './quoted-text.js';

it.each<[string, ',' | ';', string[]]>([
  ['', ';', ['']],
  ['a;b', ';', ['a', 'b']],
  ['a;;b;', ';', ['a', '', 'b', '']],
  ['a;p="b;c";d', ';', ['a', 'p="b;c"', 'd']],
  ['a,p="b,c",d', ',', ['a', 'p="b,c"', 'd']],
  [String.raw`a;p="b\";c";d`, ';', ['a', String.raw`p="b\";c"`, 'd']],
  [String.raw`a;p="b\\";c`, ';', ['a', String.raw`p="b\\"`, 'c']],
  [String.raw`a\";b";c`, ';', [String.raw`a\";b"`, 'c']],
  ['a;"b;c', ';', ['a', '"b;c']],
])('splits %j at %j outside quotes', (header, separator, parts) => {
  expect(partsOf(header, separator)).toEqual(parts);
});

it.each([
  ['utf-8', 'utf-8'],
  ['"utf-8"', 'utf-8'],
  [String.raw`"a\"b\\c"`, String.raw`a"b\c`],
  ['""', ''],
])('reads %s as %s', (text, said) => {
  expect(unquoted(text)).toBe(said);
});
