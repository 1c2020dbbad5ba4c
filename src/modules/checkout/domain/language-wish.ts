import type { Language } from '../catalogue/catalogue.types.js';
import { catalogues, isLanguage } from '../catalogue/catalogues.js';

/**
 * The first of the browser's languages that the checkout has, by weight and then by place (RFC 9110, 12.5.4). Regions do not
 * count ("de-AT" is "de"): what is asked for first counts even where the plain language follows further down.
 */
export function languageWished(acceptLanguage: string | undefined): Language {
  const wishes = (acceptLanguage ?? '').split(',').map((wish) => {
    const [tag = '', ...parameters] = wish
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/);
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    return { language: tag.split('-')[0], weight: weight === undefined ? 1 : Number(weight) };
  });
  // The sort keeps the order of equal weights; a weight that is no number compares as nothing, and is left out.
  const known = wishes.filter(({ language, weight }) => isLanguage(language) && weight > 0);
  const [first] = known.sort((a, b) => b.weight - a.weight);
  return isLanguage(first?.language) ? first.language : catalogues.en.language;
}
