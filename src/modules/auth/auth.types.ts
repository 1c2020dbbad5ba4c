/** What a key may do: Write creates intents, Read reads them. Neither implies the other. */
export const SCOPES = ['read', 'write'] as const;
export type Scope = (typeof SCOPES)[number];

/** Who is asking, as decided for one request: nothing of it is kept for the next. */
export interface Principal {
  readonly keyId: string;
  readonly merchantId: string;
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
