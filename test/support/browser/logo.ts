import { createHash } from 'node:crypto';
import { PNG } from 'pngjs';

/** The pixel at a place: red, green, blue, and how much of it is there. */
export type Paint = (x: number, y: number) => readonly [number, number, number, number];

export function pngOf(width: number, height: number, paint: Paint): Buffer {
  const png = new PNG({ width, height });
  for (let at = 0; at < width * height; at += 1)
    png.data.set(paint(at % width, Math.floor(at / width)), at * 4);
  return PNG.sync.write(png);
}

/** A disc and bars on nothing, as a shop's logo may be. */
export const disc =
  (ink: readonly [number, number, number], height: number): Paint =>
  (x, y) => {
    const r = height / 2;
    const isIn = x < height ? Math.hypot(x - r, y - r) < r * 0.9 : x % r < r / 2 && Math.abs(y - r) < r / 2;
    return isIn ? [...ink, 255] : [0, 0, 0, 0];
  };

/** As a merchant of the fixtures has it. */
const png = pngOf(160, 64, disc([180, 30, 20], 64));
export const LOGO = {
  png,
  hash: createHash('sha256').update(png).digest('hex').slice(0, 32),
  width: 160,
  height: 64,
};
