import type { Catalogue } from '../catalogue/en.js';
import type { LayoutModel } from './pay.types.js';

/** In the words of the pages that the same answers have without a script. */
export function unsentModel({ unsent, errors }: Catalogue): LayoutModel['unsent'] {
  const { error, refused } = errors;
  return {
    ...unsent,
    refused: `${refused.happened} ${refused.next}`,
    broken: `${error.title}. ${refused.next}`,
  };
}
