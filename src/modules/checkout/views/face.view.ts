import { FACES_PATH } from '../../intents/checkout-paths.pure.js';
import type { Face, Logo } from '../../merchants/merchants.types.js';
import { faceStyle, isLogoAbove } from '../face-style.pure.js';

/** In CSS pixels: what stands beside a name and leaves room for the time that is left. */
const LOGO_HEIGHT = 32;
const LOGO_WIDTH = 128;

export interface LogoModel {
  readonly src: string;
  /** As it is shown, so that nothing moves when it comes. */
  readonly width: string;
  readonly height: string;
  readonly bright: boolean;
  /** Above the name, not beside it. */
  readonly above: boolean;
}

/** The merchant's own at the top of its page: stylesheet and logo. */
export interface FaceModel {
  readonly css: string | null;
  readonly logo: LogoModel | null;
}

export function faceModel({ color, logo }: Face, name: string): FaceModel {
  return {
    css: color === null ? null : pathOf(faceStyle(color).name),
    logo: logo && logoModel(logo, name),
  };
}

function logoModel({ hash, width, height, bright }: Logo, name: string): LogoModel {
  // The picture has twice the pixels; a small one is not made larger.
  const scale = Math.min(0.5, LOGO_WIDTH / width, LOGO_HEIGHT / height);
  const shown = (side: number) => Math.max(1, Math.round(side * scale));
  return {
    src: pathOf(`${hash}.png`),
    width: String(shown(width)),
    height: String(shown(height)),
    bright,
    above: isLogoAbove(shown(width), name),
  };
}

function pathOf(name: string): string {
  return `${FACES_PATH}/${name}`;
}
