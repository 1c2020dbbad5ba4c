import type { Language } from '../../kernel/text/staff-languages.js';
import type { SealedColumns } from '../../platform/secrets/sealed-columns.js';
import type { MerchantStatus } from '../merchants/merchants.types.js';

/** What is noted in the security log where people sign in, and of who they are here. */
export const ACCOUNT_SECURITY_EVENTS = [
  'sign-in',
  'sign-in-failed',
  'sign-in-throttled',
  'second-factor-asked',
  'second-factor-missed',
  'dashboard-throttled',
  'account-guessed-at',
  'step-up',
  'role-changed',
  'password-changed',
  'password-reset-offered',
  'factor-changed',
  'invitation',
] as const;

export type AccountSecurityEvent = (typeof ACCOUNT_SECURITY_EVENTS)[number];

export const SEALED_TOTP_SECRETS: SealedColumns = {
  table: 'person',
  columns: ['totp_secret'],
  boundAs: 'totp_secret',
};

/** Those that await their first code, of the session that began it. */
export const SEALED_PENDING_SECRETS: SealedColumns = {
  table: 'session',
  columns: ['pending_totp_secret'],
  boundAs: 'pending_totp_secret',
};

/** What a person is to one merchant. */
export const ROLES = ['owner', 'developer', 'reviewer', 'read-only'] as const;
export type Role = (typeof ROLES)[number];

const EVERYBODY = ROLES;

/** Who may do what for a merchant. A route names one of these, and nothing else decides. */
export const MERCHANT_PERMISSIONS = {
  'payments:read': EVERYBODY,
  'alerts:acknowledge': ['owner', 'developer', 'reviewer'],
  'payments:cancel': ['owner', 'developer', 'reviewer'],
  'views:manage': EVERYBODY,
  'review:read': EVERYBODY,
  'review:accept': ['owner', 'reviewer'],
  'review:decide': ['owner', 'reviewer'],
  'refunds:decide': ['owner', 'reviewer'],
  'developers:read': ['owner', 'developer', 'read-only'],
  'keys:manage': ['owner', 'developer'],
  'webhooks:manage': ['owner', 'developer'],
  'webhooks:send': ['owner', 'developer'],
  'settings:read': EVERYBODY,
  'settings:manage': ['owner'],
  'wallets:manage': ['owner'],
  'people:manage': ['owner'],
  'audit:read': ['owner'],
} as const satisfies Record<string, readonly Role[]>;

export type MerchantPermission = keyof typeof MERCHANT_PERMISSIONS;

/**
 * What a merchant's people may do of this, by how the merchant stands: what their role says, or nothing at all. Suspending
 * stops new payments, not people: what is under way is theirs to decide, to collect and to pay back, and what it was done
 * for theirs to put in order. Of a closed merchant nobody sees anything, from the next request on.
 */
export const STANDING_ALLOWS = {
  pending: 'their role',
  approved: 'their role',
  suspended: 'their role',
  closed: 'nothing',
} as const satisfies Record<MerchantStatus, 'their role' | 'nothing'>;

/**
 * `self`: where one is signed in; `account`: what one signs in with and what one joins; both for everybody who is signed
 * in. `operator`: the instance, whatever the role anywhere; `operator:alerts`: to say that one knows.
 */
export type Permission = MerchantPermission | 'self' | 'account' | 'operator' | 'operator:alerts';

/**
 * What a change under each permission asks for: `proof` of identity within the last ten minutes for whatever moves money
 * or its terms, or lets somebody in; else the `session`. `never`: nothing is changed under it, and a route that would
 * does not start. A new permission does not compile without its line.
 */
export const CHANGES_NEED = {
  'payments:read': 'never',
  'alerts:acknowledge': 'session',
  'payments:cancel': 'session',
  'views:manage': 'session',
  'review:read': 'never',
  'review:accept': 'proof',
  'review:decide': 'session',
  'refunds:decide': 'proof',
  'developers:read': 'never',
  'keys:manage': 'proof',
  'webhooks:manage': 'proof',
  'webhooks:send': 'session',
  'settings:read': 'never',
  'settings:manage': 'proof',
  'wallets:manage': 'proof',
  'people:manage': 'proof',
  'audit:read': 'never',
  self: 'session',
  account: 'proof',
  operator: 'proof',
  'operator:alerts': 'session',
} as const satisfies Record<Permission, 'proof' | 'session' | 'never'>;

export interface Membership {
  readonly merchantId: string;
  readonly merchantName: string;
  readonly role: Role;
}

/** Who somebody has proved to be, and what the account was opened by then (`credentials.sql.ts`). */
export interface Proven {
  readonly personId: string;
  readonly email: string;
  readonly credentials: string;
}

/** Somebody who is signed in, as decided for one request: nothing of it is kept for the next. */
export interface SignedIn {
  readonly sessionId: string;
  readonly personId: string;
  readonly email: string;
  readonly isOperator: boolean;
  /** In which they are written to; `null` before they first came. */
  readonly language: Language | null;
  readonly memberships: readonly Membership[];
  /** The merchant that is looked at; `null` for a person without any. */
  readonly membership: Membership | null;
  /** Proved who they are within the last ten minutes. */
  readonly isFresh: boolean;
  /** What every form of this session carries. */
  readonly csrfToken: string;
  readonly hasTotp: boolean;
  readonly hasPasskey: boolean;
  /** It was shown that the mailbox is theirs, or the operator gave their word for it. */
  readonly isEmailProven: boolean;
  /** Invitations that wait for their answer; 0 while the address is not proved. */
  readonly openInvitations: number;
  /** They said "later" to a second factor within the last days. */
  readonly hasDeclinedFactor: boolean;
}

/** One in which somebody is signed in. */
export interface Browser {
  readonly sessionId: string;
  /** What its long-lived cookie holds; `null` for one without it. */
  readonly device: string | null;
}

/** The session that a change was let in with, and what for. */
export interface ActingSession {
  readonly id: string;
  readonly permission: Permission;
  /** Where it must be had; `null` where it is about no merchant. */
  readonly merchantId: string | null;
}

/** Who does something that the audit log records. */
export interface Actor {
  /** An e-mail address, `cli`, `key:<id>`, or `rule:<name>`. */
  readonly name: string;
  readonly personId: string | null;
  readonly ip: string | null;
  /** In which it is done, where that is one. */
  readonly session?: ActingSession;
  /** Who decided, where `name` is only how it reached us: as whoever was at the command line calls themselves. */
  readonly by?: string;
}

/** Where a request came from, as lists of sessions and the audit log show it. */
export interface Origin {
  readonly ip: string;
  readonly userAgent: string;
  /** What the browser's long-lived cookie holds; absent for a browser without one. */
  readonly device?: string | null;
  /** What its session cookie holds, whether or not that is one; absent without it. */
  readonly session?: string;
}

export interface AuditEntry {
  readonly id: string;
  readonly at: Date;
  readonly actor: string;
  readonly merchantId: string | null;
  readonly action: string;
  readonly subject: string;
  readonly detail: Readonly<Record<string, unknown>>;
  readonly ip: string | null;
}

/** What somebody else may have done at an account, as its person is shown it. */
export interface AccountEntry {
  readonly at: Date;
  readonly action: 'account.guessed-at' | 'second-factor.missed' | 'signed-in.new-device';
  /** What was guessed at; of a new browser what it says that it is. */
  readonly detail: { readonly guessed?: 'password' | 'code'; readonly browser?: string };
  /** Until retention takes it out. */
  readonly ip: string | null;
}

/** Of a log: only what one person did, only one kind of action; `null` for all. */
export interface AuditFilter {
  readonly actor: string | null;
  readonly action: string | null;
}

export interface SessionView {
  readonly id: string;
  readonly ip: string;
  readonly userAgent: string;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
}

/** What requests are counted by where their address is not told apart from others'. */
export interface CountedBy {
  readonly kind: 'session' | 'device';
  readonly id: string;
  /** `null` for a browser in which several are known: which of them it is cannot be said. */
  readonly personId: string | null;
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

/** What somebody was to a merchant. */
export interface EndedMembership {
  readonly merchantId: string;
  readonly role: Role;
}

/** Whose word it is that an address is its person's, where a link in the mailbox was opened; else the name of whoever gave theirs. */
export const PROVEN_BY_MAILBOX = 'mailbox';

/** What comes with a second factor, or with new codes that stand for one. */
export interface FactorAdded {
  /** This once, with the first one or in the place of others; else `null`. */
  readonly recoveryCodes: readonly string[] | null;
  /** Open invitations that the person had made: how many ended. */
  readonly endedInvitations: number;
}

/** Somebody who runs the instance. */
export interface OperatorView {
  readonly email: string;
  /** `null` where the log does not say. */
  readonly since: Date | null;
  readonly hasSecondFactor: boolean;
}

export interface Invitation {
  readonly email: string;
  /** With a role, for one merchant … */
  readonly merchantId?: string;
  readonly role?: string;
  /** … or for the instance. */
  readonly isOperator?: boolean;
  /** The link is shown to the inviter although mail is configured: then it proves no address. */
  readonly showLink?: boolean;
}

/** What an inviter is told. */
export interface Invited {
  readonly email: string;
  readonly expiresAt: Date;
  /** `null`: it went to the mailbox, and to nobody else. */
  readonly url: string | null;
}

/** An invitation as those see it who may withdraw it. */
export interface OpenInvitation {
  readonly email: string;
  /** `null`: to run the instance. */
  readonly merchantId: string | null;
  readonly role: Role | null;
  readonly isOperator: boolean;
  readonly invitedBy: string;
  readonly expiresAt: Date;
  /** `shown` to the inviter, who hands it on; `refused` by the mail server. */
  readonly delivery: 'shown' | 'waiting' | 'mailed' | 'refused';
}

/** An invitation as the invited account sees it. */
export interface PendingInvitation {
  readonly id: string;
  /** `null`: to run the instance. */
  readonly merchantName: string | null;
  readonly role: Role | null;
  readonly invitedBy: string;
  readonly expiresAt: Date;
}

/** A few to choose from at a glance; the table has as many places for one person and merchant. */
export const MAX_SAVED_VIEWS = 20;
export const MAX_VIEW_NAME_CHARS = 40;

/** What somebody looks for in a merchant's list of payments, by a name of their own. */
export interface SavedView {
  readonly id: string;
  readonly name: string;
  /** As the list's address has them: `{ show: 'waiting', q: 'order-7' }`. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** Whose saved views: one person's at one merchant. */
export interface ViewsOwner {
  readonly personId: string;
  readonly merchantId: string;
}

export type LinkKind = 'invitation' | 'reset' | 'proof';

/** A link as it is handed on. The token is in it and nowhere else. */
export interface OneTimeLink {
  readonly id: string;
  readonly email: string;
  readonly token: string;
  readonly expiresAt: Date;
}

/** The address at which somebody takes a one-time link. */
export type OneTimeLinkUrl = (token: string) => string;

/** Injection token for a `OneTimeLinkUrl`; who has the pages provides it. */
export const ONE_TIME_LINK_URL = Symbol('OneTimeLinkUrl');

/** Pages on which whoever is told of a change sees it and undoes it, by the dashboard's names for them. */
export type NewsPlace =
  'account' | 'keys' | 'wallets' | 'webhooks' | 'people' | 'settings' | 'paymentSettings' | 'operatorAudit';

/** The address of such a page. */
export type NewsUrl = (place: NewsPlace) => string;

/** Injection token for a `NewsUrl`; who has the pages provides it. */
export const NEWS_URL = Symbol('NewsUrl');

/** What a one-time link offers to whoever holds it. */
export interface LinkOffer {
  readonly kind: LinkKind;
  readonly email: string;
  readonly merchantName: string | null;
  readonly role: Role | null;
  readonly isOperator: boolean;
  /** By choosing a password, by signing in, or by whichever of them fits: its holder is not told which. */
  readonly way: 'password' | 'sign-in' | 'either';
}
