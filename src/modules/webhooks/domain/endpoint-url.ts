import { characterCount } from '../../../kernel/text/character-count.js';
import { parseUrl } from '../../../kernel/text/parse-url.js';
import { type AddressPolicy, mayReach } from './address-policy.js';

const MAX_URL_LENGTH = 2048;

/** Names that mean this machine or this network whatever a resolver says. */
const LOCAL_NAMES = /(^|\.)localhost$/;
const INTERNAL_NAMES = /(^|\.)internal$/;

export type UrlVerdict =
  { readonly ok: true; readonly url: URL } | { readonly ok: false; readonly reason: string };

/**
 * Whether an endpoint may have this URL, without asking a resolver. Judged is what `new URL` makes of it,
 * because that is what is dialled: 0x7f.1, 2130706433 and ①②⑦.① are all 127.0.0.1 by then.
 * @returns the normalised URL, or the reason as the end of a sentence ("… must use https")
 */
export function judgeEndpointUrl(text: string, policy: AddressPolicy): UrlVerdict {
  const reason = refusalOf(text, policy);
  return reason === null ? { ok: true, url: new URL(text) } : { ok: false, reason };
}

/** The host as a resolver or a socket takes it: IPv6 without its brackets. */
export function bareHost(url: URL): string {
  return url.hostname.replace(/[[\]]/g, '');
}

/** Whether the host is an address already, so that no resolver will be asked about it. */
export function isAddressLiteral(url: URL): boolean {
  return url.hostname.startsWith('[') || /^[\d.]+$/.test(url.hostname);
}

function refusalOf(text: string, policy: AddressPolicy): string | null {
  if (characterCount(text) > MAX_URL_LENGTH) return `must not be longer than ${MAX_URL_LENGTH} characters`;
  const url = parseUrl(text);
  if (!url) return 'must be an absolute URL';
  if (characterCount(url.href) > MAX_URL_LENGTH)
    return `must not be longer than ${MAX_URL_LENGTH} characters`;
  if (url.protocol !== 'https:' && !(policy.sandbox && url.protocol === 'http:')) return 'must use https';
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
  if (url.href.includes('#')) return 'must not contain a fragment';
  if (url.port === '0') return 'must not use port 0';
  return hostRefusal(url, policy);
}

function hostRefusal(url: URL, policy: AddressPolicy): string | null {
  const { hostname } = url;
  if (hostname.endsWith('.')) return 'must not have a host that ends in a dot';
  if (isAddressLiteral(url)) return mayReach(bareHost(url), policy) ? null : 'must have a public address';
  if (LOCAL_NAMES.test(hostname) && !policy.sandbox) return 'must not point to localhost';
  if (INTERNAL_NAMES.test(hostname)) return 'must not have a host under .internal';
  return null;
}
