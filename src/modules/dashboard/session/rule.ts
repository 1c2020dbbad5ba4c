import type { Permission } from '../../accounts/accounts.types.js';

export const RULE = Symbol('dashboard rule');

export interface Rule {
  /** `null`: everybody, signed in or not. */
  readonly permission: Permission | null;
  readonly fresh: boolean;
  /** Why a POST leaves no entry in the audit log; `null`: it leaves one that names who it was. */
  readonly unrecorded: string | null;
}
