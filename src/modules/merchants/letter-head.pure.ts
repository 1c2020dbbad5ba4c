import { visibleText } from '../../kernel/text/visible-text.js';
import type { LetterHead } from '../../platform/mail/letter-html.js';
import { inksOf, type Scheme } from './colors.pure.js';
import type { Face } from './merchants.types.js';

/** The merchant's own logo and colour on its mails, as on its checkout (ADR 58). */
export function letterHeadOf({ name, color, logo }: Face & { readonly name: string }): LetterHead {
  const edge = (scheme: Scheme) => inksOf(color ?? '#111111', scheme).edge;
  return {
    name: visibleText(name),
    line: { light: edge('light'), dark: edge('dark') },
    logo: logo && {
      width: logo.width / 2,
      height: logo.height / 2,
      ground: logo.bright ? '#101010' : '#ffffff',
    },
  };
}
