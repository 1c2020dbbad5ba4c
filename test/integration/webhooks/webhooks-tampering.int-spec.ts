import { Webhook } from 'standardwebhooks';
import { runsOf, seedOf } from '../../support/run/seed.js';
import { type Received, WebhooksFixture } from './webhooks-fixture.js';

/** `npm run prove:webhooks` takes a hundred thousand. */
const TAMPERED = runsOf('TAMPERED', 4_000);
const SEED = seedOf('SEED', 'TAMPERED');
jest.setTimeout(600_000);

let fixture: WebhooksFixture;
beforeAll(async () => (fixture = await WebhooksFixture.open()));
afterAll(() => fixture.close());

/** mulberry32: the same numbers for the same seed. */
let state = SEED;
function below(limit: number): number {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) % limit;
}

function flipBit(text: string): string {
  const bytes = Buffer.from(text, 'latin1');
  const at = below(bytes.length);
  bytes[at]! ^= 1 << below(8);
  return bytes.toString('latin1');
}
const cut = (text: string) => text.slice(0, below(text.length));
function swap(text: string): string {
  const at = below(text.length - 1);
  const swapped = text.slice(0, at) + text[at + 1] + text[at] + text.slice(at + 2);
  return swapped === text ? flipBit(text) : swapped;
}
function insert(text: string): string {
  const at = below(text.length + 1);
  return text.slice(0, at) + String.fromCharCode(33 + below(94)) + text.slice(at);
}
const change = (text: string) => [flipBit, flipBit, cut, swap, insert][below(5)]!(text);

type Tampering = (request: Received) => Received;
const inHeader =
  (name: string, changed: (value: string) => string): Tampering =>
  ({ headers, ...rest }) => ({ ...rest, headers: { ...headers, [name]: changed(headers[name]!) } });

/** Base64 has spellings of one signature (its last two bits carry nothing), so its bytes are changed, not its text. */
function changeSignature(header: string): string {
  const bytes = Buffer.from(header.slice('v1,'.length), 'base64');
  if (below(4) === 0) return `v1,${bytes.subarray(0, below(bytes.length)).toString('base64')}`;
  bytes[below(bytes.length)]! ^= 1 << below(8);
  return `v1,${bytes.toString('base64')}`;
}

const TAMPERINGS: Readonly<Record<string, Tampering>> = {
  body: ({ body, ...rest }) => ({
    ...rest,
    body: Buffer.from(change(Buffer.from(body).toString('latin1')), 'latin1').toString(),
  }),
  id: inHeader('webhook-id', change),
  // Within the five minutes that a receiver allows, so that only the signature can tell.
  timestamp: inHeader('webhook-timestamp', (s) => String(Number(s) + (below(2) ? 1 : -1) * (1 + below(250)))),
  signature: inHeader('webhook-signature', changeSignature),
  version: inHeader('webhook-signature', (s) =>
    s.replace('v1,', ['v2,', 'v1a,', 'v0,', ',', 'v1;'][below(5)]!),
  ),
};

const accepts = (secret: string, { body, headers }: Received) => {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
};

it(`is verified as it was sent, and refused in each of ${TAMPERED} changed forms (SEED=${SEED})`, async () => {
  const receiver = await fixture.receiver();
  const { secret } = await fixture.endpoint(receiver.url);
  await fixture.append();
  await fixture.deliver();
  const [sent] = receiver.received as [Received];
  expect(accepts(secret, sent)).toBe(true);

  const names = Object.keys(TAMPERINGS);
  const accepted: { name: string; request: Received }[] = [];
  for (let i = 0; i < TAMPERED; i++) {
    const name = names[i % names.length]!;
    const request = TAMPERINGS[name]!(sent);
    if (accepts(secret, request)) accepted.push({ name, request });
  }
  expect(accepted).toEqual([]);
  // The clock did not decide: it is still good.
  expect(accepts(secret, sent)).toBe(true);
});
