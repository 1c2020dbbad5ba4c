import type { Face } from '../../merchants/merchants.types.js';
import { faceStyle } from '../face-style.pure.js';

/** In CSS pixels: what stands beside a name and leaves room for the time that is left. */
const LOGO_HEIGHT = 32;
const LOGO_WIDTH = 128;

export interface LogoModel {
  readonly src: string;
  /** As it is shown, so that nothing moves when it comes. */
  readonly width: string;
  readonly height: string;
  readonly bright: boolean;
}

/** The merchant's own at the top of its page: stylesheet and logo. */
export interface FaceModel {
  readonly css: string | null;
  readonly logo: LogoModel | null;
}

export function faceModel({ color, logo }: Face): FaceModel {
  return {
    css: color === null ? null : pathOf(faceStyle(color).name),
    logo: logo && { src: pathOf(`${logo.hash}.png`), ...shownSize(logo), bright: logo.bright },
  };
}

function pathOf(name: string): string {
  return `/pay/faces/${name}`;
}

/** The picture has twice the pixels; a small one is not made larger. */
function shownSize({ width, height }: { width: number; height: number }) {
  const scale = Math.min(0.5, LOGO_WIDTH / width, LOGO_HEIGHT / height);
  const side = (pixels: number) => String(Math.max(1, Math.round(pixels * scale)));
  return { width: side(width), height: side(height) };
}
