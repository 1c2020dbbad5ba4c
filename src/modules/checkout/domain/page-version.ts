import { createHash } from 'node:crypto';
import type { CheckoutIntent } from '../../intents/intents.types.js';
import { pageState } from './page-state.js';

/**
 * A short hash of everything that the page shows, but for the clock. Options count only while they are the
 * question: otherwise every new rate would make every waiting page load again.
 */
export function pageVersion(intent: CheckoutIntent): string {
  const { now: _clock, options, ...shown } = intent;
  const seen = { ...shown, options: intent.quote ? [] : options, state: pageState(intent) };
  const text = JSON.stringify(seen, (_key, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
  return createHash('sha256').update(text).digest('base64url').slice(0, 12);
}
