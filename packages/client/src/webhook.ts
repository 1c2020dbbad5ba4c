import { createHmac, timingSafeEqual } from 'node:crypto';
import { WebhookRefused } from './errors.js';
import type { WebhookEvent } from './types.js';

/** Seconds by which Standard Webhooks lets a timestamp differ from the clock, either way. */
const TOLERANCE_S = 300;
const SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/;

export type WebhookHeaders =
  { get(name: string): string | null } | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * The event of a delivery, once its signature holds (Standard Webhooks 1.0.0, compared in constant time).
 * @param secret `whsec_…` as the endpoint's creation showed it; while you replace one, both
 * @param headers of the request, as Node or `fetch` give them
 * @param rawBody the very bytes that came, before any parser
 * @param nowS seconds since 1970
 * @throws WebhookRefused where anything about it is not right
 */
export function verifyWebhook(
  secret: string | readonly string[],
  headers: WebhookHeaders,
  rawBody: string | Uint8Array,
  nowS: number = Date.now() / 1000,
): WebhookEvent {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  );
  if (!id || !timestamp || !signatures) throw new WebhookRefused('A webhook header is missing.');
  if (!/^\d{1,15}$/.test(timestamp) || Math.abs(nowS - Number(timestamp)) > TOLERANCE_S) {
    throw new WebhookRefused('The webhook is older than five minutes, or one of the clocks is wrong.');
  }
  const expected = [secret].flat().map((one) => signatureOf(one, id, timestamp, rawBody));
  const given = signatures.split(' ').flatMap((part) => (part.startsWith('v1,') ? [part.slice(3)] : []));
  if (!given.some((one) => expected.some((other) => isSame(one, other)))) {
    throw new WebhookRefused('No signature of the webhook is right.');
  }
  return JSON.parse(typeof rawBody === 'string' ? rawBody : Buffer.from(rawBody).toString()) as WebhookEvent;
}

/** Node lower-cases the names of headers, and makes a list of some that came twice. */
function headerOf(headers: WebhookHeaders, name: string): string | null {
  if (typeof headers.get === 'function') return headers.get(name);
  const value = (headers as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' ? value : null;
}

function signatureOf(secret: string, id: string, timestamp: string, body: string | Uint8Array): Buffer {
  const base64 = SECRET.exec(secret)?.[1];
  // Without this an empty secret would verify what anybody signs with an empty key.
  if (!base64) throw new TypeError('A webhook secret is whsec_ and base64.');
  return createHmac('sha256', Buffer.from(base64, 'base64'))
    .update(`${id}.${timestamp}.`)
    .update(body)
    .digest();
}

function isSame(given: string, expected: Buffer): boolean {
  const bytes = Buffer.from(given, 'base64');
  return bytes.length === expected.length && timingSafeEqual(bytes, expected);
}
