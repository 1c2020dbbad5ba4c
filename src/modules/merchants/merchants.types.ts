import type { TypedNumber } from '../../kernel/text/typed-number.js';
import type { Terms } from './terms.types.js';

/** `pending` awaits the operator's approval, `suspended` may not create, `closed` is gone for its own clients. */
export const MERCHANT_STATUSES = ['pending', 'approved', 'suspended', 'closed'] as const;
export type MerchantStatus = (typeof MERCHANT_STATUSES)[number];

/** What is accepted from the review queue without a person; 0 is off. */
export interface StandingRules<N extends TypedNumber = number> {
  /** Punctual money that only we saw late. */
  readonly acceptSeenLate: boolean;
  /** Short by at most this, in hundredths of a percent of the quoted amount. */
  readonly acceptShortBps: N;
  /** Short by at most this, in minor units of the intent's currency at the quoted price. */
  readonly acceptShortMinor: N;
  /** Complete but late by at most this … */
  readonly acceptLateMinutes: N;
  /** … while the price moved by less than this, in hundredths of a percent. */
  readonly acceptLateMoveBps: N;
}

/** A logo as it was drawn anew; its bytes are read by their hash. */
export interface Logo {
  /** Of the bytes: 32 hex digits, which are its address. */
  readonly hash: string;
  /** In pixels of the picture, twice what a page shows. */
  readonly width: number;
  readonly height: number;
  /** Drawn in bright ink on nothing: it needs a dark ground. */
  readonly bright: boolean;
}

/** How a merchant looks to its buyers, beside its name. */
export interface Face {
  /** "#rrggbb", in small letters. */
  readonly color: string | null;
  readonly logo: Logo | null;
}

export interface Merchant extends StandingRules, Face {
  readonly id: string;
  readonly name: string;
  readonly status: MerchantStatus;
  readonly supportContact: string | null;
  readonly toleranceBps: number;
  /** Whether somebody has chosen it, be it 0. */
  readonly toleranceChosen: boolean;
  readonly spreadBps: number;
  /** Who is told of alerts by mail; empty for nobody. */
  readonly alertEmails: readonly string[];
  readonly networkTerms: Terms;
  readonly createdAt: Date;
}

/**
 * What `merchant set` may change.
 * @template N `TypedNumber` before they are checked
 */
export interface MerchantSettings<N extends TypedNumber = number> extends Partial<StandingRules<N>> {
  readonly name?: string;
  /** An e-mail address or an https URL. */
  readonly supportContact?: string | null;
  /** How much less than quoted completes a payment, in hundredths of a percent; 1,000 at most. */
  readonly toleranceBps?: N;
  /** Said by whoever chooses 0; another number says it itself. */
  readonly toleranceChosen?: true;
  /** What the rate is worsened by for the buyer, in hundredths of a percent; 1,000 at most. */
  readonly spreadBps?: N;
  /** Ten at most. */
  readonly alertEmails?: string[];
  readonly color?: string | null;
  /** Beside its bytes: `FacesService`. */
  readonly logo?: Logo | null;
  /** Instead of all that there were. */
  readonly networkTerms?: Terms<N>;
}

export interface MerchantFilter {
  /** `null` is any. */
  readonly status: MerchantStatus | null;
  /** An id, or a part of a name whatever its case; `null` is everybody. */
  readonly search: string | null;
}

export interface MerchantPage {
  readonly items: readonly Merchant[];
  readonly total: number;
}
