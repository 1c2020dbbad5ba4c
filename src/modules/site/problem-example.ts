import type { FieldError } from '../../kernel/domain-error.js';
import type { ProblemSlug } from '../../kernel/domain-error.js';
import { EXAMPLE_TRACE_ID } from '../../platform/openapi/header.docs.js';
import { type Problem, toProblem } from '../../platform/problems/problem.js';
import { PROBLEM_TYPES } from './problems.types.js';

/** What a problem looks like: on its page, and in the contract. */
export function problemExample(
  slug: ProblemSlug,
  baseUrl: string,
  instance: string,
  errors?: readonly FieldError[],
): Problem {
  const { status, title, cause } = PROBLEM_TYPES[slug];
  const detail = slug === 'validation-error' ? (errors?.[0]?.detail ?? cause) : cause;
  const listed = slug === 'validation-error' ? errors : undefined;
  return toProblem(
    { slug, status, title, detail, errors: listed, headers: {} },
    baseUrl,
    instance,
    EXAMPLE_TRACE_ID,
  );
}
