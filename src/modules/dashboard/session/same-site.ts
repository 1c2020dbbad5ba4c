import type { IncomingHttpHeaders } from 'node:http';
import { DomainError } from '../../../kernel/domain-error.js';

/**
 * Whether a change was asked for by one of our own pages, as the browser says it and no script can. Fetch Metadata
 * where it is sent, else `Origin`; a browser that sends neither is older than both and is refused.
 * @throws DomainError `cross-origin-request`
 */
export function requireSameSite(headers: IncomingHttpHeaders, baseUrl: string): void {
  const site = headers['sec-fetch-site'];
  const isOurs = site === undefined || site === 'same-origin';
  if (isOurs && (headers.origin === baseUrl || (headers.origin === undefined && site !== undefined))) return;
  throw new DomainError('forbidden', 'cross-origin-request', 'The form was sent from another site.');
}
