import type { CryptoAmount, Price } from '../../kernel/crypto-amount.js';
import type { Currency } from '../../kernel/fiat.js';
import type { IntentStatus } from '../../kernel/intent-status.js';
import type { Forwarded } from '../chains/chains.types.js';
import type { TransferCall } from '../chains/outgoing.types.js';
import type { Face } from '../merchants/merchants.types.js';

/** Why an option cannot be picked now. The page says it in words. */
export type ClosedReason = 'no_rate' | 'network_unavailable' | 'wallet_unsearched' | 'below_minimum';

/** One way to pay, as the checkout offers it. */
export interface PaymentOption {
  readonly network: string;
  readonly networkName: string;
  readonly asset: string;
  /** What would be charged now; `null` when it cannot be said. */
  readonly amount: CryptoAmount | null;
  /** Seconds from sending to `settled`, for this much money. */
  readonly expectedSettleS: number;
  /** About what sending costs, in minor units of the intent's currency; `null` when it cannot be said. */
  readonly feeMinor: bigint | null;
  readonly closed: ClosedReason | null;
}

export type CheckoutTransferState = 'mempool' | 'included' | 'missing';

export interface CheckoutTransfer {
  readonly txid: string;
  readonly network: string;
  /** The id again, for a network that is no longer configured. */
  readonly networkName: string;
  readonly asset: string;
  /** `null` in an asset of which nobody knows the decimals. */
  readonly amount: CryptoAmount | null;
  readonly state: CheckoutTransferState;
  /** Blocks on top of it, itself included; 0 while it is in no block. */
  readonly confirmations: number;
  /** Deep enough to settle: nothing undoes it any more. */
  readonly final: boolean;
  readonly explorerUrl: string | null;
}

/** The quote that the page is about. */
export interface CheckoutQuote {
  readonly network: string;
  readonly networkName: string;
  readonly asset: string;
  /** Exactly what to send. */
  readonly amount: CryptoAmount;
  /** The whole address as people see it. */
  readonly address: string;
  /** Wallet link with the amount, and one with the address alone. */
  readonly uri: string;
  readonly addressUri: string;
  /** The same as `uri`, for a wallet in the browser; `null` on networks where those do not pay. */
  readonly call: TransferCall | null;
  /** Price of one unit in the intent's currency, spread included; `null` where its row holds none. */
  readonly price: Price | null;
  readonly received: CryptoAmount;
  /** Still to be sent; nothing once complete. Of an ended intent, what it lacks of final money. */
  readonly missing: CryptoAmount;
  /** More than was asked, by a unit of the quoted precision at least; `null` otherwise. */
  readonly excess: CryptoAmount | null;
  readonly complete: boolean;
  /** Newest last. Only transfers of this quote. */
  readonly transfers: readonly CheckoutTransfer[];
  /** Confirmations until `settled`, `null` where the network's own finality is awaited. */
  readonly requiredConfirmations: number | null;
  /** Seconds from sending to `settled`, for "about 2 minutes". */
  readonly expectedSettleS: number;
  /** When the page should stop asking the buyer to send: before `expiresAt` on networks without a mempool. */
  readonly sendBefore: Date;
}

/** Where a buyer would like money back: the words of whoever had the link, and nothing that we checked. */
export interface RefundRequest {
  readonly network: string;
  readonly networkName: string;
  /** With a right checksum, in the network's normal spelling. */
  readonly address: string;
  readonly note: string | null;
  readonly at: Date;
  /** Anyone with the payment's link could have typed it. */
  readonly verified: false;
}

/**
 * How far a refund is, for its buyer; one that was withdrawn is none. `recorded`: by the merchant's word alone, whose books
 * it is in. `unfound`: looked for as long as refunds are. `undone`: final, and its block has left the chain since.
 */
export type CheckoutRefundState = 'asked' | 'sent' | 'seen' | 'final' | 'recorded' | 'unfound' | 'undone';

/** Money that the merchant sends back with its own wallet. */
export interface CheckoutRefund {
  readonly state: CheckoutRefundState;
  /** `null` where it is not known of which asset `typed` is. */
  readonly amount: CryptoAmount | null;
  /** As the merchant wrote it. */
  readonly typed: string;
  /** `null` for one from before refunds named theirs. */
  readonly asset: string | null;
  readonly network: string | null;
  readonly networkName: string | null;
  readonly txid: string | null;
  readonly explorerUrl: string | null;
  /** Since when it is so. */
  readonly at: Date;
}

/** What becomes of an intent's money of one asset that is not its price. */
export interface RefundSum {
  readonly network: string;
  readonly networkName: string;
  readonly asset: string;
  /** Final, or in the books by the merchant's word. */
  readonly returned: CryptoAmount;
  /** Decided, sent or seen, and still looked for. */
  readonly underWay: CryptoAmount;
  /** All that there was to give back, these two included. */
  readonly owed: CryptoAmount;
}

/** What becomes of money that arrived and is no part of the price. */
export interface CheckoutRefunds {
  /** Final money waits for the merchant's decision, in its queue or until the intent ends. */
  readonly open: boolean;
  /** While the intent is open: money is there that could be asked back if it were final. */
  readonly soon: boolean;
  /** Where what may be asked back came, and so where it could be sent back; empty without any. */
  readonly networks: readonly { readonly network: string; readonly networkName: string }[];
  /** Oldest first: the last is the one that stands. */
  readonly requests: readonly RefundRequest[];
  /** All that were not withdrawn, in the order in which they were decided. */
  readonly refunds: readonly CheckoutRefund[];
  /** Of what they are, by network and asset; empty without any. */
  readonly sums: readonly RefundSum[];
  /** When the merchant decided without settling; `null` while it has not. */
  readonly closedAt: Date | null;
}

/** Everything that the hosted checkout shows, with the live status. */
export interface CheckoutIntent {
  readonly id: string;
  readonly status: IntentStatus;
  readonly amountMinor: bigint;
  readonly currency: Currency;
  readonly title: string | null;
  readonly merchant: {
    readonly name: string;
    readonly supportContact: string | null;
    /** False while the merchant is suspended: nothing new can be picked. */
    readonly accepting: boolean;
    readonly face: Face;
  };
  readonly returnUrl: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly confirmedAt: Date | null;
  readonly settledAt: Date | null;
  /** Empty once nothing may be picked any more, and beside a quote that can be paid, unless they were asked for. */
  readonly options: readonly PaymentOption[];
  readonly quote: CheckoutQuote | null;
  /** Whether what is sent to the quote now may come without our seeing it: its network cannot be watched at present. */
  readonly unseen: boolean;
  /** What the quote's address is computed from, where it can pay out to one address alone. */
  readonly forwarded: (Forwarded & { readonly saltOf: string }) | null;
  /** Live transfers that belong to no completion: another asset or an earlier quote's address. */
  readonly otherTransfers: readonly CheckoutTransfer[];
  /** Of a failed intent: what was seen for its quote, and is not there any more. */
  readonly dropped: readonly CheckoutTransfer[];
  /** Whether another asset may still be picked. */
  readonly maySwitch: boolean;
  readonly mayCancel: boolean;
  /** `null` while there is no money that is no part of the price, nor was any. */
  readonly refunds: CheckoutRefunds | null;
  /** Settling waits although a transfer of the completion has left the chain for now. */
  readonly settlingWithheld: boolean;
  /** What settled it is not on the chain as it was: its merchant has been told. */
  readonly settlementUndone: boolean;
  /** The database's clock when this was read. */
  readonly now: Date;
}
