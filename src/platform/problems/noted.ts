import type { Response } from 'express';
import type { ProblemSlug } from './problem-types.js';

const PROBLEM = Symbol('problem');
type Noted = Response & { [PROBLEM]?: ProblemSlug };

/** For whoever logs the answer: which problem it was. */
export function noteProblem(response: Response, slug: ProblemSlug): void {
  (response as Noted)[PROBLEM] = slug;
}

/** `null` for an answer that is no problem. */
export function problemOf(response: Response): ProblemSlug | null {
  return (response as Noted)[PROBLEM] ?? null;
}
