import { isNothing, wireUnits } from '../../../kernel/crypto-amount.js';
import { visibleText } from '../../../kernel/text/visible-text.js';
import type { CheckoutIntent, RefundSum } from '../../intents/checkout.types.js';
import type { Catalogue } from '../catalogue/en.js';
import { ungroupedWireText, unitText } from './formats.js';
import { hasUnknown, returnable } from './returned.js';

/** A sentence; the merchant's word where a part of it is no more than that. Empty where nothing is sent back. */
export function sentBackText(intent: CheckoutIntent, catalogue: Catalogue): string {
  const sums = returnable(intent);
  const unknown = hasUnknown(intent.refunds);
  if (!unknown && sums.every(({ returned }) => isNothing(returned))) return '';
  const what = listOf(sums, 'returned', catalogue);
  const byWord = intent.refunds?.refunds.some(({ state }) => state === 'recorded');
  const { sentBack, recordedBack } = catalogue.refunds;
  const told = unknown ? [...what, catalogue.yourMoney] : what;
  return (byWord ? recordedBack : sentBack)(
    visibleText(intent.merchant.name),
    told.reduce((first, next) => catalogue.and(first, next)),
  );
}

/** "30 of 50 USDC"; empty where nothing is under way. */
export function underWayText(intent: CheckoutIntent, catalogue: Catalogue): string {
  const sums = returnable(intent).filter(({ underWay }) => !isNothing(underWay));
  const what = listOf(sums, 'underWay', catalogue);
  return what.length === 0 ? '' : what.reduce((first, next) => catalogue.and(first, next));
}

/** Each with its network where there are several; what is less than all, with all of it. */
function listOf(
  sums: readonly RefundSum[],
  part: 'returned' | 'underWay',
  catalogue: Catalogue,
): readonly string[] {
  const networks = new Set(sums.map(({ network }) => network));
  return sums.map((sum) => {
    const all = unitText(sum.owed, visibleText(sum.asset));
    const some = wireUnits(sum[part]) < wireUnits(sum.owed);
    const text = some
      ? catalogue.receivedOf(ungroupedWireText(sum[part]), all)
      : unitText(sum[part], visibleText(sum.asset));
    return networks.size > 1 ? `${text} ${catalogue.on(visibleText(sum.networkName))}` : text;
  });
}
