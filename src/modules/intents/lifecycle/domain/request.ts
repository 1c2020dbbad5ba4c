import type { Currency } from '../../../../kernel/fiat.js';
import type { Intent } from '../../domain/model.js';

/** A validated create request; omitted and `null` are the same. */
export interface NewIntent {
  readonly amountMinor: bigint;
  readonly currency: Currency;
  readonly title: string | null;
  readonly idempotencyKey: string | null;
  readonly returnUrl: string | null;
}

/** Names of the request's fields in which a replay differs from the original. */
export function mismatchesOf(original: Intent, request: NewIntent): string[] {
  const differs: Record<string, boolean> = {
    amount: original.amountMinor !== request.amountMinor,
    currency: original.currency !== request.currency,
    title: original.title !== request.title,
    returnUrl: original.returnUrl !== request.returnUrl,
  };
  return Object.keys(differs).filter((field) => differs[field]);
}
