import { isTerminal } from '../../../kernel/intent-status.js';
import type { CheckoutIntent } from '../../intents/checkout.types.js';

/** Whether a refund address may be left or changed. */
export function mayAskBack({ refunds }: CheckoutIntent): boolean {
  return refunds !== null && refunds.networks.length > 0;
}

/** Whether one was left, whoever left it. */
export function hasAsked({ refunds }: CheckoutIntent): boolean {
  return refunds !== null && refunds.requests.length > 0;
}

/** Whether to leave one is what the buyer can do next: the payment came to nothing, and its money is here. */
export function asksBackFirst(intent: CheckoutIntent): boolean {
  const { status } = intent;
  return isTerminal(status) && status !== 'settled' && mayAskBack(intent) && !hasAsked(intent);
}
