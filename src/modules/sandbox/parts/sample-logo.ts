import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
/** Eight bits each of red, green, blue, and how much of it is there. */
const RGBA = [8, 6, 0, 0, 0];

/** A disc and bars in one ink on nothing, as a shop's logo may be: a PNG as `data:`. */
export function sampleLogo(width: number, height: number, ink: readonly [number, number, number]): string {
  const r = height / 2;
  const isInk = (x: number, y: number) =>
    x < height ? Math.hypot(x - r, y - r) < r * 0.9 : x % r < r / 2 && Math.abs(y - r) < r / 2;
  const rows = Array.from({ length: height }, (_, y) => [
    0,
    ...Array.from({ length: width }, (_x, x) => (isInk(x, y) ? [...ink, 255] : [0, 0, 0, 0])).flat(),
  ]);
  const size = Buffer.alloc(8);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  const png = Buffer.concat([
    SIGNATURE,
    chunk('IHDR', Buffer.concat([size, Buffer.from(RGBA)])),
    chunk('IDAT', deflateSync(Buffer.from(rows.flat()))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
  return `data:image/png;base64,${png.toString('base64')}`;
}

function chunk(name: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
