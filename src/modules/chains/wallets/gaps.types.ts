import type { Family } from '../../../config/config.types.js';

/** How many addresses wallets look at behind the last that was paid, unless their owner says more (BIP44). */
export const GAP_LIMIT = 20;

/** From here on its owner is told, while there is time: five more buyers may look before a wallet shows nothing. */
export const GAP_ALARM = 15;

/** A key in use, and how many of its latest addresses nobody has paid. */
export interface KeyGap {
  readonly id: string;
  readonly merchantId: string;
  readonly family: Family;
  /** As lists of keys show it. */
  readonly hint: string;
  readonly unused: number;
}
