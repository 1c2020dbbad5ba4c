import { HttpException } from '@nestjs/common';
import {
  DomainError,
  type ErrorCode,
  type ErrorKind,
  type FieldError,
  type ProblemSlug,
} from '../../kernel/domain-error.js';
import { fieldsOf } from '../../kernel/error-fields.js';
import type { ProblemTypes } from './problem-types.js';
import { isGivenUp, isUnreachable } from './unreachable.js';

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

export interface RefusedRequest {
  readonly slug: ProblemSlug;
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly errors?: readonly FieldError[];
  readonly headers: Readonly<Record<string, string>>;
}

const SLUG_OF_KIND = {
  invalid: 'validation-error',
  not_found: 'not-found',
  conflict: 'conflict',
  throttled: 'rate-limit-exceeded',
  unavailable: 'unavailable',
  misdirected: 'misdirected-request',
} as const satisfies Partial<Record<ErrorKind, ProblemSlug>>;

const SLUG_OF_STATUS: Readonly<Record<number, ProblemSlug>> = {
  400: 'bad-request',
  404: 'not-found',
  405: 'method-not-allowed',
  406: 'not-acceptable',
  413: 'payload-too-large',
  415: 'unsupported-media-type',
  421: 'misdirected-request',
  429: 'rate-limit-exceeded',
  503: 'unavailable',
};

/** Tells of errors in the words of the service's table. */
export class Problems {
  private readonly slugOfKind: Readonly<Record<ErrorKind, ProblemSlug>>;
  private readonly slugOfStatus: Readonly<Record<number, ProblemSlug>>;

  constructor(private readonly problems: ProblemTypes) {
    this.slugOfKind = { ...SLUG_OF_KIND, ...problems.ofKind };
    this.slugOfStatus = { ...SLUG_OF_STATUS, 401: problems.ofKind.unauthenticated };
  }

  /**
   * What the client is told about an error. Only a `DomainError` speaks for itself; anything unforeseen becomes a
   * 500 that says nothing but which trace to quote.
   */
  refusalOf(error: unknown): RefusedRequest {
    if (error instanceof DomainError) {
      const { errors, headers = {} } = error.details;
      const slug = this.isSlug(error.code) ? error.code : this.slugOfKind[error.kind];
      return { ...this.plain(slug), detail: error.message, errors, headers };
    }
    const isPassing = isUnreachable(error) || isGivenUp(error);
    const slug = isPassing ? 'unavailable' : (this.slugOfStatus[statusOf(error)] ?? 'internal-error');
    const refusal = this.plain(slug);
    return slug === 'unavailable' ? { ...refusal, headers: { 'Retry-After': '5' } } : refusal;
  }

  /** The address exists, but not for this method: Nest's router answers 404 to both. */
  methodNotAllowed(method: string, allowed: readonly string[]): RefusedRequest {
    const detail = `${method} does not work here; ${allowed.join(', ')} do.`;
    return { ...this.plain('method-not-allowed'), detail, headers: { Allow: allowed.join(', ') } };
  }

  /** With nothing to say of this very request. */
  plain(slug: ProblemSlug): RefusedRequest {
    const { status, title, cause } = this.problems.types[slug];
    return { slug, status, title, detail: cause, headers: {} };
  }

  private isSlug(code: ErrorCode): code is ProblemSlug {
    return Object.hasOwn(this.problems.types, code);
  }
}

export function toProblem(
  refusal: RefusedRequest,
  baseUrl: string,
  instance: string,
  traceId: string,
): Problem {
  return {
    type: `${baseUrl}/problems/${refusal.slug}`,
    title: refusal.title,
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
  const { status, expose, code } = fieldsOf(error);
  if (UNHOLDABLE_TEXT.has(code)) return 400;
  return expose === true && typeof status === 'number' ? status : 500;
}
