import { isNothing, wireUnits } from '../../../kernel/crypto-amount.js';
import type { CheckoutIntent, CheckoutTransfer } from '../../intents/checkout.types.js';
import { type Liveness, PAGE_STATES, type PageState } from '../page-states.types.js';
import { isUnderWay } from './returned.js';

export function pageState(intent: CheckoutIntent): PageState {
  switch (intent.status) {
    case 'settled':
    case 'failed':
    case 'confirmed':
      return intent.status;
    case 'expired':
      return endedState(intent, 'expired');
    case 'cancelled':
      return endedState(intent, 'cancelled');
    case 'initiated':
    case 'pending':
      return openState(intent);
  }
}

function endedState(intent: CheckoutIntent, ended: 'expired' | 'cancelled'): PageState {
  if (!hasMoney(intent)) return ended;
  return moneyOf(intent).some(({ final }) => final) ? `${ended}-paid` : 'arriving';
}

function openState(intent: CheckoutIntent): PageState {
  const { quote } = intent;
  if (quote?.complete) return 'seen';
  // A suspended merchant's buyer is never asked for more money, not even for the rest of a part.
  if (!intent.merchant.accepting) return 'suspended';
  if (!quote) return intent.options.some((option) => option.closed === null) ? 'choose' : 'closed';
  if (intent.now >= quote.sendBefore) return 'too-late';
  if (intent.unseen) return 'blind';
  return isNothing(quote.received) ? 'waiting' : 'part';
}

/** As its state says; a refund is followed to its end, and what was too much until its buyer may ask for it back. */
export function livenessOf(intent: CheckoutIntent, state: PageState): Liveness {
  const { live } = PAGE_STATES[state];
  const { refunds } = intent;
  const hasMore = isUnderWay(refunds) || (refunds === null && isOverpaid(intent));
  return live === 'off' && hasMore ? 'slow' : live;
}

/** Whether the buyer may have something to ask the merchant, and so needs the payment's id at hand. */
export function isInQuestion(intent: CheckoutIntent, state: PageState): boolean {
  const { otherTransfers, refunds, settlementUndone, settlingWithheld } = intent;
  const { isInQuestion, isHeld } = PAGE_STATES[state];
  if (isInQuestion || settlementUndone || settlingWithheld || refunds !== null) return true;
  if (isHeld && hasMoney(intent)) return true;
  return otherTransfers.length > 0 || (state === 'settled' && isOverpaid(intent));
}

/** Whatever of it may be given back yet. */
function isOverpaid({ quote }: CheckoutIntent): boolean {
  return quote !== null && wireUnits(quote.received) > wireUnits(quote.amount);
}

export function hasMoney(intent: CheckoutIntent): boolean {
  return moneyOf(intent).length > 0 || (intent.quote !== null && !isNothing(intent.quote.received));
}

/** Everything at the intent's addresses, asked for or not. */
export function moneyOf({ quote, otherTransfers }: CheckoutIntent): readonly CheckoutTransfer[] {
  return [...(quote?.transfers ?? []), ...otherTransfers];
}
