import type { ProblemTypes } from './problems/problem-types.js';
import type { SealedColumns } from './secrets/sealed-columns.js';

/** What the application tells the platform of the modules that it carries. */
export interface Product {
  readonly problems: ProblemTypes;
  /** What modules note in the security log. */
  readonly securityEvents: readonly string[];
  /** All that modules seal. */
  readonly sealed: readonly SealedColumns[];
}
