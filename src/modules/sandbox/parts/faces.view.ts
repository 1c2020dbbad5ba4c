import { headHtml, headStyle } from '../../../platform/mail/letter-html.js';
import { faceStyle, isLogoAbove } from '../../checkout/face-style.pure.js';
import { letterHeadOf } from '../../merchants/letter-head.pure.js';
import type { Logo } from '../../merchants/merchants.types.js';
import { sampleLogo } from './sample-logo.js';

interface Sample {
  readonly what: string;
  readonly name: string;
  readonly color: string | null;
  readonly logo: (Logo & { readonly src: string }) | null;
}

const UNTIL = { until: '2026-11-24T14:32:00.000Z', before: 'until', at: '14:32' };
const dark = logo(160, [180, 30, 20]);
const bright = logo(160, [250, 250, 250]);
const wide = logo(256, [20, 60, 140]);

/** A merchant's face in each of its states: what a logo is drawn on, and where a colour could not be seen. */
const SAMPLES: readonly Sample[] = [
  { what: 'Neither logo nor colour', name: 'Demo Shop', color: null, logo: null },
  { what: 'A logo', name: 'Demo Shop', color: null, logo: dark },
  { what: 'A logo in bright ink', name: 'Demo Shop', color: null, logo: bright },
  { what: 'A colour', name: 'Alpine Coffee', color: '#0a5c36', logo: null },
  { what: 'Both', name: 'Alpine Coffee', color: '#b41e14', logo: dark },
  { what: 'A colour too weak for a line by day', name: 'Alpine Coffee', color: '#ffe14d', logo: bright },
  { what: 'A colour too weak for a line by night', name: 'Alpine Coffee', color: '#1a1a40', logo: wide },
  { what: 'A colour as white as the paper', name: 'Alpine Coffee', color: '#fdfdfd', logo: dark },
  {
    what: 'A wide logo and a long name',
    name: 'Buchhandlung zum Rindermarkt und Antiquariat Oberdorfstrasse',
    color: '#5b2a86',
    logo: wide,
  },
];

/** As the checkout's page and the merchant's mails begin, beside each other. */
export function facesView() {
  return SAMPLES.map((sample, i) => ({
    what: sample.what,
    id: `face-${i}`,
    title: 'Order 1042: two bags of coffee',
    merchant: sample.name,
    countdown: UNTIL,
    face: {
      logo: sample.logo && {
        src: sample.logo.src,
        width: String(sample.logo.width / 2),
        height: String(sample.logo.height / 2),
        bright: sample.logo.bright,
        above: isLogoAbove(sample.logo.width / 2, sample.name),
      },
    },
    letter: headHtml(letterHeadOf(sample), sample.logo?.src),
  }));
}

/** The stylesheets that each merchant's own page and mails have, for its part of this one. */
export function facesCss(): string {
  return SAMPLES.map((sample, i) => {
    const within = `.face-${i}`;
    const page = sample.color === null ? '' : faceStyle(sample.color).css.replaceAll('.checkout', within);
    return page + headStyle(letterHeadOf(sample), `${within} `);
  }).join('\n');
}

function logo(width: number, ink: readonly [number, number, number]): Logo & { readonly src: string } {
  const isBright = ink.every((part) => part > 200);
  return { hash: '', width, height: 64, bright: isBright, src: sampleLogo(width, 64, ink) };
}
