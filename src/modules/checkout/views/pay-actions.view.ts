import { visibleText } from '../../../kernel/text/visible-text.js';
import type { CheckoutIntent } from '../../intents/checkout.types.js';
import { payPath } from '../../intents/checkout-paths.pure.js';
import type { Catalogue } from '../catalogue/en.js';
import { asksBackFirst } from '../domain/asking-back.js';
import { livenessOf } from '../domain/page-state.js';
import type { Step } from '../domain/state-message.js';
import { PAGE_STATES, type PageState } from '../page-states.types.js';
import type { ActionLink } from './pay.types.js';

export function actionLinks(
  intent: CheckoutIntent,
  state: PageState,
  step: Step | null,
  catalogue: Catalogue,
): ActionLink[] {
  const path = payPath(intent.id);
  const traits = PAGE_STATES[state];
  if (step === 'cancel' || step === 'refund') return [];
  if (step === 'change') return [link('back', path, catalogue.back)];
  const returns = intent.returnUrl
    ? link(
        'return',
        payPath(intent.id, 'return'),
        catalogue.returnTo(visibleText(intent.merchant.name)),
        traits.leadsBack && !asksBackFirst(intent),
      )
    : null;
  const rest = [
    livenessOf(intent, state) === 'off' ? null : { ...link('check', path, catalogue.check), plain: true },
    intent.maySwitch && traits.ways === 'linked'
      ? link('change', `${path}?change=1`, catalogue.change)
      : null,
    intent.mayCancel ? link('cancel', `${path}?cancel=1`, catalogue.cancel) : null,
  ];
  const ordered = returns?.primary ? [returns, ...rest] : [...rest, returns];
  return ordered.filter((each) => each !== null);
}

function link(name: string, href: string, label: string, primary = false): ActionLink {
  return { id: `go-${name}`, href, label, primary, plain: false };
}
