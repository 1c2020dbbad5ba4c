import type { IntentStatus } from '../../kernel/intent-status.js';
import type { ReviewReason } from '../intents/reviews.types.js';

/** Networks that do the same thing in the same way. */
export const NETWORK_KINDS = ['evm-token', 'evm-coin', 'bitcoin-like'] as const;
export type NetworkKind = (typeof NETWORK_KINDS)[number];

/** What a scenario comes to, in the end: what the tests assert and the documentation says. */
export interface Outcome {
  /** Of the events, in their sequence; the last is where the intent stays. */
  readonly statuses: readonly IntentStatus[];
  /** Whether that end comes only with the end of the payment window. */
  readonly whenWindowEnds: boolean;
  /** The settlement record, in percent of what was quoted. */
  readonly settlement: { readonly received: number; readonly excess: number } | null;
  readonly review: ReviewReason | null;
}

/** What a scenario does on one kind of network, or why it cannot be done there. */
export type Course = { readonly does: string; readonly outcome: Outcome } | { readonly impossible: string };

export interface Scenario {
  /** One sentence, from the buyer's side. */
  readonly summary: string;
  readonly courses: Readonly<Record<NetworkKind, Course>>;
}
