import { createHmac, randomBytes } from 'node:crypto';

const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 24;

/** Whoever sends what is signed so calls itself this. */
export const WEBHOOK_USER_AGENT = 'Rappen-Webhooks/1.0';

/** The three headers that Standard Webhooks 1.0.0 adds to a delivery. */
export interface SignatureHeaders {
  readonly 'webhook-id': string;
  readonly 'webhook-timestamp': string;
  readonly 'webhook-signature': string;
}

/** `whsec_` + standard base64 of 24 random bytes: the form that every Standard Webhooks library reads. */
export function newSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/**
 * Signs `id.timestamp.body` once per secret (`v1,<base64 HMAC-SHA256>`, separated by blanks), so that a
 * receiver verifies with the old or the new secret while one replaces the other.
 * @param secrets `whsec_…`, the current one first
 * @param timestampS seconds since the epoch, of this attempt, because receivers refuse what is 5 minutes off
 * @param body the exact bytes that are sent, as text
 * @throws RangeError for an id with a dot (it would make the signed text ambiguous), for a timestamp that is
 *   not whole seconds, and for secrets that are missing or not of this form: all are bugs or a damaged row.
 */
export function sign(
  secrets: readonly string[],
  id: string,
  timestampS: number,
  body: string,
): SignatureHeaders {
  if (id.includes('.')) throw new RangeError('a webhook id has no dot');
  if (!Number.isSafeInteger(timestampS)) throw new RangeError('a webhook timestamp is whole seconds');
  if (secrets.length === 0) throw new RangeError('a webhook is signed with at least one secret');
  const signed = `${id}.${timestampS}.${body}`;
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampS),
    'webhook-signature': secrets.map((secret) => `v1,${hmac(secret, signed)}`).join(' '),
  };
}

function hmac(secret: string, text: string): string {
  if (!secret.startsWith(SECRET_PREFIX)) throw new RangeError('a webhook secret starts with whsec_');
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  if (key.length < SECRET_BYTES) throw new RangeError('a webhook secret holds at least 24 bytes');
  return createHmac('sha256', key).update(text, 'utf8').digest('base64');
}
