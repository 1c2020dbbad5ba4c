import { ValidateBy, type ValidationArguments } from 'class-validator';
import { type FiatError, parseFiat } from '../../../../kernel/fiat.js';
import { isId } from '../../../../kernel/ids.js';
import { isIntentStatus } from '../../../../kernel/intent-status.js';
import { characterCount } from '../../../../kernel/text/character-count.js';
import type { FieldCode } from '../../../../platform/http/input/field-codes.js';
import type { ConstraintContext } from '../../../../platform/http/input/validation.js';
import { returnUrlFlaw } from '../../domain/return-url.js';
import type { IntentFieldCode } from '../field-codes.http.js';

/** Any text without NUL; half of a surrogate pair is refused too, which no pattern can say. */
export const ANY_TEXT = '^[^\\u0000]*$';

/** What `errors` calls whatever breaks the constraint. */
function told(code: FieldCode | IntentFieldCode): { context: ConstraintContext } {
  return { context: { code } };
}

const FIAT_MESSAGES: Readonly<Record<FiatError, string>> = {
  not_a_number: 'amount must be a JSON number.',
  not_positive: 'amount must be greater than 0.',
  too_many_decimals: 'amount has at most two decimals; it is never rounded.',
  too_large: 'amount is at most 999999.99.',
};

export function IsFiatAmount(): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isFiatAmount',
      validator: {
        validate: (value: unknown) => typeof parseFiat(value) === 'bigint',
        defaultMessage: (args?: ValidationArguments) => {
          const error = parseFiat(args?.value);
          return typeof error === 'bigint' ? '' : FIAT_MESSAGES[error];
        },
      },
    },
    told('invalid_amount'),
  );
}

/** Counted in code points, as PostgreSQL does; class-validator's own `Length` skips variation selectors. */
export function HasLength(min: number, max: number): PropertyDecorator {
  return ValidateBy({
    name: 'isLength',
    validator: {
      validate: (value: unknown) => {
        const length = typeof value === 'string' ? characterCount(value) : -1;
        return length >= min && length <= max;
      },
      defaultMessage: (args?: ValidationArguments) => `${args?.property} has ${min} to ${max} characters.`,
    },
  });
}

/** In a query: of a body this is checked before any field is looked at. */
export function HasNoNul(): PropertyDecorator {
  return ValidateBy({
    name: 'hasNoNul',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && !value.includes('\0'),
      defaultMessage: (args?: ValidationArguments) => `${args?.property} holds a NUL character.`,
    },
  });
}

export function IsReturnUrl(): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isReturnUrl',
      validator: {
        validate: (value: unknown) => typeof value === 'string' && returnUrlFlaw(value) === null,
        defaultMessage: (args?: ValidationArguments) =>
          `returnUrl ${typeof args?.value === 'string' ? returnUrlFlaw(args.value) : 'must be a string'}.`,
      },
    },
    told('invalid_url'),
  );
}

/** What `toInteger` made a number. */
export function IsQueryInteger(min: number, max: number): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isQueryInteger',
      validator: {
        validate: (value: unknown) => typeof value === 'number' && value >= min && value <= max,
        defaultMessage: (args?: ValidationArguments) =>
          `${args?.property} must be one whole number from ${min} to ${max}.`,
      },
    },
    told('out_of_range'),
  );
}

export const UNKNOWN_EVENT = 'after must be the id of an event of yours.';

/** One that could be an event's; whether it is, and whose, the log knows. */
export function IsEventId(): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isEventId',
      validator: {
        validate: (value: unknown) => typeof value === 'string' && isId('evt', value),
        defaultMessage: () => UNKNOWN_EVENT,
      },
    },
    told('unknown_event'),
  );
}

/** A list of statuses and of nothing else. */
export function IsStatusFilter(): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isStatusFilter',
      validator: {
        validate: (value: unknown) =>
          Array.isArray(value) && value.every((item) => typeof item === 'string' && isIntentStatus(item)),
        defaultMessage: () =>
          'status must be initiated, pending, confirmed, settled, failed, expired or cancelled; repeat it for several.',
      },
    },
    told('not_allowed'),
  );
}

/** What `toInstant` made a time. */
export function IsInstant(): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isInstant',
      validator: {
        validate: (value: unknown) => value instanceof Date,
        defaultMessage: (args?: ValidationArguments) =>
          `${args?.property} must be one ISO 8601 time with offset, such as 2026-01-31T12:00:00Z.`,
      },
    },
    told('invalid_time'),
  );
}
