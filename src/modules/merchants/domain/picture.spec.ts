import { pictureOf } from './picture.js';

const bytes = (...parts: (string | readonly number[] | Uint8Array)[]) =>
  Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
  );
const u16 = (value: number) => [value >> 8, value & 255];
const zeros = (count: number) => new Array<number>(count).fill(0);

const png = (width: number, height: number) =>
  bytes('\x89PNG\r\n\x1a\n', [0, 0, 0, 13], 'IHDR', [0, 0], u16(width), [0, 0], u16(height), zeros(9));
/** With a segment before the frame, as every camera writes it. */
const jpeg = (width: number, height: number, frame = 0xc0) =>
  bytes(
    [0xff, 0xd8, 0xff, 0xe1],
    u16(6),
    'Exif',
    [0xff, frame],
    u16(11),
    [8],
    u16(height),
    u16(width),
    zeros(9),
  );
const webp = (kind: string, ...rest: number[][]) =>
  bytes('RIFF', zeros(4), 'WEBP', kind, zeros(4), ...rest, zeros(12));

describe('what a file says that it is', () => {
  it.each([
    ['a PNG', png(800, 200), { type: 'png', width: 800, height: 200 }],
    ['a JPEG, behind its Exif', jpeg(640, 480), { type: 'jpeg', width: 640, height: 480 }],
    ['a progressive JPEG', jpeg(640, 480, 0xc2), { type: 'jpeg', width: 640, height: 480 }],
    [
      'a lossy WebP',
      webp('VP8 ', zeros(3), [0x9d, 0x01, 0x2a], [0x20, 0x03], [0xc8, 0x00]),
      { type: 'webp', width: 800, height: 200 },
    ],
    // 14 bits each, less one: 799 and 199.
    [
      'a lossless WebP',
      webp('VP8L', [0x2f], [0x1f, 0xc3, 0x31, 0x00]),
      { type: 'webp', width: 800, height: 200 },
    ],
    [
      'an extended WebP',
      webp('VP8X', zeros(4), [0x1f, 0x03, 0x00], [0xc7, 0x00, 0x00]),
      { type: 'webp', width: 800, height: 200 },
    ],
    ['a JPEG of the last kind', jpeg(640, 480, 0xcf), { type: 'jpeg', width: 640, height: 480 }],
    [
      'a JPEG of which no more has come',
      jpeg(640, 480).subarray(0, 19),
      { type: 'jpeg', width: 640, height: 480 },
    ],
    [
      'a JPEG with bytes between its segments',
      bytes([0xff, 0xd8, 0xff, 0xff], jpeg(640, 480).subarray(2)),
      { type: 'jpeg', width: 640, height: 480 },
    ],
    [
      'a JPEG with a segment of another kind',
      bytes([0xff, 0xd8, 0xff, 0x3f], u16(9), zeros(7), jpeg(640, 480).subarray(2)),
      { type: 'jpeg', width: 640, height: 480 },
    ],
    [
      'a WebP of which no more has come',
      webp('VP8X', zeros(4), [0x1f, 0x03, 0x00], [0xc7, 0x00, 0x00]).subarray(0, 30),
      { type: 'webp', width: 800, height: 200 },
    ],
    ['a size of millions', png(65_535, 65_535), { type: 'png', width: 65_535, height: 65_535 }],
  ])('is read of %s', (_, file, picture) => {
    expect(pictureOf(file)).toEqual(picture);
  });

  it.each([
    ['nothing', bytes()],
    ['an SVG', bytes('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['a GIF', bytes('GIF89a', zeros(60))],
    ['a bitmap', bytes('BM', zeros(60))],
    ['a PDF', bytes('%PDF-1.7', zeros(60))],
    ['a PNG without its head', bytes('\x89PNG\r\n\x1a\n', zeros(40))],
    ['a PNG of no size', png(0, 10)],
    ['a PNG of no height', png(10, 0)],
    ['a PNG that ends within its head', png(10, 10).subarray(0, 32)],
    ['a head of a PNG behind something else', bytes('PNG', png(10, 10).subarray(3))],
    ['a frame of a JPEG behind something else', bytes([0, 0], jpeg(10, 10).subarray(2))],
    [
      'a JPEG with something else before its frame',
      bytes(jpeg(10, 10).subarray(0, 10), [0], jpeg(10, 10).subarray(11)),
    ],
    ['a WebP that is no RIFF', bytes('RIFX', webp('VP8X', zeros(10)).subarray(4))],
    ['a JPEG that ends before its frame', jpeg(10, 10).subarray(0, 12)],
    ['a JPEG of tables alone', jpeg(10, 10, 0xc4)],
    ['a RIFF that is sound', bytes('RIFF', zeros(4), 'WAVE', zeros(60))],
    ['a WebP of an unknown kind', webp('ALPH', zeros(8))],
  ])('is nothing for %s', (_, file) => {
    expect(pictureOf(file)).toBeNull();
  });

  it('ends for every beginning of a file', () => {
    for (const file of [png(9, 9), jpeg(9, 9), webp('VP8X', zeros(10))])
      for (let end = 0; end < file.length; end += 1)
        expect(() => pictureOf(file.subarray(0, end))).not.toThrow();
  });
});
