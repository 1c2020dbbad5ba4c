import { characterCount } from '../../../kernel/text/character-count.js';
import { visibleText } from '../../../kernel/text/visible-text.js';
import { inksOf, type Scheme } from '../../merchants/colors.pure.js';
import type { Merchant } from '../../merchants/merchants.types.js';
import type { PlainText } from '../language/german/german.js';
import type { Say } from '../language/say.js';
import type { PageModel } from '../session/request-context.js';

/** What a picture of the page has room for. */
const MAX_NAME_CHARS = 22;

/** Shown in the empty field. */
const EXAMPLE = '#0a5c36';

/** In which ink a picture of the page is drawn, beside the merchant's own: as in public/rappen.css. */
const PAPERS = {
  light: { paper: '#ffffff', ink: '#111111', ground: '#ffffff', brightGround: '#101010' },
  dark: { paper: '#101010', ink: '#f3f3f0', ground: '#ffffff', brightGround: '#101010' },
} as const;

/** "#0A5C36", "0a5c36" → "#0a5c36"; nothing is no colour. What cannot be read is left for the settings to refuse. */
export function typedColor(text: string): string | null {
  const color = text.toLowerCase();
  return color === '' ? null : color.startsWith('#') ? color : `#${color}`;
}

/** What stood in the form. */
export interface TypedFace {
  readonly color: string;
  /** Whether the box that takes the logo away was ticked. */
  readonly removes: boolean;
}

/**
 * How the checkout looks, in both schemes.
 * @param typed what was just refused, instead of what is stored
 */
export function appearanceView(
  say: Say,
  merchant: Merchant,
  png: Buffer | null,
  typed: TypedFace | null,
): PageModel {
  const { color, logo } = merchant;
  const name = visibleText(merchant.name);
  const shownName =
    characterCount(name) > MAX_NAME_CHARS ? `${[...name].slice(0, MAX_NAME_CHARS).join('')}…` : name;
  // Half the pixels of the picture, as the checkout shows it.
  const [width, height] = [(logo?.width ?? 0) / 2, (logo?.height ?? 0) / 2];
  const src = png && `data:image/png;base64,${png.toString('base64')}`;
  return {
    title: say('Settings'),
    example: EXAMPLE,
    color: typed?.color ?? color ?? '',
    hasLogo: src !== null,
    removes: typed?.removes ?? false,
    pictures: (['light', 'dark'] as const).map((scheme) => ({
      label: say(scheme === 'light' ? 'Your checkout by day' : 'Your checkout by night'),
      ...PAPERS[scheme],
      ...mainInks(color, scheme),
      ground: logo?.bright ? PAPERS[scheme].brightGround : PAPERS[scheme].ground,
      src,
      width,
      height,
      logoY: 36 - height / 2,
      nameX: src === null ? 16 : 16 + width + 12,
      name: shownName,
    })),
    notes: color === null ? [] : (['light', 'dark'] as const).flatMap((scheme) => noteOf(say, color, scheme)),
  };
}

function mainInks(color: string | null, scheme: Scheme) {
  const { paper, ink } = PAPERS[scheme];
  return color === null ? { fill: ink, text: paper, edge: ink } : inksOf(color, scheme);
}

/** Where the colour could not be seen. */
function noteOf(say: Say, color: string, scheme: Scheme): string[] {
  const { fill, edge } = inksOf(color, scheme);
  if (fill !== color) return [say(UNSEEN[scheme])];
  if (edge !== color) return [say(WEAK[scheme])];
  return [];
}

const UNSEEN = {
  light: 'On white paper your colour could not be seen: there the page keeps its own ink.',
  dark: 'On the dark page your colour could not be seen: there the page keeps its own ink.',
} as const satisfies Record<Scheme, PlainText>;

const WEAK = {
  light: 'On white paper your colour is too weak for a line: there only the button has it.',
  dark: 'On the dark page your colour is too weak for a line: there only the button has it.',
} as const satisfies Record<Scheme, PlainText>;
