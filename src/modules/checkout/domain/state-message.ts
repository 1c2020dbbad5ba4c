import { isNothing } from '../../../kernel/crypto-amount.js';
import type { CheckoutIntent } from '../../intents/checkout.types.js';
import type { StateMessage } from '../catalogue/catalogue.types.js';
import { PAGE_STATES, type PageState } from '../page-states.types.js';
import { hasAsked, mayAskBack } from './asking-back.js';
import { type Returned, returnedOf } from './returned.js';

/** A step that the buyer asked for, on top of the state. */
export type Step = 'cancel' | 'change' | 'refund';

const ENDED: Record<Exclude<Returned, 'nothing'>, StateMessage> = {
  going: 'refunding',
  part: 'part-refunded',
  all: 'refunded',
};
const OVERPAID: Record<Exclude<Returned, 'nothing'>, StateMessage> = {
  going: 'settled-refunding',
  part: 'settled-part-refunded',
  all: 'settled-refunded',
};

/** Which words a page has: most states have one set, some several. */
export function stateMessage(intent: CheckoutIntent, state: PageState, step: Step | null): StateMessage {
  if (step === 'cancel') return 'confirm-cancel';
  if (step === 'change' || step === 'refund') return step;
  const { quote } = intent;
  if (intent.settlingWithheld && PAGE_STATES[state].isUnderWay) return 'withheld';
  const { refunds } = intent;
  if (state === 'expired-paid' || state === 'cancelled-paid') {
    const returned = returnedOf(intent);
    if (returned !== 'nothing') return ENDED[returned];
    if (refunds?.closedAt) return 'dismissed';
  }
  switch (state) {
    case 'seen':
      return quote?.transfers.some((transfer) => transfer.state === 'mempool') ? 'seen-mempool' : 'seen';
    case 'settled':
      if (intent.settlementUndone) return 'settled-undone';
      if (!quote?.complete) return 'settled-accepted';
      if (quote.excess === null) return 'settled';
      return overpaidMessage(intent);
    case 'expired-paid':
      if (!quote || isNothing(quote.received)) return 'expired-other';
      return isNothing(quote.missing) ? 'expired-late' : 'expired-paid';
    default:
      return state;
  }
}

function overpaidMessage(intent: CheckoutIntent): StateMessage {
  const returned = returnedOf(intent);
  if (returned !== 'nothing') return OVERPAID[returned];
  if (!mayAskBack(intent)) return 'settled-over';
  return hasAsked(intent) ? 'settled-over-asked' : 'settled-over-offered';
}
