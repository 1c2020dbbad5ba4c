import type { FieldError } from '../../kernel/domain-error.js';
import { toProblem, type Problem } from './problem.js';
import { PROBLEM_TYPES, type ProblemSlug } from './problem-types.js';

export const EXAMPLE_TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';

/** What a problem looks like: on its page, and in the contract. */
export function problemExample(
  slug: ProblemSlug,
  baseUrl: string,
  instance: string,
  errors?: readonly FieldError[],
): Problem {
  const { status, cause } = PROBLEM_TYPES[slug];
  const detail = slug === 'validation-error' ? (errors?.[0]?.detail ?? cause) : cause;
  const listed = slug === 'validation-error' ? errors : undefined;
  return toProblem(
    { slug, status, detail, errors: listed, headers: {} },
    baseUrl,
    instance,
    EXAMPLE_TRACE_ID,
  );
}
