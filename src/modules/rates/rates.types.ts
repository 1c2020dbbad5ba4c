import type { Price } from '../../kernel/crypto-amount.js';
import type { Currency } from '../../kernel/fiat.js';

/** One price source's word, as JSON: so the quote records it. */
export interface RateSource {
  readonly name: string;
  /** Price of one unit in the currency, as a plain decimal. */
  readonly price: string;
  readonly at: string;
  /** Present when the source has no book in this currency and its price was converted from another one. */
  readonly via?: RateConversion;
}

/** How a price came from another book of the same source: `price` × `conversion.price`. */
export interface RateConversion {
  /** "BTC/USD": the book that the source has. */
  readonly pair: string;
  readonly price: string;
  /** The exchange rate between the two currencies, and whose words it rests on. */
  readonly conversion: { readonly pair: string; readonly price: string; readonly sources: readonly string[] };
}

/** The price of one unit of an asset, and what it rests on. */
export interface Rate {
  readonly asset: string;
  readonly currency: Currency;
  /** In as many digits as its text has: what a quote is calculated with is what it records. */
  readonly price: Price;
  /** When the oldest of its sources spoke: a rate is as old as its oldest part. */
  readonly at: Date;
  readonly sources: readonly RateSource[];
}

/** Why a configured source has no part in a rate. */
export type DropReason = 'silent' | 'stale' | 'deviant';

/** What a source last said of a pair, and what became of it. */
export interface SourceHealth {
  readonly name: string;
  /** `used`; `alone` would count, but one source is no rate; or why it has no part. */
  readonly part: 'used' | 'alone' | DropReason;
  /** `null` when it is silent. */
  readonly price: Price | null;
  readonly ageS: number | null;
  /** "BTC/USD" when the price was converted from another book of the source. */
  readonly via: string | null;
}

/** One pair as the operator sees it. */
export interface RateHealth {
  readonly asset: string;
  readonly currency: Currency;
  /** `null`: no rate, the option is closed. */
  readonly price: Price | null;
  readonly ageS: number | null;
  readonly used: readonly string[];
  readonly dropped: readonly { readonly source: string; readonly reason: DropReason }[];
  /** Every configured source. */
  readonly sources: readonly SourceHealth[];
  /** How far the fresh source that is furthest from the median is from it; `null` without a fresh source. */
  readonly deviationBps: number | null;
}
