import type { IntentStatus } from '../../../kernel/intent-status.js';
import { characterCount } from '../../../kernel/text/character-count.js';
import { parseUrl } from '../../../kernel/text/parse-url.js';

export const MAX_RETURN_URL_LENGTH = 500;

/** What `returnTarget` appends; of two with one name a server takes the first or the last. */
const APPENDED = ['service_intent', 'status'] as const;

/**
 * What is wrong with a return URL, or `null`: absolute https, at most 500 characters, and such that it can be sent in a
 * header as it came, byte for byte.
 */
export function returnUrlFlaw(text: string): string | null {
  if (characterCount(text) > MAX_RETURN_URL_LENGTH)
    return `must have at most ${MAX_RETURN_URL_LENGTH} characters`;
  if (/[^\0-\x7f]/.test(text))
    return 'must be ASCII: write other characters percent-encoded, and the host in punycode';
  // The scheme is looked for in the text itself: `new URL` would forgive blanks, tabs and backslashes.
  const url = parseUrl(text);
  if (!/^https:\/\/[^\s\\/?#]/i.test(text) || /[^\x21-\x7e]|\\/.test(text) || !url) {
    return 'must be an absolute https URL';
  }
  if (url.username || url.password) return 'must not contain user info';
  return APPENDED.some((name) => url.searchParams.has(name))
    ? `must not have the parameters ${APPENDED.join(' or ')}, which are appended to it`
    : null;
}

/**
 * Where the buyer is sent back to: the merchant's URL with `service_intent` and the `status` of this moment
 * appended to whatever query it has.
 */
export function returnTarget(returnUrl: string, intentId: string, status: IntentStatus): string {
  const [beforeHash = '', ...hash] = returnUrl.split('#');
  const separator = !beforeHash.includes('?') ? '?' : /[?&]$/.test(beforeHash) ? '' : '&';
  const fragment = hash.length > 0 ? `#${hash.join('#')}` : '';
  return `${beforeHash}${separator}service_intent=${intentId}&status=${status}${fragment}`;
}
