/**
 * What a `code` in `errors` of a problem says, for programs that branch on it. Codes are added, never renamed. Modules
 * have their own beside these.
 */
export const FIELD_CODES = {
  required: 'the field must be there',
  wrong_type: 'a value of another JSON type',
  wrong_length: 'a text that is too short or too long',
  not_allowed: 'none of the listed values',
  invalid_time: 'not a time of ISO 8601',
  out_of_range: 'not a whole number within the limits',
  invalid_value: 'wrong in another way: the detail says how',
  unknown_field: 'a field that the body does not have',
  unknown_parameter: 'a parameter that the query does not have',
  duplicate_field: 'a name that stands more than once',
} as const;

export type FieldCode = keyof typeof FIELD_CODES;
