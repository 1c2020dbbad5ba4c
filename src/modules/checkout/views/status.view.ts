import { wireText } from '../../../kernel/crypto-amount.js';
import type { IntentStatus } from '../../../kernel/intent-status.js';
import type { CheckoutIntent, CheckoutRefund } from '../../intents/checkout.types.js';
import { payPath } from '../../intents/checkout-paths.pure.js';
import type { Catalogue } from '../catalogue/en.js';
import { announcementOf } from '../domain/announcement.js';
import { leastDepth } from '../domain/message-facts.js';
import { pageState } from '../domain/page-state.js';
import { pageVersion } from '../domain/page-version.js';
import type { PageState } from '../page-states.types.js';

type StatusRefund = Omit<CheckoutRefund, 'amount' | 'typed' | 'at' | 'networkName'> & {
  /** Eight decimals, rounded down; as it was typed where the asset is not known. */
  readonly amount: string;
  readonly at: string;
};

/** The body of `/pay/:id/status` and of every message on `/pay/:id/events`. */
export interface StatusView {
  readonly id: string;
  readonly status: IntentStatus;
  readonly state: PageState;
  /** Changes when the page has something else to show; the clock does not change it. */
  readonly version: string;
  /** What the picked quote asks for, and where; scripts that play the buyer pay by this. */
  readonly amount: string | null;
  readonly depositAddress: string | null;
  readonly received: string | null;
  readonly missing: string | null;
  readonly asset: string | null;
  readonly network: string | null;
  /** What goes back to the buyer, and what went, as far as each is; with times in ISO 8601. */
  readonly refunds: readonly StatusRefund[];
  readonly confirmations: number;
  readonly requiredConfirmations: number | null;
  readonly expiresAt: string;
  readonly sendBefore: string | null;
  readonly now: string;
  readonly returnUrl: string | null;
  /** A sentence or a few for people, in the language that the request asks for. */
  readonly message: string;
}

export function statusView(intent: CheckoutIntent, catalogue: Catalogue): StatusView {
  const { quote } = intent;
  const state = pageState(intent);
  return {
    id: intent.id,
    status: intent.status,
    state,
    version: pageVersion(intent),
    amount: quote && wireText(quote.amount),
    depositAddress: quote?.address ?? null,
    received: quote && wireText(quote.received),
    missing: quote && wireText(quote.missing),
    asset: quote?.asset ?? null,
    network: quote?.network ?? null,
    refunds: (intent.refunds?.refunds ?? []).map(statusRefund),
    confirmations: quote && quote.transfers.length > 0 ? leastDepth(quote) : 0,
    requiredConfirmations: quote?.requiredConfirmations ?? null,
    expiresAt: intent.expiresAt.toISOString(),
    sendBefore: quote?.sendBefore.toISOString() ?? null,
    now: intent.now.toISOString(),
    returnUrl: intent.returnUrl === null ? null : payPath(intent.id, 'return'),
    message: announcementOf(intent, state, catalogue),
  };
}

function statusRefund({ at, amount, typed, networkName: _name, ...refund }: CheckoutRefund): StatusRefund {
  return { ...refund, amount: amount === null ? typed : wireText(amount), at: at.toISOString() };
}
