import type { Response } from 'express';

const PROBLEM = Symbol('problem');
type Noted = Response & { [PROBLEM]?: string };

/** For whoever logs the answer: which problem it was. */
export function noteProblem(response: Response, slug: string): void {
  (response as Noted)[PROBLEM] = slug;
}

/** `null` for an answer that is no problem. */
export function problemOf(response: Response): string | null {
  return (response as Noted)[PROBLEM] ?? null;
}
