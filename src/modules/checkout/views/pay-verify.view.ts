import { visibleText } from '../../../kernel/text/visible-text.js';
import type { CheckoutIntent } from '../../intents/checkout.types.js';
import type { Catalogue } from '../catalogue/en.js';
import type { FactRow, VerifyModel } from './pay.types.js';

/** How a buyer finds out without us whose the address is; `null` where only the merchant's own wallet can tell. */
export function verifyModel(
  { forwarded, merchant }: CheckoutIntent,
  { verify }: Catalogue,
): VerifyModel | null {
  if (!forwarded) return null;
  const row = (name: string, text: string): FactRow => ({ name, text, parts: [], code: true });
  return {
    title: verify.title,
    text: verify.text(visibleText(merchant.name), forwarded.saltOf),
    facts: [
      row(verify.destination, forwarded.destination),
      row(verify.contract, forwarded.factory),
      row(verify.salt, forwarded.salt),
    ],
  };
}
