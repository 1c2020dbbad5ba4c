import type { Whose } from '../../database/by.js';
import type { Language } from '../../kernel/text/staff-languages.js';

/**
 * What somebody must hear of: words joined by hyphens, which the database checks. docs/operations.md has who hears of each,
 * and when it is over.
 */
export const ALERT_KINDS = [
  /** An intent that is over has money that the merchant must decide about. */
  'review-entry',
  /** Money that settled a payment has left the chain. */
  'reorganised-after-settlement',
  /** An endpoint failed for so long that nothing is sent to it any more. */
  'webhook-endpoint-disabled',
  /** An extended key has given out nearly as many addresses in a row, unpaid, as wallets look at. */
  'wallet-gap',
  /** A refund was looked for in vain, and is not looked for any more. */
  'refund-unfound',
  /** A final refund has left the chain. */
  'refund-undone',
  /** A refund was paid twice, or after it was withdrawn. */
  'refund-paid-again',
  /** More was refunded than is there: money that was sent back has left the chain. */
  'refund-beyond-money',
  /** A network is not offered because we cannot see what happens on it. */
  'network-unavailable',
  /** A network shares no block with its node and waits for the operator. */
  'network-halted',
  /** No block of a network becomes final any more, so what waits for that waits in vain. */
  'finality-stalled',
  /** A network has given up blocks that were held to be final, and payments may have been settled on them. */
  'finality-given-up',
  /** There are more recent addresses on a network than balances are compared of with every block. */
  'coin-unwatched',
  /** Addresses were given out for an asset, or on a network, that is configured no more, so nobody looks for its money. */
  'asset-unwatched',
  /** An asset is not offered because nobody says what it costs. */
  'rates-unavailable',
  /** An intent's facts cannot be judged, and it waits for the operator. */
  'intent-undecidable',
  /** A network's chain holds other money of ours than is recorded. */
  'chain-difference',
  /** No comparison of a network with its chain has come to its end for long. */
  'chain-uncompared',
  /** One payment is taken for refunds of two merchants. */
  'refund-shared',
] as const;

export type AlertKind = (typeof ALERT_KINDS)[number];

/** One trouble of a kind per subject. */
export interface AlertSubject<Kind extends AlertKind = AlertKind> {
  readonly kind: Kind;
  /** What it is about: the id of an intent or an endpoint, a network. */
  readonly subject: string;
}

export interface NewAlert<Kind extends AlertKind = AlertKind> extends AlertSubject<Kind> {
  /** Whom it concerns; `null` is the operator. */
  readonly merchantId: string | null;
  /** One line for a list and a mail's subject. Nothing secret: mail is read on the way. */
  readonly summary: string;
  /** A few calm sentences: what happened, what it means, what to do. */
  readonly detail: string;
  /** The same for programs. */
  readonly data?: Readonly<Record<string, unknown>>;
}

/** How alerts follow a list of what is wrong now. */
export interface Following {
  /** Whether it is to be raised already; one that is not stays as it is, raised or not. Absent: all are. */
  readonly isDue?: (trouble: NewAlert) => boolean;
  /** For how many seconds nobody may have raised what is over: another instance may still see it. Absent: 0. */
  readonly unseenForS?: (gone: AlertSubject) => number;
}

export interface Alert extends Required<NewAlert> {
  readonly id: string;
  readonly raisedAt: Date;
  /** The last time that somebody saw the trouble. */
  readonly lastRaisedAt: Date;
  /** When the trouble was over. */
  readonly resolvedAt: Date | null;
  /** When a person said that they know; it no longer asks for attention. */
  readonly acknowledgedAt: Date | null;
  readonly acknowledgedBy: string | null;
  /** What they said about it. */
  readonly acknowledgedNote: string | null;
  readonly mailedAt: Date | null;
  /** When the operator's webhook took it. */
  readonly postedAt: Date | null;
}

export interface AlertFilter {
  /** `null` is the operator's, absent is everybody's. */
  readonly merchantId?: string | null;
  /** Only those that nobody acknowledged and that are not over. */
  readonly open?: boolean;
  /** From 1. */
  readonly page?: number;
  readonly pageSize?: number;
}

export interface AlertPage {
  readonly items: readonly Alert[];
  readonly total: number;
}

/** A person's word that they know. */
export interface Acknowledgement {
  readonly note: string | null;
  /** Whose alert it must be; `null` is the operator's own. */
  readonly whose: Whose | null;
}

/** What is still to be sent by one way out. */
export interface NoticeBacklog {
  readonly channel: 'mail' | 'webhook';
  readonly count: number;
  /** Since the oldest of them was written. */
  readonly oldestAgeS: number;
}

/** Open alerts of one kind, for the metrics. */
export interface OpenAlerts {
  readonly kind: AlertKind;
  readonly count: number;
  /** Since the oldest of them was raised, by the database's clock. */
  readonly oldestAgeS: number;
}

/** One whom an alert is mailed to. */
export interface AlertReader {
  readonly email: string;
  /** A person of the merchant has it, and it was shown that the mailbox is theirs. */
  readonly isProved: boolean;
}

/** Some of those whom an alert is mailed to, who read one language. */
export interface AlertReaders {
  readonly to: readonly AlertReader[];
  readonly language: Language;
  /** What a service said in English, in that language. */
  readonly told: (text: string) => string;
}

/** Addresses by what they read. @param merchantId whose alerts these are; `null` is the operator */
export type ReadersOf = (
  emails: readonly string[],
  merchantId: string | null,
) => Promise<readonly AlertReaders[]>;

/** Injection token for a `ReadersOf`; who has the languages provides it. */
export const ALERT_READERS = Symbol('ReadersOf');

/** The address of the page that shows what an alert is about. */
export type AlertUrl = (about: AlertSubject) => string;

/** Injection token for an `AlertUrl`; who has the pages provides it. */
export const ALERT_URL = Symbol('AlertUrl');

/** The address of the page that lists alerts. @param merchantId whose; `null` is the operator */
export type AlertListUrl = (merchantId: string | null) => string;

/** Injection token for an `AlertListUrl`; who has the pages provides it. */
export const ALERT_LIST_URL = Symbol('AlertListUrl');
