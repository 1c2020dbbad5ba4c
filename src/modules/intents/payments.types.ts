import type { CryptoAmount, Price } from '../../kernel/crypto-amount.js';
import type { Currency } from '../../kernel/fiat.js';
import type { IntentStatus } from '../../kernel/intent-status.js';
import type { IssuedPlace, TransferState } from '../chains/chains.types.js';
import type { CheckoutTransfer, RefundRequest } from './checkout.types.js';
import type { IntentWithPayment } from './intents.types.js';
import type { ReviewDecision, ReviewReason } from './reviews.types.js';

/** What a merchant's table of payments is narrowed to. `null` is no restriction. */
export interface PaymentFilter {
  readonly statuses: readonly IntentStatus[] | null;
  /** Only what waits for a decision. */
  readonly inReview: boolean;
  /** Half open: from the first instant, up to but without the second. */
  readonly createdFrom: Date | null;
  readonly createdTo: Date | null;
  readonly currency: Currency | null;
  /** Of the quote that the payment shows. */
  readonly asset: string | null;
  readonly network: string | null;
  readonly amountFromMinor: bigint | null;
  readonly amountToMinor: bigint | null;
  /** A whole intent id, address, transaction id, event id or traceId, or a part of an order key or title. */
  readonly search: string | null;
}

/** Where a page begins: right after (older) or right before (newer) an intent, which may be of another filter. */
export interface PaymentCursor {
  readonly direction: 'older' | 'newer';
  readonly id: string;
}

/** A line of the table. */
export interface PaymentRow {
  readonly id: string;
  readonly status: IntentStatus;
  readonly amountMinor: bigint;
  readonly currency: Currency;
  readonly title: string | null;
  readonly orderKey: string | null;
  readonly network: string | null;
  readonly networkName: string | null;
  readonly asset: string | null;
  readonly quoted: CryptoAmount | null;
  /** Live transfers of the shown quote. */
  readonly received: CryptoAmount | null;
  readonly address: string | null;
  readonly inReview: boolean;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly confirmedAt: Date | null;
  readonly settledAt: Date | null;
}

/** Newest first. The cursors are `null` where there is nothing further. */
export interface PaymentPage {
  readonly rows: readonly PaymentRow[];
  readonly newer: PaymentCursor | null;
  readonly older: PaymentCursor | null;
}

export interface DetailTransition {
  readonly sequence: number;
  readonly from: IntentStatus | null;
  readonly to: IntentStatus;
  readonly cause: string;
  readonly eventId: string;
  readonly traceId: string | null;
  readonly at: Date;
}

export interface DetailQuote {
  readonly id: string;
  readonly shown: boolean;
  readonly network: string;
  readonly networkName: string;
  readonly asset: string;
  readonly quoted: CryptoAmount;
  readonly received: CryptoAmount;
  readonly address: string;
  /** How the merchant finds the address; `null` for one of which that is not known. */
  readonly place: IssuedPlace['place'] | null;
  /** One unit in the intent's currency, before the spread; `null` where what is recorded cannot be read. */
  readonly price: Price | null;
  readonly sources: readonly { readonly source: string; readonly price: Price | null; readonly at: Date }[];
  readonly rateAt: Date;
  readonly spreadBps: number;
  readonly toleranceBps: number;
  readonly confirmationDepth: number | 'safe' | 'finalized';
  readonly settlementDepth: number | 'safe' | 'finalized';
  readonly createdAt: Date;
}

/** A fact, with everything that was recorded of it. */
export interface DetailTransfer extends Omit<CheckoutTransfer, 'state'> {
  readonly id: string;
  readonly state: TransferState;
  readonly address: string;
  readonly blockHeight: number | null;
  readonly blockTime: Date | null;
  readonly firstSeenAt: Date;
  readonly missingSince: Date | null;
  /** Another transaction is credited in its place, and the chain has yet to decide between the two. */
  readonly superseded: boolean;
  /** The merchant's own movement: recorded, and no payment. */
  readonly own: boolean;
  /** In a block from before the payment had the address. */
  readonly beforeIssue: boolean;
}

export interface DetailSettlement {
  readonly network: string;
  readonly networkName: string;
  readonly asset: string;
  readonly received: CryptoAmount;
  /** Nothing where it was less than a unit of the quoted precision. */
  readonly excess: CryptoAmount;
  /** As of the quote. */
  readonly price: Price | null;
  readonly fiatMinor: bigint;
  readonly txids: readonly string[];
  readonly acceptedBy: string | null;
  readonly acceptReason: string | null;
  readonly at: Date;
}

/** All that is known of one payment, for the page that explains it. */
export interface PaymentDetail {
  /** Byte for byte what the API answers. */
  readonly intent: IntentWithPayment;
  readonly amountMinor: bigint;
  readonly orderKey: string | null;
  readonly inReview: ReviewReason | null;
  readonly transitions: readonly DetailTransition[];
  readonly quotes: readonly DetailQuote[];
  readonly transfers: readonly DetailTransfer[];
  readonly settlement: DetailSettlement | null;
  readonly decisions: readonly ReviewDecision[];
  /** Every version that the buyer left, oldest first. All unverified. */
  readonly refundRequests: readonly RefundRequest[];
}

/** What a merchant's home shows of the last days. Days are UTC. */
export interface PaymentSummary {
  readonly from: Date;
  readonly days: readonly PaymentDay[];
  /** Per currency, of payments settled in the period. */
  readonly settled: readonly {
    readonly currency: Currency;
    readonly minor: bigint;
    readonly count: number;
  }[];
  /** Of the intents created in the period. */
  readonly created: number;
  readonly createdAndSettled: number;
  /** Seconds from creation to settlement, median of the newest thousand that are settled; `null` without any. */
  readonly medianSettleS: number | null;
  /** Whether the merchant ever had a settled payment. */
  readonly everSettled: boolean;
}

export interface PaymentDay {
  /** "2026-11-21" */
  readonly day: string;
  readonly minorByCurrency: Readonly<Partial<Record<Currency, bigint>>>;
  readonly count: number;
}

/** What waits, and for how long its oldest has. */
export interface Backlog {
  readonly count: number;
  /** 0 when nothing waits. */
  readonly oldestAgeS: number;
}

/** What was settled in one currency. */
export interface Turnover {
  readonly currency: Currency;
  readonly minor: bigint;
  readonly count: number;
}
