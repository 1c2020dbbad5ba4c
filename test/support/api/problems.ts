import type { ProblemSlug } from '../../../src/kernel/domain-error.js';
import { PROBLEM_TYPES } from '../../../src/modules/site/problems.types.js';
import type { Answer, AnyBody } from './api.js';

/** These fields, and `errors` where there are some: nothing else may be in a problem. */
const FIELDS = ['type', 'title', 'status', 'detail', 'traceId', 'code', 'instance'];

/** Holds an answer to everything that is true of every problem document, and to this slug. */
export function expectProblem(answer: Answer<AnyBody>, slug: ProblemSlug): void {
  const { status, title } = PROBLEM_TYPES[slug];
  const { body, headers } = answer;
  // First what tells most when it fails.
  expect({ status: answer.status, code: body.code }).toEqual({ status, code: slug });
  expect(headers.get('content-type')).toBe('application/problem+json');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(Object.keys(body).filter((field) => field !== 'errors')).toEqual(FIELDS);
  expect(body).toMatchObject({ title, status });
  expect(body.type).toMatch(new RegExp(`^https?://[^/]+/problems/${slug}$`));
  expect(body.detail).not.toBe('');
  expect(body.traceId).toMatch(/^(?!0{32})[0-9a-f]{32}$/);
  expect(body.traceId).toBe(headers.get('x-trace-id'));
}

/** What `errors` names, in the order of the names: "/amount invalid_amount" for a body, "page …" for a query. */
export function placesOf({ body }: Answer<AnyBody>): string[] {
  return (body.errors ?? []).map(({ pointer, parameter, code }) => `${pointer ?? parameter} ${code}`).sort();
}
