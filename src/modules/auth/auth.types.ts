/** What is noted in the security log where programs sign in. */
export const AUTH_SECURITY_EVENTS = ['key-refused', 'key-forbidden'] as const;

export type AuthSecurityEvent = (typeof AUTH_SECURITY_EVENTS)[number];

/** What a key may do: Write creates and cancels intents, Read reads. Neither implies the other. */
export const SCOPES = ['read', 'write'] as const;
export type Scope = (typeof SCOPES)[number];

export interface KeyOwner {
  readonly keyId: string;
  readonly merchantId: string;
}

/** Who is asking, as decided for one request: nothing of it is kept for the next. */
export interface Principal extends KeyOwner {
  readonly scopes: readonly Scope[];
}

/** A key as its merchant sees it afterwards. The key itself is shown once, at creation. */
export interface ApiKeyView {
  readonly id: string;
  readonly prefix: string;
  readonly label: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
}

/** A request that came with a valid key, as it is logged: nothing of what was sent but the path. */
export interface RequestView {
  readonly id: string;
  readonly at: Date;
  readonly method: string;
  readonly path: string;
  /** `null`: the client left before it was answered. */
  readonly status: number | null;
  /** The code of the problem document, if the answer was one. */
  readonly problem: string | null;
  readonly traceId: string;
  readonly durationMs: number;
  /** The intent that the request named or made. */
  readonly intentId: string | null;
  readonly keyLabel: string | null;
}

export interface RequestFilter {
  readonly traceId: string | null;
  readonly method: string | null;
  /** Both ends included. */
  readonly status: { readonly from: number; readonly to: number } | null;
  /** The `next` of the page before. */
  readonly before: string | null;
}

export interface RequestPage {
  readonly items: readonly RequestView[];
  /** `before` of the next page; `null` on the last. */
  readonly next: string | null;
}
