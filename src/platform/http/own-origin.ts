import type { IncomingHttpHeaders } from 'node:http';
import { DomainError } from '../../kernel/domain-error.js';

/**
 * For posts that need no cookie: a browser says where a form comes from, by `Origin` or by Fetch Metadata, and another
 * site's is refused. Who says neither is no browser of today.
 * @throws DomainError `cross-origin-request`
 */
export function requireOwnOrigin({ origin, ...headers }: IncomingHttpHeaders, ownOrigin: string): void {
  const site = headers['sec-fetch-site'];
  const isOwn = origin === undefined || origin === ownOrigin;
  if (isOwn && (site === undefined || site === 'same-origin' || site === 'none')) return;
  throw new DomainError('forbidden', 'cross-origin-request', 'The form was sent from another site.');
}
