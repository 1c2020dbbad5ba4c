import { randomBytes } from 'node:crypto';
import { verifyWebhook, WebhookRefused } from '@rappen/client';
import { Webhook } from 'standardwebhooks';

const NOW_S = 1_795_249_477;
const secretOf = () => `whsec_${randomBytes(24).toString('base64')}`;
const SECRET = secretOf();
const BODY = JSON.stringify({ type: 'payment.status', sequence: 1, data: { intent: { title: 'Käse 🧀' } } });

/** As the public package signs it. */
function delivery(secret = SECRET, { id = 'evt_1', atS = NOW_S } = {}) {
  const signature = new Webhook(secret).sign(id, new Date(atS * 1000), BODY);
  return { 'webhook-id': id, 'webhook-timestamp': String(atS), 'webhook-signature': signature };
}

const verified = (headers: Parameters<typeof verifyWebhook>[1], body: string | Uint8Array = BODY) =>
  verifyWebhook(SECRET, headers, body, NOW_S);

it('takes what the public package signed, as text and as bytes, from Node and from fetch', () => {
  const event = JSON.parse(BODY) as unknown;
  expect(verified(delivery())).toEqual(event);
  expect(verified(delivery(), Buffer.from(BODY))).toEqual(event);
  expect(verified(new Headers(delivery()))).toEqual(event);
});

it('takes either signature, and either secret, while one replaces the other', () => {
  const [other, headers] = [secretOf(), delivery()];
  const both = `${delivery(other)['webhook-signature']} ${headers['webhook-signature']}`;
  expect(() => verified({ ...headers, 'webhook-signature': both })).not.toThrow();
  expect(() => verifyWebhook([other, SECRET], headers, BODY, NOW_S)).not.toThrow();
});

it('refuses a change of any bit of the body, the id, the time or the signature', () => {
  const bytes = Buffer.from(BODY);
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const changed = Buffer.from(bytes);
    changed[bit >> 3]! ^= 1 << (bit & 7);
    expect(() => verified(delivery(), changed)).toThrow(WebhookRefused);
  }
  for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const) {
    const value = delivery()[name];
    // The last two characters of the signature are padding.
    for (let at = 0; at < value.length - (name === 'webhook-signature' ? 2 : 0); at++) {
      const other = value[at] === 'b' ? 'c' : 'b';
      const changed = value.slice(0, at) + other + value.slice(at + 1);
      expect(() => verified({ ...delivery(), [name]: changed })).toThrow(WebhookRefused);
    }
    expect(() => verified({ ...delivery(), [name]: undefined })).toThrow(/missing/);
    expect(() => verified({ ...delivery(), [name]: '' })).toThrow(/missing/);
  }
});

it.each([-301, 301])('refuses a delivery %d seconds from now, and takes one second less', (offS) => {
  expect(() => verified(delivery(SECRET, { atS: NOW_S + offS }))).toThrow(/five minutes/);
  expect(() => verified(delivery(SECRET, { atS: NOW_S + offS - Math.sign(offS) }))).not.toThrow();
});

it.each(['', 'whsec_', 'whsec_?', 'secret'])('has no use for the secret %j', (secret) => {
  expect(() => verifyWebhook(secret, delivery(), BODY, NOW_S)).toThrow(TypeError);
});
