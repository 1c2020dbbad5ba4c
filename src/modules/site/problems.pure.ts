import type { ProblemSlug } from '../../kernel/domain-error.js';
import { PROBLEM_TYPES } from './problems.types.js';

export function isProblemSlug(text: string): text is ProblemSlug {
  return Object.hasOwn(PROBLEM_TYPES, text);
}
