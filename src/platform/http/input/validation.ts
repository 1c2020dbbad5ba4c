import { type PipeTransform, type ValidationError, ValidationPipe } from '@nestjs/common';
import { DomainError, type FieldError } from '../../../kernel/domain-error.js';
import { fieldsOf } from '../../../kernel/error-fields.js';
import { pointer } from './duplicate-names.js';
import type { FieldCode } from './field-codes.js';

type Place = 'body' | 'query';

/** class-validator's constraint names as the codes of `errors`. */
const CODES: Readonly<Record<string, FieldCode>> = {
  isDefined: 'required',
  isString: 'wrong_type',
  isLength: 'wrong_length',
  isIn: 'not_allowed',
};

/** For the `context` of a constraint of our own: the code of what breaks it. One that names none is `invalid_value`. */
export interface ConstraintContext {
  readonly code: string;
}

/** What is wrong elsewhere in a request, by its body: pipes see one part each, and all problems are told at once. */
const beside = new WeakMap<object, readonly FieldError[]>();

export function tellBeside(body: object, errors: readonly FieldError[]): void {
  beside.set(body, errors);
}

export function unknownParameters(query: object): FieldError[] {
  return Object.keys(query).map((key) => unknownField(key, 'query'));
}

export function duplicateField(at: string): FieldError {
  return { pointer: at, code: 'duplicate_field', detail: `${at.slice(1)} stands more than once.` };
}

/**
 * The one validation of input: unknown fields refused, all problems at once, each with a pointer into the body
 * or the name of the query parameter.
 */
export function validation(where: Place): PipeTransform {
  const pipe = new ValidationPipe({
    transform: true,
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: true,
    stopAtFirstError: true,
    validationError: { target: false, value: false },
    exceptionFactory: (found) => invalid(found.map((error) => toFieldError(error, where))),
  });
  return {
    transform: async (value: object, metadata) => {
      const entries = Object.entries(value);
      const unseen = entries.filter(([key]) => isUnseen(key)).map(([key]) => unknownField(key, where));
      const errors = [...(beside.get(value) ?? []), ...unseen];
      try {
        const seen = Object.fromEntries(entries.filter(([key]) => !isUnseen(key)));
        const valid: unknown = await pipe.transform(seen, metadata);
        if (errors.length === 0) return valid;
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        errors.push(...(error.details.errors ?? []));
      }
      throw invalid(errors);
    },
  };
}

/** class-validator does not find these among the unknown: every object has them, or class-transformer drops them. */
function isUnseen(key: string): boolean {
  return key in Object.prototype || key === 'prototype';
}

/** For an endpoint that takes no query parameters: every one is unknown. */
export const noParameters = nothing('query');

/** The same for one whose body has no fields. */
export const noFields = nothing('body');

function nothing(where: Place): PipeTransform {
  return {
    transform: (given: object) => {
      const errors = [
        ...(beside.get(given) ?? []),
        ...Object.keys(given).map((key) => unknownField(key, where)),
      ];
      if (errors.length > 0) throw invalid(errors);
      return given;
    },
  };
}

function invalid(errors: readonly FieldError[]): DomainError {
  const first = errors[0]?.detail ?? 'The input is not valid.';
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more, see errors)` : '';
  return new DomainError('invalid', 'validation-error', first + more, { errors });
}

function toFieldError(error: ValidationError, where: Place): FieldError {
  const [constraint = 'invalid', message = 'is not valid'] = Object.entries(error.constraints ?? {})[0] ?? [];
  if (constraint === 'whitelistValidation') return unknownField(error.property, where);
  const { code } = fieldsOf(error.contexts?.[constraint]);
  return {
    ...placeOf(error.property, where),
    code: typeof code === 'string' ? code : (CODES[constraint] ?? 'invalid_value'),
    detail: message,
  };
}

function unknownField(name: string, where: Place): FieldError {
  const what = where === 'body' ? 'field' : 'parameter';
  return { ...placeOf(name, where), code: `unknown_${what}`, detail: `${name} is not a known ${what}.` };
}

function placeOf(name: string, where: Place): Pick<FieldError, 'pointer' | 'parameter'> {
  if (where === 'query') return { parameter: name };
  return { pointer: pointer([name]) };
}
