import type { IntentStatus } from '../../../kernel/intent-status.js';
import { parseUrl } from '../../../kernel/parse-url.js';

export const MAX_RETURN_URL_LENGTH = 500;

/** What is wrong with a return URL (the seed: absolute https, at most 500 characters), or `null`. */
export function returnUrlFlaw(text: string): string | null {
  if (text.length > MAX_RETURN_URL_LENGTH) return `must have at most ${MAX_RETURN_URL_LENGTH} characters`;
  // The scheme is looked for in the text itself: `new URL` would forgive blanks, tabs and backslashes.
  const url = parseUrl(text);
  if (!/^https:\/\/[^\s\\/?#]/i.test(text) || /[\s\\]/.test(text) || !url) {
    return 'must be an absolute https URL';
  }
  return url.username || url.password ? 'must not contain user info' : null;
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
