import type { CheckoutIntent } from '../../intents/checkout.types.js';
import type { Message } from '../catalogue/catalogue.types.js';
import type { Catalogue } from '../catalogue/en.js';
import { PAGE_STATES, type PageState } from '../page-states.types.js';
import type { FoundModel, StatusModel } from './pay.types.js';
import { textParts } from './text-parts.js';

/**
 * What is and what to do, in few words: they have a room of their own above what is to be sent, and everything else about
 * them stands below it or in the details. Money that nobody asked for comes before that nothing, or a part, has arrived.
 */
export function statusModel(
  { quote }: CheckoutIntent,
  state: PageState,
  said: Message,
  found: FoundModel | null,
  catalogue: Catalogue,
): StatusModel {
  const { mark, tone, money } = PAGE_STATES[state];
  const sendBefore = quote?.sendBefore ?? null;
  const next = said.next === '' ? null : textParts(said.next, [sendBefore], catalogue);
  const own = {
    title: said.title,
    markIcon: `icons/mark-${mark}`,
    tone,
    text: said.happened,
    todo: said.todo,
  };
  if (found === null) return { ...own, link: null, next, later: null };
  // With a link there is no need to say what it leads to.
  const text = found.link === null ? found.text : catalogue.other.not;
  const warning = {
    markIcon: 'icons/mark-warn',
    tone: 'warn',
    todo: '',
    link: found.link,
    next: null,
    later: next,
  } as const;
  return money === undefined
    ? { ...warning, title: found.title, text }
    : { ...warning, title: said.title, text: `${said.happened} ${found.title}. ${text}` };
}
