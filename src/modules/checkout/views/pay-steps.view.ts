import type { CheckoutIntent } from '../../intents/checkout.types.js';
import type { Catalogue } from '../catalogue/en.js';
import type { PageState } from '../page-states.types.js';
import type { Step } from './pay.types.js';

const NAMES = ['waiting', 'seen', 'confirmed', 'settled'] as const;

/** A part that arrived is still waiting, for the rest; a state that is not on the way has reached no step. */
export function stepRows(intent: CheckoutIntent, state: PageState, catalogue: Catalogue): Step[] {
  const current = state === 'confirmed' || intent.confirmedAt !== null ? 2 : state === 'seen' ? 1 : 0;
  return NAMES.map((name, index) => ({
    label: catalogue.steps[name],
    markIcon: `icons/step-${index < current ? 'done' : index === current ? 'now' : 'todo'}`,
    current: index === current,
    reached: index < current,
    doneText: catalogue.stepDone,
  }));
}
