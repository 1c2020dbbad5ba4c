import type { Whose } from '../intents.types.js';

export function isOf(whose: Whose, { merchantId }: { readonly merchantId: string }): boolean {
  return whose === null || whose === merchantId;
}
