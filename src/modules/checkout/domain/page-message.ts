import { isNothing } from '../../../kernel/crypto-amount.js';
import type { CheckoutIntent } from '../../intents/checkout.types.js';
import type { Message, MessageFacts } from '../catalogue/catalogue.types.js';
import type { Catalogue } from '../catalogue/en.js';
import { PAGE_STATES, type PageState } from '../page-states.types.js';
import { transferText } from './message-facts.js';
import { stateMessage, type Step } from './state-message.js';

/** The words of a page: those of its state, with the money that they are not about. */
export function pageMessage(
  intent: CheckoutIntent,
  state: PageState,
  step: Step | null,
  catalogue: Catalogue,
  facts: MessageFacts,
): Message {
  const said = catalogue.states[stateMessage(intent, state, step)](facts);
  if (step !== null) return said;
  const happened = [
    partText(intent, state, catalogue, facts),
    said.happened,
    surplusText(intent, state, catalogue, facts),
    PAGE_STATES[state].isOfStrays ? strayText(intent, said, catalogue) : '',
  ];
  return { ...said, happened: happened.filter((text) => text !== '').join(' ') };
}

/** "50 of 56.1234 USDC arrived.", where a part is here and the page is about why no more is asked for; else empty. */
export function partText(
  intent: CheckoutIntent,
  state: PageState,
  catalogue: Catalogue,
  facts: MessageFacts,
): string {
  const isPart = intent.quote !== null && !isNothing(intent.quote.received);
  return isPart && PAGE_STATES[state].isHeld ? catalogue.states.part(facts).happened : '';
}

/** Until it is settled, when the words themselves are about it. */
function surplusText(
  intent: CheckoutIntent,
  state: PageState,
  catalogue: Catalogue,
  { excess }: MessageFacts,
): string {
  const isMore = intent.quote !== null && intent.quote.excess !== null;
  return isMore && PAGE_STATES[state].isUnderWay ? catalogue.tooMuch(excess) : '';
}

/** What nobody asked for, unless the words name it already. */
function strayText(intent: CheckoutIntent, { happened }: Message, catalogue: Catalogue): string {
  const { otherTransfers } = intent;
  if (otherTransfers.every((each) => happened.includes(transferText(each, catalogue)))) return '';
  return `${foundTitle(intent, catalogue)}. ${catalogue.other.not}`;
}

/** "We found 25 USDC on Polygon": where it is stands first, because it is what went wrong. Null where there is none. */
export function foundTitle(
  { otherTransfers: [first, ...more] }: CheckoutIntent,
  catalogue: Catalogue,
): string | null {
  if (!first) return null;
  return more.length === 0 ? catalogue.found(transferText(first, catalogue)) : catalogue.foundSeveral;
}
