import type { Facts } from '../../../chains/chains.types.js';
import type { Intent, Quote } from '../../domain/model.js';
import { type EventBody, presentIntent, presentPayment } from '../../domain/present.js';
import type { Decision } from './decide.js';

/** One edge with its event, rendered as of that edge. */
export interface RenderedStep {
  readonly sequence: number;
  readonly from: Intent['status'];
  readonly to: Intent['status'];
  readonly cause: string;
  readonly eventId: string;
  readonly body: string;
}

export interface Rendering {
  readonly checkoutUrl: string;
  readonly newEventId: () => string;
}

/**
 * The edges of a decision, each with the intent as of that edge (`confirmed` shows no `settledAt`) and the bytes
 * of its event. Bytes are rendered here and never again.
 */
export function renderSteps(
  { intent, facts, now }: { readonly intent: Intent; readonly facts: Facts; readonly now: Date },
  decision: Decision,
  quote: Quote | null,
  { checkoutUrl, newEventId }: Rendering,
): { readonly after: Intent; readonly steps: readonly RenderedStep[] } {
  const payment = quote ? presentPayment(quote, facts) : null;
  const { quoteId, completedAt } = decision;
  let after: Intent = { ...intent, quoteId, completedAt };
  const steps = decision.steps.map(({ from, to, cause }) => {
    after = {
      ...after,
      status: to,
      sequence: after.sequence + 1,
      // An accept settles what never was confirmed: it sets both.
      confirmedAt: to === 'confirmed' || to === 'settled' ? (after.confirmedAt ?? now) : after.confirmedAt,
      settledAt: to === 'settled' ? now : after.settledAt,
    };
    const body: EventBody = {
      id: newEventId(),
      type: 'payment.status',
      timestamp: now.toISOString(),
      sequence: after.sequence,
      data: { intent: presentIntent(after, quote, checkoutUrl), previousStatus: from, payment },
    };
    return { sequence: after.sequence, from, to, cause, eventId: body.id, body: JSON.stringify(body) };
  });
  return { after, steps };
}

/** Event 1: the creation itself. */
export function renderCreation(
  intent: Intent,
  { checkoutUrl, newEventId }: Rendering,
): { id: string; body: string } {
  const body: EventBody = {
    id: newEventId(),
    type: 'payment.status',
    timestamp: intent.createdAt.toISOString(),
    sequence: 1,
    data: { intent: presentIntent(intent, null, checkoutUrl), previousStatus: null, payment: null },
  };
  return { id: body.id, body: JSON.stringify(body) };
}
