import type { ProblemSlug } from '../../kernel/domain-error.js';

/** A kind of problem as its page explains it: what happened, what to do, what it looks like. */
export interface ProblemType {
  readonly status: number;
  readonly title: string;
  readonly cause: string;
  readonly fix: string;
}

/** Every problem that the service answers with, in the words of its documentation: given at composition. */
export interface ProblemTypes {
  readonly types: Readonly<Record<ProblemSlug, ProblemType>>;
  /** The slugs of what says only that it is of this kind: who is let in is not the platform's to say. */
  readonly ofKind: Readonly<Record<'unauthenticated' | 'forbidden', ProblemSlug>>;
}
