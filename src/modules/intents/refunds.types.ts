import type { RefundRequest } from './checkout.types.js';
import type { IntentChange } from './intents.types.js';
import type { Money, Refundable } from './reviews.types.js';

/**
 * `asked`: somebody decided to send it. `sent`: a transaction is named, and no block of the chain holds it now. `seen`: a
 * block does, and can still be undone. `final`: it is in the books. `withdrawn`: it is not sent after all.
 */
export type RefundState = 'asked' | 'sent' | 'seen' | 'final' | 'withdrawn';

/** Money on its way back to a buyer. */
export interface RefundOnChain extends Money {
  readonly id: string;
  readonly intentId: string;
  readonly merchantId: string;
  readonly state: RefundState;
  /** Where it goes, in its normal spelling. */
  readonly address: string;
  readonly txid: string | null;
  readonly blockHeight: number | null;
  readonly actor: string;
  readonly note: string;
  readonly createdAt: Date;
  /** When it came into its state. */
  readonly changedAt: Date;
  /** Who was shown last how to pay it, and when: whoever comes after them should ask before they pay it too. */
  readonly openedBy: string | null;
  readonly openedAt: Date | null;
  /** Since when it is not looked for any more; `null` while it is. */
  readonly searchEndedAt: Date | null;
  /** Since when a final one's block is not on the chain any more. */
  readonly undoneAt: Date | null;
  /** A transaction that pays the same and counts for another refund of the merchant's. */
  readonly elsewhereTxid: string | null;
  /** A transaction that paid the same once more, or after it was withdrawn. */
  readonly againTxid: string | null;
}

/** With what people call its network. */
export interface NamedRefund extends RefundOnChain {
  readonly networkName: string;
}

/**
 * What speaks against taking a refund back: `paid`: a block holds it. `possible`: somebody has opened or sent the payment.
 * `unknown`: the blocks up to now could not be searched.
 */
export type RefundSight = 'none' | 'possible' | 'unknown' | 'paid';

/** As somebody typed it. */
export interface WantedRefund {
  /** Both may be left out where the intent holds money of one kind. */
  readonly network: string | null;
  readonly asset: string | null;
  readonly amount: string;
  /** Where it goes: the buyer's word, or what the merchant knows better. */
  readonly address: string;
  readonly note: string;
  /** The open transfers that the person saw: what came since stays in the queue. Without it all. */
  readonly seen?: readonly string[];
}

/** What a refund may be asked of, and where the buyer wants it. */
export interface RefundProposal {
  readonly refundable: readonly Refundable[];
  /** The transfers that wait for a decision. */
  readonly seen: readonly string[];
  /** The buyer's latest word, unverified. */
  readonly request: RefundRequest | null;
}

/** Whose, which refund, and who changes it. */
export type RefundChange = IntentChange;

/** Why a refund is looked for no more: it was for long enough; its node refuses to, and nothing else; a block is gone. */
export type SearchEnd = 'time' | 'refused' | { readonly gone: number };
