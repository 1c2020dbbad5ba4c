/** What a person is to one merchant. */
export const ROLES = ['owner', 'developer', 'reviewer', 'read-only'] as const;
export type Role = (typeof ROLES)[number];

const EVERYBODY = ROLES;

/** Who may do what for a merchant. A route names one of these, and nothing else decides. */
export const MERCHANT_PERMISSIONS = {
  'payments:read': EVERYBODY,
  'alerts:acknowledge': ['owner', 'developer', 'reviewer'],
  'payments:cancel': ['owner', 'developer', 'reviewer'],
  'review:read': EVERYBODY,
  'review:decide': ['owner', 'reviewer'],
  'developers:read': ['owner', 'developer', 'read-only'],
  'keys:manage': ['owner', 'developer'],
  'webhooks:manage': ['owner', 'developer'],
  'settings:read': EVERYBODY,
  'settings:manage': ['owner'],
  'wallets:manage': ['owner'],
  'people:manage': ['owner'],
  'audit:read': ['owner'],
} as const satisfies Record<string, readonly Role[]>;

export type MerchantPermission = keyof typeof MERCHANT_PERMISSIONS;

/** `self`: one's own account, for everybody who is signed in. `operator`: the instance, whatever the role anywhere. */
export type Permission = MerchantPermission | 'self' | 'operator';

export function isMerchantPermission(permission: Permission): permission is MerchantPermission {
  return permission in MERCHANT_PERMISSIONS;
}

export interface Membership {
  readonly merchantId: string;
  readonly merchantName: string;
  readonly role: Role;
}

/** Somebody who is signed in, as decided for one request: nothing of it is kept for the next. */
export interface SignedIn {
  readonly sessionId: string;
  readonly personId: string;
  readonly email: string;
  readonly isOperator: boolean;
  readonly memberships: readonly Membership[];
  /** The merchant that is looked at; `null` for a person without any. */
  readonly membership: Membership | null;
  /** Proved who they are within the last ten minutes. */
  readonly isFresh: boolean;
  /** What every form of this session carries. */
  readonly csrfToken: string;
  readonly hasTotp: boolean;
  readonly hasPasskey: boolean;
}

export function may(who: Pick<SignedIn, 'isOperator' | 'membership'>, permission: Permission): boolean {
  if (permission === 'self') return true;
  if (permission === 'operator') return who.isOperator;
  const roles: readonly Role[] = MERCHANT_PERMISSIONS[permission];
  return who.membership !== null && roles.includes(who.membership.role);
}

/** Who does something that the audit log records. */
export interface Actor {
  /** An e-mail address, `cli`, or `rule:<name>`. */
  readonly name: string;
  readonly personId: string | null;
  readonly address: string | null;
}

export const CLI_ACTOR: Actor = { name: 'cli', personId: null, address: null };

/** Where a request came from, as lists of sessions and the audit log show it. */
export interface Origin {
  readonly address: string;
  readonly userAgent: string;
}

export interface AuditEntry {
  readonly id: string;
  readonly at: Date;
  readonly actor: string;
  readonly merchantId: string | null;
  readonly action: string;
  readonly subject: string;
  readonly detail: Readonly<Record<string, unknown>>;
  readonly address: string | null;
}

/** Of a log: only what one person did, only one kind of action; `null` for all. */
export interface AuditFilter {
  readonly actor: string | null;
  readonly action: string | null;
}

export interface SessionView {
  readonly id: string;
  readonly address: string;
  readonly userAgent: string;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
}

export interface PasskeyView {
  readonly id: string;
  readonly label: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

export interface PersonView {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly hasSecondFactor: boolean;
  readonly lastSeenAt: Date | null;
  /** `null` for never. */
  readonly lastSignInAt: Date | null;
}

/** What a one-time link offers to whoever holds it. */
export interface LinkOffer {
  readonly kind: 'invitation' | 'reset';
  readonly email: string;
  readonly merchantName: string | null;
  readonly role: Role | null;
  readonly isOperator: boolean;
  /** Somebody who has a password keeps it when invited. */
  readonly needsPassword: boolean;
}
