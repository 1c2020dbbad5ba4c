/** What a `code` in `errors` of a problem says, for programs that branch on it. Codes are added, never renamed. */
export const FIELD_CODES = {
  required: 'the field must be there',
  wrong_type: 'a value of another JSON type',
  wrong_length: 'a text that is too short or too long',
  not_allowed: 'none of the listed values',
  invalid_amount: 'not positive, more than 2 decimals, or above 999,999.99',
  invalid_url:
    'not an absolute https URL in ASCII, above 500 characters, with user information, or with a parameter that is appended to it (service_intent, status)',
  invalid_time: 'not a time of ISO 8601',
  out_of_range: 'not a whole number within the limits',
  invalid_value: 'wrong in another way: the detail says how',
  unknown_event: 'no event of this merchant has this id',
  unknown_field: 'a field that the body does not have',
  unknown_parameter: 'a parameter that the query does not have',
  duplicate_field: 'a name that stands more than once',
} as const;

export type FieldCode = keyof typeof FIELD_CODES;
