import jsqr from 'jsqr';
import type { QrDrawing } from '../../../src/platform/pages/qr.js';

const PIXELS_PER_MODULE = 4;

/** What a camera reads of a code: the drawing's strokes as pixels, and a reader that is not ours. `null` where it reads nothing. */
export function scanned({ size, path }: QrDrawing): string | null {
  const scale = PIXELS_PER_MODULE;
  const width = size * scale;
  const pixels = new Uint8ClampedArray(width * width * 4).fill(255);
  let [x, y] = [0, 0];
  for (const [, to, across, down, length] of path.matchAll(/([Mm])(\d+) (\d+)(?:\.5)?h(\d+)/g)) {
    if (to === 'M') [x, y] = [0, 0];
    x += Number(across);
    y += Number(down);
    for (let row = y * scale; row < (y + 1) * scale; row += 1)
      for (let column = x * scale; column < (x + Number(length)) * scale; column += 1)
        pixels.fill(0, (row * width + column) * 4, (row * width + column) * 4 + 3);
    x += Number(length);
  }
  return jsqr.default(pixels, width, width)?.data ?? null;
}
