import { ANYBODYS, type Whose } from '../../../database/by.js';

export function isOf(whose: Whose, { merchantId }: { readonly merchantId: string }): boolean {
  return whose === ANYBODYS || whose === merchantId;
}

/**
 * As queries take it: `null` restricts nothing.
 * @throws where nobody has said whose: a restriction that is missing is not none
 */
export function filterOf(whose: Whose): string | null {
  if (whose === ANYBODYS) return null;
  if (!whose) throw new TypeError('a list is of one merchant or of anybody, and nobody said which');
  return whose;
}
