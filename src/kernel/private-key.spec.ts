import { hasExtendedPrivateKey, looksPrivate } from './private-key.js';

// BIP32, test vector 1.
const XPRV =
  'xprv9z4pot5VBttmtdRTWfWQmoH1taj2axGVzFqSb8C9xaxKymcFzXBDptWmT7FwuEzG3ryjH4ktypQSAewRiNMjANTtpgP4mLTj34bhnZX7UiM';
const XPUB =
  'xpub6D4BDPcP2GT577Vvch3R8wDkScZWzQzMMUm3PWbmWvVJrZwQY4VUNgqFJPMM3No2dFDFGTsxxpG5uJh7n7epu4trkrX7x7DogT5Uv6fcLW5';
// A public key whose chain code spells "yprv".
const WITH_YPRV =
  'xpub6BhHEq49ptjDUtMdbWdAsVoLyprvR2LSWaHsKntGNQwKtpQp3uMyW1HR6xFL9WLHfZ41TfUsCCfyBTudEeVe2fDKun9E2vFiK3Bu5CiA7gT';
const HEX = '1837c1be8e2995ec11cda2b066151be2cfb48adf9e47b151d46adab3a21cdf67';
// By their looks, whatever their checksums: uncompressed and compressed keys, of main and test networks.
const WIFS = [
  '5J3mBbAH58CpQ3Y5RNJpUKPE62SQ5tfcvU2JpbnkeyhfsYB1Jcn',
  '6uuxsYaCoSqRSvwjHsQFxJNQfWcYXgw6NVGTVbjTWKvGbZJHfzL',
  'KxFC1jmwwCoACiCAWZ3eXa96mBM6tb3TYzGmf6YwgdGWZgawvrtJ',
  'cMzLdeGd5vEqxB8B6VFQoRopQ3sLAAvEzDAoQgvX54xwofSWj1fx',
];
const seed = (words: number) => `${'abandon '.repeat(words - 1)}about`;

describe('what reads like something that can spend', () => {
  it.each([
    ...['x', 'y', 'z', 'Y', 'Z', 't', 'u', 'v', 'U', 'V'].map((letter) => letter + XPRV.slice(1)),
    ...['Ltpv', 'Mtpv', 'ttpv'].map((prefix) => prefix + XPRV.slice(4)),
  ])('is an extended private key of any kind: %s', (key) => {
    for (const text of [key, ` ${key}\n`, `key=${key}`, `wpkh([d34db33f/84h/0h/0h]${key}/0/*)`])
      expect([looksPrivate(text), hasExtendedPrivateKey(text)]).toEqual([true, true]);
  });

  it('is 32 raw bytes in hex, in any case, with or without 0x', () => {
    for (const text of [HEX, `0x${HEX}`, HEX.toUpperCase(), ` ${HEX} `])
      expect(looksPrivate(text)).toBe(true);
  });

  it.each(WIFS)('is a key in wallet import format: %s', (wif) => {
    expect(looksPrivate(wif)).toBe(true);
  });

  it.each([12, 15, 18, 21, 24])('is a phrase of %i words', (words) => {
    for (const text of [seed(words), seed(words).toUpperCase(), seed(words).replaceAll(' ', ', ')])
      expect(looksPrivate(text)).toBe(true);
  });
});

describe('what cannot spend', () => {
  it.each([
    ['a public key', XPUB],
    ['a public key with the letters of a private one within it', WITH_YPRV],
    ['an address', '0x9858EfFD232B4033E47d90003D41EC34EcaEda94'],
    ['a hash with more behind it', `${HEX}0`],
    ['more with a hash behind it', `tx ${HEX}`],
    ['a key in wallet import format with more around it', `${WIFS[0]}1`],
    ['the same before it', `1${WIFS[2]}`],
    ['the beginning of one', WIFS[0]!.slice(0, 3)],
    ['the prefix alone', 'xprv'],
    ['a sentence of thirteen words', 'a payment of twelve words, which somebody wrote as the title of it'],
    ['eleven words of a seed', seed(11)],
    ['thirteen words of a seed', seed(13)],
    ['twelve words, one of which is too long', seed(12).replace('about', 'abandoned')],
    ['twelve words, one of which is a number', seed(12).replace('about', '12345')],
    ['twelve words, one of which is too short', seed(12).replace('about', 'of')],
    ['nothing', ''],
  ])('is %s', (_what, text) => {
    expect(looksPrivate(text)).toBe(false);
  });

  it('has no extended private key in it', () => {
    for (const text of [XPUB, WITH_YPRV, HEX, seed(12), '']) expect(hasExtendedPrivateKey(text)).toBe(false);
  });
});
