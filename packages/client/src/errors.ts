import type { FieldError, Problem } from './types.js';

/** The service answered with a problem. `code` is stable: branch on it, and quote `traceId` to the operator. */
export class RappenProblem extends Error {
  override readonly name = 'RappenProblem';
  readonly code: Problem['code'];
  readonly status: number;
  readonly traceId: string;
  /** A page that explains the problem. */
  readonly type: string;
  /** What is wrong with the input, field by field. */
  readonly errors: readonly FieldError[];

  constructor(readonly problem: Problem) {
    super(`${problem.detail} (${problem.code}, traceId ${problem.traceId})`);
    this.code = problem.code;
    this.status = problem.status;
    this.traceId = problem.traceId;
    this.type = problem.type;
    this.errors = problem.errors ?? [];
  }
}

/**
 * No answer that says what happened: the network failed, or something between us and the service answered. Of a
 * create it is not known whether it took place; ask again with the same idempotency key.
 */
export class RappenUnreachable extends Error {
  override readonly name = 'RappenUnreachable';

  constructor(
    message: string,
    /** Of the last answer, where there was one. */
    readonly status: number | null,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** A webhook that is not ours, was changed on its way, or is too old. Answer 400 and do nothing. */
export class WebhookRefused extends Error {
  override readonly name = 'WebhookRefused';
}
