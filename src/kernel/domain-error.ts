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

/** What a program may branch on: each has a page at /problems/<slug>, written in `modules/site/problems.types`. */
export type ProblemSlug =
  | 'validation-error'
  | 'malformed-json'
  | 'bad-request'
  | 'invalid-api-key'
  | 'merchant-not-approved'
  | 'insufficient-scope'
  | 'https-required'
  | 'cross-origin-request'
  | 'not-permitted'
  | 'not-found'
  | 'intent-not-found'
  | 'merchant-not-found'
  | 'method-not-allowed'
  | 'not-acceptable'
  | 'request-timeout'
  | 'conflict'
  | 'payload-too-large'
  | 'uri-too-long'
  | 'unsupported-media-type'
  | 'misdirected-request'
  | 'rate-limit-exceeded'
  | 'headers-too-large'
  | 'internal-error'
  | 'unavailable';

/** Refusals that only people meet, in the dashboard or at the command line; HTTP answers the slug of their kind. */
export type StaffCode =
  | 'address-named'
  | 'collecting-failed'
  | 'deployment-failed'
  | 'index-behind'
  | 'invalid-height'
  | 'invalid-destination'
  | 'invalid-extended-key'
  | 'invalid-index'
  | 'invalid-own-address'
  | 'invalid-webhook-events'
  | 'invalid-webhook-url'
  | 'no-deposit-addresses'
  | 'network-unavailable'
  | 'no-key-wallet'
  | 'no-own-address'
  | 'no-wallet'
  | 'not-halted'
  | 'not-on-the-chain'
  | 'own-address-in-use'
  | 'private-key-refused'
  | 'too-many-webhook-endpoints'
  | 'unknown-network'
  | 'wallet-key-in-use'
  | 'wallet-unsearched'
  | 'webhook-delivery-not-found'
  | 'webhook-endpoint-not-found'
  | 'webhook-not-redelivered'
  | 'webhook-test-under-way';

export type ErrorCode = ProblemSlug | StaffCode;

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

/** A refusal with a code that callers may branch on, and a sentence for people. */
export class DomainError extends Error {
  override readonly name = 'DomainError';

  constructor(
    readonly kind: ErrorKind,
    readonly code: ErrorCode,
    message: string,
    readonly details: ErrorDetails = {},
  ) {
    super(message);
  }
}

/** That there is nothing of this name, or not for whoever asks. */
export function notFound(detail: string, code: ErrorCode = 'not-found'): DomainError {
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
