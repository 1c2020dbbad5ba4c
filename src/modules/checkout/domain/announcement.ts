import type { CheckoutIntent } from '../../intents/checkout.types.js';
import type { StateMessage } from '../catalogue/catalogue.types.js';
import type { Catalogue } from '../catalogue/en.js';
import { PAGE_STATES, type PageState } from '../page-states.types.js';
import { messageFacts } from './message-facts.js';
import { foundTitle, partText } from './page-message.js';
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

/** A sentence or a few, for those who do not see the page. */
export function announcementOf(
  intent: CheckoutIntent,
  state: PageState,
  catalogue: Catalogue,
  facts = messageFacts(intent, catalogue),
): string {
  const slug = stateMessage(intent, state, null);
  if (DECIDED.includes(slug)) return catalogue.states[slug](facts).happened;
  const part = partText(intent, state, catalogue, facts);
  const found = PAGE_STATES[state].asksToSend ? foundTitle(intent, catalogue) : null;
  return [
    part,
    found === null ? '' : `${found}. ${catalogue.other.not}`,
    catalogue.announcements[state](facts),
  ]
    .filter((text) => text !== '')
    .join(' ');
}
