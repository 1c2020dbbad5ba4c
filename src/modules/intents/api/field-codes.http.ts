/** What a `code` in `errors` says, beside those that any input has. */
export const INTENT_FIELD_CODES = {
  invalid_amount: 'not positive, more than 2 decimals, or above 999,999.99',
  invalid_url:
    'not an absolute https URL in ASCII, above 500 characters, with user information, or with a parameter that is appended to it (service_intent, status)',
  unknown_event: 'no event of this merchant has this id',
} as const;

export type IntentFieldCode = keyof typeof INTENT_FIELD_CODES;
