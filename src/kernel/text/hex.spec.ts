import { hexOf, isHex } from './hex.js';

it('takes hexadecimal of any case and length behind 0x', () => {
  expect(hexOf('0xAb09')).toBe('0xAb09');
  expect(hexOf('0x')).toBe('0x');
});

it.each(['', 'ab', '0X12', '0xg1', '0x12\n', ' 0x12', 'x0x12'])('refuses %j without repeating it', (text) => {
  expect(isHex(text)).toBe(false);
  expect(() => hexOf(text)).toThrow(new RangeError('a text is no hexadecimal with 0x before it'));
});
