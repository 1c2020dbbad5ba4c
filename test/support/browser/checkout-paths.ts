import { checkoutStates } from '../checkout/checkout-states.js';

/** Every page of the checkout below `/pay/`: the states, what can be asked in them, and the errors. */
export const PATHS = [
  ...Object.keys(checkoutStates),
  'waiting?cancel=1',
  'waiting?change=1',
  'too-late?change=1',
  'choose?notice=option-closed',
  'expired-unpaid?notice=too-late',
  'part?notice=cannot-switch',
  'seen?notice=cannot-cancel',
  'expired-asked?notice=refund-stored',
  'waiting-other-network?refund=1',
  'waiting-other-asked?notice=refund-stored',
  'settled-overpaid?refund=1',
  'expired-short?refund=1',
  'expired-other-network?refund=1',
  'refused/address-wrong',
  'refused/note-too-long',
  'nothing-of-this-name',
  'error/403',
  'error/429',
  'error/500',
];
