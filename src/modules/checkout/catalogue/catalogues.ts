import type { Language } from './catalogue.types.js';
import { de } from './de.js';
import { type Catalogue, en } from './en.js';
import { fr } from './fr.js';
import { it } from './it.js';
import { rm } from './rm.js';

/** In the order in which the page offers them. */
export const catalogues: Readonly<Record<Language, Catalogue>> = { en, de, fr, it, rm };

export function isLanguage(text: unknown): text is Language {
  return typeof text === 'string' && Object.hasOwn(catalogues, text);
}
