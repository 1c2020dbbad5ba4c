import { isNothing } from '../../../kernel/crypto-amount.js';
import type { CheckoutIntent, CheckoutTransfer } from '../../intents/intents.types.js';
import { isUnderWay } from './returned.js';

/** What the page is about; the slug is also in the HTML and in the status JSON. */
export type PageState =
  | 'choose' // nothing picked yet
  | 'closed' // nothing can be picked: no option is open
  | 'suspended' // the merchant may not take money now
  | 'waiting' // picked, nothing seen
  | 'too-late' // still open, but a transfer sent now may miss the end
  | 'part' // some of it arrived
  | 'seen' // all of it was seen
  | 'confirmed'
  | 'settled'
  | 'expired' // nothing arrived
  | 'arriving' // ended; money was seen, and none of it is final yet
  | 'expired-paid' // something arrived: the merchant decides
  | 'failed'
  | 'cancelled'
  | 'cancelled-paid'; // cancelled, and yet something arrived

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
  return isNothing(quote.received) ? 'waiting' : 'part';
}

/** How the page keeps up: at once, now and then (the merchant may still decide about what arrived), or not at all. */
export type Liveness = 'fast' | 'slow' | 'off';

function liveness(state: PageState): Liveness {
  switch (state) {
    case 'settled':
    case 'failed':
    case 'cancelled':
      return 'off';
    case 'cancelled-paid':
    case 'expired':
    case 'expired-paid':
      return 'slow';
    default:
      return 'fast';
  }
}

/** The same, and a refund that is under way is followed to its end. */
export function livenessOf({ refunds }: CheckoutIntent, state: PageState): Liveness {
  const live = liveness(state);
  return live === 'off' && isUnderWay(refunds) ? 'slow' : live;
}

export function hasMoney(intent: CheckoutIntent): boolean {
  return moneyOf(intent).length > 0 || (intent.quote !== null && !isNothing(intent.quote.received));
}

/** Everything at the intent's addresses, asked for or not. */
export function moneyOf({ quote, otherTransfers }: CheckoutIntent): readonly CheckoutTransfer[] {
  return [...(quote?.transfers ?? []), ...otherTransfers];
}
