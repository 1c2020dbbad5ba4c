import { isNothing, wireUnits } from '../../../kernel/crypto-amount.js';
import type { CheckoutIntent, CheckoutRefunds, RefundSum } from '../../intents/checkout.types.js';

/** How much of what there was to give back is back. `going`: something is decided, and none is. */
export type Returned = 'nothing' | 'going' | 'part' | 'all';

/** What the words above the list are about: of a settled intent the excess alone. */
export function returnable({ status, quote, refunds }: CheckoutIntent): readonly RefundSum[] {
  const sums = refunds?.sums ?? [];
  if (status !== 'settled') return sums;
  const excess = quote?.excess ?? null;
  return sums
    .filter(({ network, asset }) => network === quote?.network && asset === quote.asset)
    .flatMap((sum) => (excess === null ? [] : [{ ...sum, owed: excess }]));
}

export function returnedOf(intent: CheckoutIntent): Returned {
  const sums = returnable(intent);
  if (hasUnknown(intent.refunds)) return intent.refunds?.closedAt ? 'all' : 'part';
  if (sums.length > 0 && sums.every(isWhole)) return 'all';
  if (sums.some(({ returned }) => !isNothing(returned))) return 'part';
  return sums.some(({ underWay }) => !isNothing(underWay)) ? 'going' : 'nothing';
}

/** Whether the page has still to follow one. */
export function isUnderWay(refunds: CheckoutRefunds | null): boolean {
  return refunds?.sums.some(({ underWay }) => !isNothing(underWay)) ?? false;
}

export function isWhole({ returned, owed }: RefundSum): boolean {
  return wireUnits(returned) >= wireUnits(owed);
}

/** Whether one is of an asset that its record does not name. */
export function hasUnknown(refunds: CheckoutRefunds | null): boolean {
  return refunds?.refunds.some(({ asset }) => asset === null) ?? false;
}
