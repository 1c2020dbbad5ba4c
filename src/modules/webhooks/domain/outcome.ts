import { nextWaitMs } from './schedule.js';

/** What one attempt brought, as far as the next step depends on it. */
export interface AttemptAnswer {
  /** `null` when no answer came. */
  readonly httpStatus: number | null;
  /** Why the exchange did not complete, or `null` when it did. */
  readonly error: string | null;
  readonly retryAfterMs: number | null;
}

/**
 * What becomes of the delivery.
 * `delivered`: done. `retry`: again after `waitMs`. `exhausted`: that was the last try.
 * `gone`: the receiver wants no more of this endpoint; the endpoint is disabled and the delivery held.
 */
export type Outcome =
  { readonly kind: 'delivered' | 'exhausted' | 'gone' } | { readonly kind: 'retry'; readonly waitMs: number };

export const OUTCOMES = ['delivered', 'retry', 'exhausted', 'gone'] as const satisfies Outcome['kind'][];

const GONE = 410;

/**
 * A complete answer with 2xx is success. Everything else is a failure: a redirect too, because following it
 * would take the event where nobody vetted, and a 2xx whose body never ended, because the exchange did not.
 * @param triesMade tries that have ended, this one included
 */
export function outcomeOf(answer: AttemptAnswer, triesMade: number, random: number): Outcome {
  const { httpStatus, error, retryAfterMs } = answer;
  if (httpStatus === GONE) return { kind: 'gone' };
  if (httpStatus !== null && httpStatus >= 200 && httpStatus < 300 && error === null) {
    return { kind: 'delivered' };
  }
  const waitMs = nextWaitMs(triesMade, retryAfterMs, random);
  return waitMs === null ? { kind: 'exhausted' } : { kind: 'retry', waitMs };
}
