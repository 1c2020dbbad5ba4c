import type { CheckoutIntent } from '../../intents/checkout.types.js';
import type { StateMessage } from '../catalogue/catalogue.types.js';
import type { Catalogue } from '../catalogue/en.js';
import { messageFacts } from './message-facts.js';
import type { PageState } from './page-state.js';
import { stateMessage } from './state-message.js';

/** Words of a state that say another thing than the state does: what the merchant has decided. */
const DECIDED: readonly StateMessage[] = [
  'settled-refunding',
  'settled-part-refunded',
  'settled-refunded',
  'refunding',
  'part-refunded',
  'refunded',
  'dismissed',
];

/** One sentence, or two, for those who do not see the page. */
export function announcementOf(intent: CheckoutIntent, state: PageState, catalogue: Catalogue): string {
  const facts = messageFacts(intent, catalogue);
  const slug = stateMessage(intent, state, null);
  return DECIDED.includes(slug)
    ? catalogue.states[slug](facts).happened
    : catalogue.announcements[state](facts);
}
