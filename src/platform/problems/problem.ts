import { HttpException } from '@nestjs/common';
import { DomainError, type ErrorKind, type FieldError } from '../../kernel/domain-error.js';
import { isGivenUp, isUnreachable } from './unreachable.js';
import { isProblemSlug, PROBLEM_TYPES, type ProblemSlug } from './problem-types.js';

/** RFC 9457, with `traceId`, a stable `code`, and `errors` where there are some. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly traceId: string;
  readonly code: string;
  readonly instance: string;
  readonly errors?: readonly FieldError[];
}

export interface Refusal {
  readonly slug: ProblemSlug;
  readonly status: number;
  readonly detail: string;
  readonly errors?: readonly FieldError[];
  readonly headers: Readonly<Record<string, string>>;
}

const SLUG_OF_KIND = {
  invalid: 'validation-error',
  unauthenticated: 'invalid-api-key',
  forbidden: 'insufficient-scope',
  not_found: 'not-found',
  conflict: 'conflict',
  throttled: 'rate-limit-exceeded',
  unavailable: 'unavailable',
  misdirected: 'misdirected-request',
} as const satisfies Record<ErrorKind, ProblemSlug>;

const SLUG_OF_STATUS: Readonly<Record<number, ProblemSlug>> = {
  400: 'bad-request',
  401: 'invalid-api-key',
  404: 'not-found',
  405: 'method-not-allowed',
  406: 'not-acceptable',
  413: 'payload-too-large',
  415: 'unsupported-media-type',
  421: 'misdirected-request',
  429: 'rate-limit-exceeded',
  503: 'unavailable',
};

/**
 * What the client is told about an error. Only a `DomainError` speaks for itself; anything unforeseen becomes a
 * 500 that says nothing but which trace to quote.
 */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof DomainError) {
    const slug = isProblemSlug(error.code) ? error.code : SLUG_OF_KIND[error.kind];
    const { errors, headers = {} } = error.details;
    return { slug, status: PROBLEM_TYPES[slug].status, detail: error.message, errors, headers };
  }
  const isPassing = isUnreachable(error) || isGivenUp(error);
  const slug = isPassing ? 'unavailable' : (SLUG_OF_STATUS[statusOf(error)] ?? 'internal-error');
  const { status, cause } = PROBLEM_TYPES[slug];
  return { slug, status, detail: cause, headers: slug === 'unavailable' ? { 'Retry-After': '5' } : {} };
}

/** The address exists, but not for this method: Nest's router answers 404 to both. */
export function methodNotAllowed(method: string, allowed: readonly string[]): Refusal {
  const detail = `${method} does not work here; ${allowed.join(', ')} do.`;
  return { slug: 'method-not-allowed', status: 405, detail, headers: { Allow: allowed.join(', ') } };
}

export function toProblem(refusal: Refusal, baseUrl: string, instance: string, traceId: string): Problem {
  return {
    type: `${baseUrl}/problems/${refusal.slug}`,
    title: PROBLEM_TYPES[refusal.slug].title,
    status: refusal.status,
    detail: refusal.slug === 'internal-error' ? `Quote this traceId: ${traceId}` : refusal.detail,
    traceId,
    code: refusal.slug,
    instance,
    ...(refusal.errors ? { errors: refusal.errors } : {}),
  };
}

/** PostgreSQL's words for a NUL in a text, and in JSON: no input of ours means one, and nothing was written. */
const UNHOLDABLE_TEXT: ReadonlySet<unknown> = new Set(['22021', '22P05']);

/** Nest's own exceptions, and those of Express' router and parsers, carry a status; nothing else is trusted to. */
function statusOf(error: unknown): number {
  if (error instanceof HttpException) return error.getStatus();
  if (error instanceof URIError) return 400;
  const { status, expose, code } = (error ?? {}) as { status?: unknown; expose?: unknown; code?: unknown };
  if (UNHOLDABLE_TEXT.has(code)) return 400;
  return expose === true && typeof status === 'number' ? status : 500;
}
