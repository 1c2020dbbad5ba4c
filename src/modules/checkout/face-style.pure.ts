import { createHash } from 'node:crypto';
import { inksOf, isColor, type Scheme } from '../merchants/colors.pure.js';

/**
 * A merchant's colour as a stylesheet of its own: the Content-Security-Policy allows no style in a page. It follows from the
 * colour alone, so that nothing is stored and nobody's can be changed; its name changes with what it says.
 */
export function faceStyle(color: string): { readonly name: string; readonly css: string } {
  // On paper a page is bright whatever the scheme.
  const css =
    `.checkout{${inks(color, 'light')}}@media screen and (prefers-color-scheme:dark){.checkout{${inks(color, 'dark')}}}` +
    '.button-main:hover{text-decoration:underline}\n';
  const hash = createHash('sha256').update(css).digest('hex').slice(0, 12);
  return { name: `${color.slice(1)}.${hash}.css`, css };
}

/** In CSS pixels: a phone's smallest width without its margins, and of it what the time that is left takes with the gaps. */
const ROOM = 288;
const TIME = 112;
/** A letter of the name, at least as wide as it is on any system. */
const LETTER = 8;

/** Whether the logo stands above the name: beside it a word of the name would have to be broken. */
export function isLogoAbove(logoWidth: number, name: string): boolean {
  const longest = Math.max(...name.split(/[\s-]+/).map((word) => [...word].length));
  return longest * LETTER > ROOM - TIME - logoWidth;
}

/** @returns what is served under a name; `null` for a name that no page of this version has */
export function styleNamed(name: string): string | null {
  const color = `#${name.slice(0, 6)}`;
  if (!isColor(color)) return null;
  const style = faceStyle(color);
  return style.name === name ? style.css : null;
}

function inks(color: string, scheme: Scheme): string {
  const { fill, text, edge } = inksOf(color, scheme);
  return `--main:${fill};--on-main:${text};--main-edge:${edge}`;
}
