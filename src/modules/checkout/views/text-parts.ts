import type { Catalogue } from '../catalogue/en.js';
import { dateTimeText, namesTime, timeText } from '../domain/formats.js';
import type { TextPart } from './pay.types.js';

/**
 * Cuts a sentence where it names one of these moments, so that the page can mark them as such. They are found by how
 * they are written: sentences stay plain text in the catalogues, and of a name that reads like the moment nothing worse
 * comes than a tooltip.
 */
export function textParts(text: string, moments: readonly (Date | null)[], catalogue: Catalogue): TextPart[] {
  const known = new Map<string, TextPart>();
  // Most sentences name no time: to write a date takes longer than to look.
  if (text !== '' && !namesTime(text)) return [plain(text)];
  for (const moment of moments.filter((each) => each !== null)) {
    const iso = moment.toISOString();
    for (const [written, clock] of [
      [dateTimeText(moment, catalogue), false],
      [timeText(moment, catalogue), true],
    ] as const) {
      known.set(written, { text: written, iso, clock });
    }
  }
  if (known.size === 0) return [plain(text)];
  // The longer first: the time of a day is the end of the date with it.
  const written = [...known.keys()].sort((a, b) => b.length - a.length);
  return text
    .split(new RegExp(`(${written.map(escaped).join('|')})`))
    .filter((piece) => piece !== '')
    .map((piece) => known.get(piece) ?? plain(piece));
}

/** The whole of a moment. */
export function momentParts(at: Date, catalogue: Catalogue): readonly [TextPart] {
  return [{ text: dateTimeText(at, catalogue), iso: at.toISOString(), clock: false }];
}

function plain(text: string): TextPart {
  return { text, iso: null, clock: false };
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
