import { createHmac } from 'node:crypto';

/** @returns the headers of Standard Webhooks */
export function sign(key, id, body) {
  const timestamp = Math.floor(Date.now() / 1_000);
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${signature}`,
  };
}

/** Where an endpoint is and what it is signed with, by its id. */
export const keysOf = (endpoints) =>
  new Map(endpoints.map(({ id, url, secret }) => [id, { url, key: Buffer.from(secret.slice(6), 'base64') }]));
