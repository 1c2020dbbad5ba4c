/** A colour as it is stored: "#0a5c36". */
export function isColor(text: string): boolean {
  return /^#[0-9a-f]{6}$/.test(text);
}

/** The colours of a merchant's page in one scheme; `null`: as pages are without a colour. */
export interface Inks {
  /** What buttons are filled with. */
  readonly fill: string;
  /** What is written on it: black or white, whichever is farther from it. One of them is at least 4.58 : 1 away. */
  readonly text: string;
  /** Lines and edges, which have to be seen beside the paper; the page's own ink where the colour could not. */
  readonly edge: string;
}

export type Scheme = 'light' | 'dark';

/** As in public/rappen.css. */
const PAGE: Readonly<Record<Scheme, { paper: string; ink: string }>> = {
  light: { paper: '#ffffff', ink: '#111111' },
  dark: { paper: '#101010', ink: '#f3f3f0' },
};

/** WCAG 1.4.11: what has to be seen and is not read. */
const LINE_CONTRAST = 3;
/** Below it a filled button would look like one that is not. */
const FILL_CONTRAST = 1.2;

/** Whatever the colour is, what follows from it can be read: it is never made another one, only left out. */
export function inksOf(color: string, scheme: Scheme): Inks {
  const { paper, ink } = PAGE[scheme];
  const fromPaper = contrast(color, paper);
  const fill = fromPaper >= FILL_CONTRAST ? color : ink;
  const text = contrast(fill, '#ffffff') >= contrast(fill, '#000000') ? '#ffffff' : '#000000';
  return { fill, text, edge: fromPaper >= LINE_CONTRAST ? color : ink };
}

/** WCAG 2.2: 1 for the same, 21 for black on white. */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function luminance(color: string): number {
  const linear = (at: number) => {
    const part = parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(1) + 0.7152 * linear(3) + 0.0722 * linear(5);
}
