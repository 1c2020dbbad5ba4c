import { isOneOf } from './lookups.js';

/** The statuses, each with the one sentence that it means. */
export const INTENT_STATUSES = [
  'initiated', // created; nothing has been seen yet
  'pending', // a transfer of a quoted asset was observed, whatever its amount
  'confirmed', // the completed deposit has the confirmation depth
  'settled', // the completed deposit is deep enough for its value: fulfil now
  'failed', // a completed deposit vanished for good after the window
  'expired', // the window passed without a completed deposit
  'cancelled', // the buyer or the merchant called it off
] as const;

export type IntentStatus = (typeof INTENT_STATUSES)[number];

/**
 * The edges between them. `expired → settled` is the one way out of a terminal status: a merchant's
 * accept in the review queue. The table `status_edge` in the database repeats it.
 */
export const NEXT_STATUSES = {
  initiated: ['pending', 'expired', 'cancelled'],
  pending: ['confirmed', 'failed', 'expired', 'cancelled'],
  // Expired only where a reorganisation took the completion away before the window ended.
  confirmed: ['settled', 'failed', 'expired'],
  settled: [],
  failed: [],
  expired: ['settled'],
  cancelled: [],
} as const satisfies Record<IntentStatus, readonly IntentStatus[]>;

export function isIntentStatus(text: string): text is IntentStatus {
  return isOneOf(INTENT_STATUSES, text);
}

export function mayBecome(from: IntentStatus, to: IntentStatus): boolean {
  return isOneOf<IntentStatus>(NEXT_STATUSES[from], to);
}

/** Statuses that nothing automatic leaves. */
export function isTerminal(status: IntentStatus): boolean {
  return status === 'settled' || status === 'failed' || status === 'expired' || status === 'cancelled';
}

/** Statuses in which the window still runs: a completed deposit is what stops it. */
const OPEN_STATUSES = ['initiated', 'pending'] as const satisfies readonly IntentStatus[];

export function isOpen(status: IntentStatus): boolean {
  return isOneOf<IntentStatus>(OPEN_STATUSES, status);
}
