import fc from 'fast-check';
import { visibleText } from './visible-text.js';

const STRAY = '\u200c';

it.each([
  ['Order\u202e2401', 'Order\ufffd2401'],
  ['pay\u200bpal', 'pay\ufffdpal'],
  ['pay\u200dpal', 'pay\ufffdpal'],
  ['a\u0000b\u2066c', 'a\ufffdb\ufffdc'],
  ['two\nlines', 'two lines'],
  ['two\r\n\t\u2028lines', 'two lines'],
  [' \n Order \u2029', 'Order'],
  [`z${'\u0301'.repeat(40)}`, `z${'\u0301'.repeat(4)}`],
])('%j is shown as %j', (hostile, shown) => expect(visibleText(hostile)).toBe(shown));

it.each(['', 'a', 'ω', 'я', '1', '(', '\u3000'])('a joiner after %j joins nothing, and is seen', (before) => {
  expect(visibleText(`x${before}${STRAY}y`)).toBe(`x${before}\ufffdy`);
});

it('a joiner at the beginning is seen', () => {
  expect(visibleText(`${STRAY}y`)).toBe('\ufffdy');
});

it.each(['Müller & Söhne', '👩‍🚀 Mission', 'می‌خواهم', '日本語', 'שלום', `z${'\u0301'.repeat(4)}`])(
  '%s stays as it is',
  (text) => {
    expect(visibleText(text)).toBe(text);
  },
);

it('is for plain text what it is for the same beside other letters', () => {
  const printable = fc.string({
    unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
  });
  // One character beyond is enough for the long way.
  const control = fc.constantFrom('\t', '\n', '\u0000', '\u001f', '\u007f', '\u0080');
  const text = fc.oneof(
    printable,
    fc.tuple(printable, control, printable).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(text, (plain) => {
      expect(visibleText(plain)).toBe(visibleText(`${plain}é`).slice(0, -1).trim());
    }),
  );
  expect(visibleText('  ~ Order 17  ')).toBe('~ Order 17');
});
