import { pathTo } from '../paths.http.js';

const OURS = new RegExp(`^${pathTo('home')}(?:[/?#]|$)`);

/**
 * Where to go after a detour (signing in, proving it again), as an address says it: one of our own pages, or Home.
 * Anything else would let a link to us end on somebody else's page.
 */
export function safePath(path: unknown): string {
  const isOurs = typeof path === 'string' && OURS.test(path);
  // A browser reads backslashes as slashes and drops spaces and controls, so none of them is let through.
  return isOurs && /^[\x21-\x5b\x5d-\x7e]+$/.test(path) && !/\/\/|\/\.\.?(?:[/?#]|$)/.test(path)
    ? path
    : pathTo('home');
}

/** The path of one of our pages as `Referer` names it. */
export function pathOfReferer(referer: string | undefined, baseUrl: string): string {
  if (!referer?.startsWith(`${baseUrl}/`)) return safePath(null);
  return safePath(referer.slice(baseUrl.length));
}

/** "…/payments?status=settled&page=2": what is `null` or empty is left out. */
export function pathWith(
  path: string,
  query: Readonly<Record<string, string | number | null | undefined>>,
): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== '') parameters.append(name, String(value));
  }
  const text = parameters.toString();
  return text === '' ? path : `${path}?${text}`;
}
