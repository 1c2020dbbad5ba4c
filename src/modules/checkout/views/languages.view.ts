import { catalogues } from '../catalogue/catalogues.js';
import type { Catalogue } from '../catalogue/en.js';
import type { LanguagesModel } from './pay.types.js';

/** @param query of the page besides the language, without "?" */
export function languagesModel(
  path: string,
  query: string | null,
  { language, languageChoice }: Catalogue,
): LanguagesModel {
  const others = query === null ? '' : `${query}&`;
  return {
    label: languageChoice,
    choices: Object.values(catalogues).map(({ language: each, name, locale }) => ({
      name,
      locale,
      href: each === language ? null : `${path}?${others}lang=${each}`,
    })),
  };
}
