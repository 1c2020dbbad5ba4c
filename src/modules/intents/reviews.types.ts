import type { AssetAmount, CryptoAmount } from '../../kernel/crypto-amount.js';
import type { Currency } from '../../kernel/fiat.js';
import type { IntentStatus } from '../../kernel/intent-status.js';
import type { CheckoutTransfer, RefundRequest } from './checkout.types.js';

/** Why final money of an ended intent is not its price. */
export const MONEY_REASONS = [
  'late', // of the quote that was paid most of, with all else of it enough, and not in time
  'underpaid', // of that quote, and not enough, whenever it came
  'in-time-seen-late', // of that quote, enough and in time, and recorded after the intent had expired
  'excess', // the part of a settlement that was more than was asked
  'beside-settlement', // of the quote that was settled, seen before that, and no part of it: it was not deep enough, or not needed
  'after-settlement', // of the quote that was settled, and seen only after that
  'other-quote', // of another quote of the same intent
  'other-asset', // at a quote's address on its network, in an asset that was not quoted there
  'other-network', // at a quote's address, on another network
  'before-issue', // in a block from before the intent had its address: nobody sent it for this intent
  'cancelled',
  'failed',
] as const;
export type MoneyReason = (typeof MONEY_REASONS)[number];

/** Why an ended intent waits for the merchant's decision: the reason of its money that matters most. */
export type ReviewReason = Exclude<MoneyReason, 'excess'>;

/** A transfer that a decision is about. */
export interface ReviewTransfer extends CheckoutTransfer {
  readonly id: string;
  /** By which all of it was observed. */
  readonly observedAt: Date;
}

/** So much of an asset on a network. */
export interface Money extends AssetAmount {
  readonly network: string;
}

/** Final money of an intent that is not its price and has not been sent back, of one asset. */
export interface Refundable extends Money {
  readonly networkName: string;
}

/** What a decision says was sent back. */
export interface DecidedRefund {
  /** As it was typed, for one of which that is all that is known. */
  readonly typed: string | null;
  /** `null` for one from before refunds named their asset. */
  readonly money: Money | null;
  readonly txid: string | null;
}

/** What somebody decided of an intent's money. */
export interface ReviewDecision {
  readonly id: string;
  readonly intentId: string;
  readonly kind: 'accept' | 'dismiss' | 'refund';
  readonly actor: string;
  readonly note: string;
  readonly transfers: readonly string[];
  /** `null` for a decision of another kind. */
  readonly refund: DecidedRefund | null;
  readonly createdAt: Date;
}

/** A row of the review queue. Amounts of the quote that an accept would settle. */
export interface AcceptablePart {
  readonly amount: CryptoAmount;
  readonly missing: CryptoAmount;
  readonly receivedBps: bigint;
  readonly transferIds: readonly string[];
}

export interface ReviewEntry {
  readonly intentId: string;
  readonly merchantId: string;
  readonly status: IntentStatus;
  readonly reason: ReviewReason;
  readonly title: string | null;
  readonly amountMinor: bigint;
  readonly currency: Currency;
  readonly asset: string | null;
  readonly network: string | null;
  readonly quoted: CryptoAmount | null;
  readonly received: CryptoAmount | null;
  readonly missing: CryptoAmount | null;
  /** What arrived of what was quoted, rounded down: 9876 is 98.76 %. */
  readonly receivedBps: bigint | null;
  /** What an accept settles now, only for `expired`: the part of it that is final; `null` while nothing is. */
  readonly acceptable: AcceptablePart | null;
  /** Whether all of it is. */
  readonly final: boolean;
  readonly transfers: readonly ReviewTransfer[];
  /** Ids of the same transfers: a decision may name what it was made on. */
  readonly transferIds: readonly string[];
  /** The buyer's latest, unverified. */
  readonly refundRequest: RefundRequest | null;
  /** When the window ended. */
  readonly expiredAt: Date;
  readonly openedAt: Date;
}
