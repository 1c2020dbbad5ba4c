/** What a merchant asks for who wants 10 CHF, and nothing else. */
export const ORDER = {
  amountMinor: 1000n,
  currency: 'CHF',
  title: null,
  idempotencyKey: null,
  returnUrl: null,
} as const;
