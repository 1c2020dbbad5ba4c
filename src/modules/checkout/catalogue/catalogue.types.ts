import type { PageState } from '../page-states.types.js';

/** The languages of the checkout, by their ISO 639 codes. */
export type Language = 'en' | 'de' | 'fr' | 'it' | 'rm';

/** What a state says, in the order that a worried person asks: what happened, what next, what do I do. */
export interface Message {
  readonly title: string;
  readonly happened: string;
  readonly next: string;
  readonly todo: string;
}

/** Everything that sentences may name, formatted. What a state does not have is an empty string. */
export interface MessageFacts {
  readonly merchant: string;
  readonly asset: string;
  readonly network: string;
  readonly due: string;
  readonly received: string;
  /** "50 of 56.1234 USDC". */
  readonly receivedOf: string;
  readonly missing: string;
  readonly excess: string;
  /** The first transfer that was not asked for: "25 USDC on Polygon". */
  readonly other: string;
  /** The first transfer that is not final yet. */
  readonly coming: string;
  /** All that is here: "50 USDC on Ethereum and 25 USDC on Polygon". */
  readonly arrived: string;
  /** "Alpine Coffee has sent 20 of 50 USDC back to you.", a sentence. */
  readonly sentBack: string;
  /** What it has decided to send back, and is not final: "30 of 50 USDC". */
  readonly underWay: string;
  /** When to stop sending, and when the window ends. */
  readonly sendBefore: string;
  readonly closesAt: string;
  /** "about 2 minutes". */
  readonly settleTime: string;
  /** "1 of 3 confirmations", or what else is awaited. */
  readonly depth: string;
}

export type StateMessage =
  | PageState
  | 'seen-mempool' // seen, and in no block yet
  | 'withheld' // a transfer of the completion has left the chain for now
  | 'settled-over' // more than was asked, and nothing of that may be asked back here
  | 'settled-over-offered' // more than was asked, and the buyer may say where it should go
  | 'settled-over-asked' // more than was asked, and the buyer has said where it should go
  | 'settled-refunding' // more than was asked, and the merchant has decided to send some of that back
  | 'settled-part-refunded' // more than was asked, and not all of that is sent back
  | 'settled-refunded' // more than was asked, and all of that is sent back
  | 'settled-undone' // what settled it has left the chain for now
  | 'settled-accepted' // less than was asked, or late, and the merchant accepted it
  | 'expired-late' // complete, but after the window
  | 'expired-other' // something arrived, but nothing of what was asked
  | 'refunding' // the merchant has decided to send money back, and none of it is final
  | 'part-refunded' // not all of the money is sent back
  | 'refunded' // all of it is
  | 'dismissed' // the merchant closed the case without settling
  | 'confirm-cancel'
  | 'refund'
  | 'change';

export type Notice =
  | 'option-closed'
  | 'too-late'
  | 'cannot-switch'
  | 'cannot-cancel'
  | 'refund-stored'
  | 'refund-decided'
  | 'refund-too-often';

/** Why a refund address was not kept; said beside the field. */
export type RefundFlaw = 'address-wrong' | 'address-ours' | 'note-too-long';

/** What the pages say that are about no payment. */
export type PageError = 'notFound' | 'error' | 'refused' | 'tooMany';
