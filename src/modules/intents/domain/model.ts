import type { Depth, DepthTiers, Family } from '../../../config/config.types.js';
import type { Currency } from '../../../kernel/fiat.js';
import type { IntentStatus } from '../../../kernel/intent-status.js';
import type { RateSource } from '../../rates/rates.types.js';

/** An intent as it is stored. */
export interface Intent {
  readonly id: string;
  readonly merchantId: string;
  readonly status: IntentStatus;
  readonly amountMinor: bigint;
  readonly currency: Currency;
  readonly title: string | null;
  readonly idempotencyKey: string | null;
  readonly returnUrl: string | null;
  /** The quote that the API and the page show: the latest pick, the first paid, for good the completed one. */
  readonly quoteId: string | null;
  /** Of its latest event. */
  readonly sequence: number;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** When one quote's counting transfers reached its threshold; inside the window it can be lost again. */
  readonly completedAt: Date | null;
  readonly confirmedAt: Date | null;
  readonly settledAt: Date | null;
}

/** One choice of an asset, with every rule of its judgement as it was when the buyer picked. */
export interface Quote {
  readonly id: string;
  readonly intentId: string;
  readonly network: string;
  readonly asset: string;
  readonly decimals: number;
  readonly amountAtoms: bigint;
  readonly family: Family;
  readonly address: string;
  readonly watchedAddress: string;
  readonly price: string;
  readonly rateSources: readonly RateSource[];
  readonly rateAt: Date;
  readonly spreadBps: number;
  readonly toleranceBps: number;
  readonly confirmationDepth: Depth;
  readonly settlementDepth: Depth;
  /** For money beyond the price, by its worth; `null` for quotes from before they were kept. */
  readonly settlementDepths: DepthTiers | null;
  readonly createdAt: Date;
}
