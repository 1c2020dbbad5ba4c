import { jitter } from '../../../kernel/backoff.js';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Waits before each try, from the end of the last: ten tries in three days. */
export const WAITS_BEFORE_TRY_MS = [
  0,
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
] as const;

/** Receivers that failed together must not all be called again in the same second. */
const JITTER = 0.2;

/** A receiver may ask for more patience than the schedule has, but not put an event off for a month. */
export const MAX_RETRY_AFTER_MS = 24 * HOUR_MS;

/**
 * The wait before the next try, or `null` when the schedule is exhausted.
 * @param triesMade tries that have ended, the present one included (1 or more)
 * @param retryAfterMs what the receiver asked for (`parseRetryAfter`): it only ever lengthens the wait
 * @param random in [0, 1)
 */
export function nextWaitMs(triesMade: number, retryAfterMs: number | null, random: number): number | null {
  const wait = WAITS_BEFORE_TRY_MS[triesMade];
  if (wait === undefined) return null;
  return Math.max(jitter(wait, JITTER, random), Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS));
}
