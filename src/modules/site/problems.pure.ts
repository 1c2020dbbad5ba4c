import { PROBLEM_TYPES, type ProblemSlug } from './problems.types.js';

export function isProblemSlug(text: string): text is ProblemSlug {
  return Object.hasOwn(PROBLEM_TYPES, text);
}
