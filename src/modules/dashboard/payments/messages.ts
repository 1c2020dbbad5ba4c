import type { IntentStatus } from '../../../kernel/intent-status.js';
import type { ReviewReason } from '../../intents/reviews.types.js';
import type { PlainText, Text } from '../language/german/german.js';
import type { Say } from '../language/say.js';
import { STATUS_TONES, type Tone } from '../tones.pure.js';

/** A status as the dashboard says it: in English the word of the API, and how good the news is. */
export interface StatusLabel {
  readonly text: string;
  readonly tone: Tone;
}

type Labels = Readonly<Record<string, StatusLabel & { readonly text: PlainText }>>;

export function statusLabel(say: Say, status: IntentStatus): StatusLabel {
  return { text: say(status), tone: STATUS_TONES[status] };
}

/** Why an intent took a step, for people. A cause without words is shown as it is. */
const CAUSES = {
  created: 'Created over the API',
  'deposit-observed': 'Money was seen',
  'deposit-confirmed': 'The whole amount is in a block',
  'deposit-settled': 'The money can no longer be undone',
  'window-lapsed': 'The payment window ended',
  'window-lapsed-unseen': 'The payment window ended while we could not see the network',
  'deposit-vanished': 'The money left the chain and did not come back',
  'deposit-never-confirmed': 'No block took the money within 24 hours',
  'cancelled-by-buyer': 'The buyer cancelled',
  'cancelled-by-merchant': 'Somebody cancelled it in this dashboard',
  'cancelled-by-key': 'Your server cancelled it, over the API',
  'cancelled-by-operator': 'The operator of this service cancelled it',
  'accepted-in-review': 'Accepted in the review queue',
  'closed-by-operator': 'The operator of this service closed it by hand',
} as const satisfies Record<string, Text>;

export function causeMessage(say: Say, cause: string): string {
  return isIn(CAUSES, cause) ? say(CAUSES[cause]) : cause;
}

const REVIEWS = {
  'in-time-seen-late': 'It came in time and was seen late',
  underpaid: 'Too little arrived',
  late: 'It came late',
  'beside-settlement': 'More arrived than it was settled with',
  'after-settlement': 'More arrived after it was settled',
  cancelled: 'Arrived for a cancelled payment',
  failed: 'Arrived for a failed payment',
  'other-quote': 'More arrived by another way to pay',
  'other-asset': 'Another asset arrived',
  'other-network': 'Arrived on another network',
  'before-issue': 'Lay there before the payment',
} as const satisfies Record<ReviewReason, Text>;

export function reviewMessage(say: Say, reason: ReviewReason): string {
  return say(REVIEWS[reason]);
}

const TRANSFER_STATES = {
  mempool: { text: 'not in a block yet', tone: 'warn' },
  included: { text: 'in a block, not final yet', tone: 'warn' },
  orphaned: { text: 'left the chain, may come back', tone: 'bad' },
  replaced: { text: 'replaced, will not arrive', tone: 'bad' },
} as const satisfies Labels;

/** Until it is final a transfer can be undone, and nobody should ship, refund or book on it. */
export function transferLabel(say: Say, state: string, final: boolean): StatusLabel {
  if (final) return { text: say('final'), tone: 'good' };
  return said(say, TRANSFER_STATES, state);
}

const DELIVERY_STATES = {
  pending: { text: 'waiting', tone: 'warn' },
  sending: { text: 'being sent', tone: 'warn' },
  held: { text: 'held: endpoint disabled', tone: 'warn' },
  delivered: { text: 'delivered', tone: 'good' },
  failed: { text: 'given up', tone: 'bad' },
} as const satisfies Labels;

export function deliveryLabel(say: Say, state: string): StatusLabel {
  return said(say, DELIVERY_STATES, state);
}

/** What has no words is shown as it is. */
function said(say: Say, words: Labels, state: string): StatusLabel {
  const label = words[state];
  return label ? { ...label, text: say(label.text) } : { text: state, tone: 'quiet' };
}

function isIn<T extends object>(words: T, key: string): key is Extract<keyof T, string> {
  return Object.hasOwn(words, key);
}
