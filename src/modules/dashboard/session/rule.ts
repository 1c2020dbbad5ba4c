import type { Permission } from '../../accounts/accounts.types.js';

export const RULE = Symbol('dashboard-rule');

export interface Rule {
  /** `null`: everybody, signed in or not. */
  readonly permission: Permission | null;
  readonly fresh: boolean;
  /** Whether its form may hold a file. */
  readonly upload: boolean;
}
