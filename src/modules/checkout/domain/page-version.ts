import { createHash } from 'node:crypto';
import type { CheckoutIntent, CheckoutTransfer } from '../../intents/checkout.types.js';
import { PAGE_STATES } from '../page-states.types.js';
import { pageState } from './page-state.js';

/**
 * A short hash of everything that the page shows, but for what goes on for ever: the clock, and the blocks on top of
 * a final transfer. Options count only while they are the question: otherwise every new rate would make every waiting
 * page load again.
 */
export function pageVersion(intent: CheckoutIntent): string {
  const { now: _clock, options, unseen: _asItsState, ...shown } = intent;
  const state = pageState(intent);
  const seen = { ...shown, options: PAGE_STATES[state].ways === 'shown' ? options : [], state };
  const text = JSON.stringify(seen, (_key, value: unknown) => {
    if (typeof value === 'bigint') return value.toString();
    return isFinalTransfer(value) ? { ...value, confirmations: null } : value;
  });
  return createHash('sha256').update(text).digest('base64url').slice(0, 12);
}

function isFinalTransfer(value: unknown): value is CheckoutTransfer {
  return (
    typeof value === 'object' &&
    value !== null &&
    'confirmations' in value &&
    'final' in value &&
    value.final === true
  );
}
