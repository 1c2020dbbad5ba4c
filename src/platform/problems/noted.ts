import type { Response } from 'express';

const slugs = new WeakMap<Response, string>();

/** For whoever logs the answer: which problem it was. */
export function noteProblem(response: Response, slug: string): void {
  slugs.set(response, slug);
}

/** `null` for an answer that is no problem. */
export function problemOf(response: Response): string | null {
  return slugs.get(response) ?? null;
}
