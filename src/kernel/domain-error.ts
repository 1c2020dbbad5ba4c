/** What kind of refusal it is; the platform maps each kind to one HTTP status. */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'throttled'
  | 'unavailable'
  | 'misdirected';

/** One thing that is wrong with the input. `pointer` for bodies (RFC 6901), `parameter` for queries. */
export interface FieldError {
  readonly pointer?: string;
  readonly parameter?: string;
  readonly code: string;
  readonly detail: string;
}

export interface ErrorDetails {
  readonly errors?: readonly FieldError[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** A refusal with a stable slug that callers may branch on, and a sentence for people. */
export class DomainError extends Error {
  override readonly name = 'DomainError';

  constructor(
    readonly kind: ErrorKind,
    readonly code: string,
    message: string,
    readonly details: ErrorDetails = {},
  ) {
    super(message);
  }
}

/** That there is nothing of this name, or not for whoever asks. */
export function notFound(detail: string, code = 'not-found'): DomainError {
  return new DomainError('not_found', code, detail);
}

/**
 * A refusal of one field, which forms say beside it.
 * @param field by the name that forms and programs give it: "email"
 */
export function wrongField(field: string, detail: string, code = 'invalid'): DomainError {
  return new DomainError('invalid', 'validation-error', detail, about(field, detail, code));
}

/** That a refusal of any kind is about one field. */
export function about(field: string, detail: string, code = 'invalid'): ErrorDetails {
  return { errors: [{ pointer: `/${field}`, code, detail }] };
}
