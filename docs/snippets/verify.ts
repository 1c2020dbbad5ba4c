import { createHmac, timingSafeEqual } from 'node:crypto';

interface WebhookEvent {
  type: string;
  sequence: number;
  data: { intent: { id: string; status: string } };
}

/**
 * The event of a delivery; throws when it is not ours, was changed, or is older than five minutes.
 * @param secret `whsec_…`, as the endpoint's creation showed it
 * @param headers of the request, names in lower case
 * @param body the bytes as they came, before any parser
 */
export function verifyWebhook(
  secret: string,
  headers: Record<string, string | undefined>,
  body: Uint8Array,
): WebhookEvent {
  const {
    'webhook-id': id,
    'webhook-timestamp': sentAt = '',
    'webhook-signature': signatures = '',
  } = headers;
  if (!/^\d+$/.test(sentAt) || Math.abs(Date.now() / 1000 - Number(sentAt)) > 300) {
    throw new Error('webhook: too old');
  }

  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  if (key.length < 24) throw new Error('webhook: the secret is missing');
  const signature = createHmac('sha256', key).update(`${id}.${sentAt}.`).update(body).digest('base64');
  const expected = Buffer.from(`v1,${signature}`);
  const isOurs = signatures.split(' ').some((one) => {
    const given = Buffer.from(one);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!isOurs) throw new Error('webhook: wrong signature');
  return JSON.parse(Buffer.from(body).toString()) as WebhookEvent;
}
