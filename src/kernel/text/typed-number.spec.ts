import { typedNumber } from './typed-number.js';

describe('a number that somebody typed', () => {
  it.each([
    ['12', 12],
    [' 1e3 ', 1_000],
    ['-0.5', -0.5],
    ['', 0],
    ['12 %', 'unreadable'],
    ['1,5', 'unreadable'],
    ['NaN', 'unreadable'],
  ])('%j is %j', (text, read) => expect(typedNumber(text)).toBe(read));
});
