import { randomBytes } from 'node:crypto';
import { excerptOf, printable } from './excerpt.js';

describe('excerptOf', () => {
  it('keeps text, tabs and lines', () => {
    expect(excerptOf(Buffer.from('Käse\tund\r\nBrot 🧀\n'))).toBe('Käse\tund\nBrot 🧀\n');
  });

  it('replaces NUL, controls, invalid UTF-8 and characters that turn text around', () => {
    expect(excerptOf(Buffer.from([0x61, 0x00, 0x62, 0xff, 0x1b, 0x63]))).toBe('a\uFFFDb\uFFFD\uFFFDc');
    expect(excerptOf(Buffer.from('a\u202Eb\u2066c'))).toBe('a\uFFFDb\uFFFDc');
  });

  it('keeps the first 1024 bytes', () => {
    expect(excerptOf(Buffer.alloc(5_000, 'a'))).toHaveLength(1_024);
  });

  it('makes storable text of any bytes', () => {
    for (let i = 0; i < 500; i++) expect(excerptOf(randomBytes(1_500))).toMatch(/^[\P{C}\t\n]*$/u);
  });
});

describe('printable', () => {
  it('does the same for a header', () =>
    expect(printable('http://a/\u0000\u0085x')).toBe('http://a/\uFFFD\uFFFDx'));

  it('keeps as much of it', () => expect(printable('a'.repeat(5_000))).toHaveLength(1_024));
});
