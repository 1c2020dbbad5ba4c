export type Credentials =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'conflicting' };

/**
 * The key of a request: `Authorization: Bearer` or `X-Api-Key`, equivalent. Both at once must agree.
 * A key in the query string is never read: it would be in every access log.
 */
export function credentialsOf(authorization: string | undefined, apiKey: string | undefined): Credentials {
  const bearer =
    authorization === undefined ? undefined : (/^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? '');
  const header = apiKey?.trim();
  if (bearer !== undefined && header !== undefined && bearer !== header) return { kind: 'conflicting' };
  const key = bearer ?? header;
  return key === undefined ? { kind: 'none' } : { kind: 'key', key };
}
