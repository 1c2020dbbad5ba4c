import type { PaymentFilter } from '../../../src/modules/intents/payments.types.js';

/** What the list shows before anybody has chosen anything. */
export const EVERY_PAYMENT: PaymentFilter = {
  statuses: null,
  inReview: false,
  createdFrom: null,
  createdTo: null,
  currency: null,
  asset: null,
  network: null,
  amountFromMinor: null,
  amountToMinor: null,
  search: null,
};
