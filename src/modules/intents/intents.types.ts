import type { By, Whose } from '../../database/by.js';
import type { Currency } from '../../kernel/fiat.js';
import type { IntentStatus } from '../../kernel/intent-status.js';

/** Whose, which, and who changes it. */
export interface IntentChange<Of extends Whose = Whose> {
  readonly whose: Of;
  readonly id: string;
  readonly by: By;
}

/** The resource, as every answer and event has it. */
export interface PaymentIntent {
  readonly id: string;
  readonly status: IntentStatus;
  readonly amount: number;
  readonly currency: Currency;
  readonly title: string | null;
  readonly assetSymbol: string | null;
  readonly cryptoAmount: string | null;
  readonly depositAddress: string | null;
  readonly checkoutUrl: string;
  readonly returnUrl: string | null;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly confirmedAt: string | null;
  readonly settledAt: string | null;
  /** As it was sent at creation: most merchants send their order's id. */
  readonly idempotencyKey: string | null;
}

/** What arrived for the quote that an intent shows. Eight decimals, `received` rounded down, `missing` up. */
export interface Payment {
  readonly network: string;
  readonly received: string;
  readonly missing: string;
  readonly transfers: readonly {
    readonly txid: string;
    readonly amount: string;
    readonly confirmations: number;
  }[];
}

/** One intent, read by its id. */
export interface IntentWithPayment extends PaymentIntent {
  /** `null` until an asset is picked. */
  readonly payment: Payment | null;
}

export interface PageOf<Item> {
  readonly items: readonly Item[];
  readonly total: number;
  readonly page: number;
  readonly pageSize: number;
}
