import { ANYBODYS, type Whose } from '../../../database/by.js';

export function isOf(whose: Whose, { merchantId }: { readonly merchantId: string }): boolean {
  return whose === ANYBODYS || whose === merchantId;
}

/** As queries take it: `null` restricts nothing. */
export function filterOf(whose: Whose): string | null {
  return whose === ANYBODYS ? null : whose;
}
