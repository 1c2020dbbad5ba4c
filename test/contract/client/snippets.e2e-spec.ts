import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { cancelPayment } from '../../../docs/snippets/cancel.js';
import { createPayment } from '../../../docs/snippets/create.js';
import { catchUp } from '../../../docs/snippets/events.js';
import { findPayment } from '../../../docs/snippets/find.js';
import { readPayment } from '../../../docs/snippets/read.js';
import { verifyWebhook } from '../../../docs/snippets/verify.js';
import { applyAllChanges } from '../../support/intents/decided.js';
import { Money } from '../../support/intents/money.js';
import { SILENT_CHAIN } from '../../support/nodes/wallet.js';
import { itWith } from '../../support/run/tools.js';
import { Service } from '../../support/service/service.js';
import {
  type Delivery,
  isInstalled,
  type Language,
  LANGUAGES,
  run,
  runProgram,
  SNIPPETS,
  TOPICS,
} from './snippet-programs.js';

/** What the documentation shows runs here: a payment is created, a delivery verified, six refused, events caught up with. */
let service: Service;
/** Of the 12.5 that were quoted, 5 have arrived. */
let begun: string;
let env: { RAPPEN_URL: string; RAPPEN_API_KEY: string };

beforeAll(async () => {
  service = await Service.start({ chain: SILENT_CHAIN, standsAt: 1_000 });
  const { merchantId, key } = await service.shop();
  env = { RAPPEN_URL: service.url, RAPPEN_API_KEY: key };
  Object.assign(process.env, env);
  const money = new Money(service);
  begun = await money.picked(merchantId);
  await money.record(begun, { percent: 40 });
  await applyAllChanges(service);
});
afterAll(() => service.stop());

const STATUSES = ['settled', null, null, null, null, null, null];

/** Signed by the public package: the good one first, with a signature of another secret beside its own. */
function deliveries(): Delivery[] {
  const secretOf = () => `whsec_${randomBytes(24).toString('base64')}`;
  const [secret, other] = [secretOf(), secretOf()];
  const body = JSON.stringify({
    type: 'payment.status',
    sequence: 4,
    data: { intent: { id: 'pi_ü', status: 'settled' } },
  });
  const at = (date: Date, by = secret) => ({
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(date.getTime() / 1000)),
    'webhook-signature': new Webhook(by).sign('evt_1', date, body),
  });
  const headers = at(new Date());
  const both = `${at(new Date(), other)['webhook-signature']} ${headers['webhook-signature']}`;
  return [
    { secret, headers: { ...headers, 'webhook-signature': both }, body },
    { secret, headers, body: `${body} ` },
    { secret: other, headers, body },
    { secret: '', headers, body },
    { secret, headers: { ...headers, 'webhook-id': 'evt_2' }, body },
    { secret, headers: at(new Date(Date.now() - 400_000)), body },
    { secret, headers: { ...headers, 'webhook-timestamp': `${headers['webhook-timestamp']}x` }, body },
  ];
}

const orderOf = (id: string) => ({ id, attempt: 1, total: 49.9 });

async function expectCheckout(checkoutUrl: string, id: string): Promise<void> {
  expect(checkoutUrl).toMatch(/\/pay\/pi_/);
  const page = await fetch(checkoutUrl);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain(`Order ${id}`);
}

it('shows them in the documentation, and sums up the API for programs', async () => {
  const docs = await (await fetch(`${service.url}/docs`)).text();
  const shown = docs.matchAll(/<details class="act" name="[^"]*"[^>]*><summary>(\w+)/g);
  expect([...shown].map(([, language]) => language)).toEqual([
    ...TOPICS.flatMap(() => ['TypeScript', 'Python', 'PHP', 'Go', 'Shell']),
  ]);
  expect(docs.replaceAll(`"${service.url}/`, `"/`)).not.toMatch(/(src|href)="(https?:)?\/\//);
  const llms = await fetch(`${service.url}/llms.txt`);
  expect(llms.headers.get('content-type')).toMatch(/^text\/plain/);
  const text = await llms.text();
  const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
  expect(links.length).toBeGreaterThan(2);
  for (const link of links) expect([link, (await fetch(link)).status]).toEqual([link, 200]);
});

it.each(['/docs', '/llms.txt'])(
  '%s says from which event to go on, and why not from a webhook’s',
  async (page) => {
    const text = await (await fetch(`${service.url}${page}`)).text();
    const said = text.replace(/\s+/g, ' ');
    expect(said).toContain('the id of the last event of this list that you have dealt with');
    expect(said).toContain('what precedes it here and has not arrived yet would be skipped');
  },
);

it('runs the snippets in TypeScript', async () => {
  const statuses = deliveries().map(({ secret, headers, body }) => {
    try {
      const event = verifyWebhook(secret, headers, Buffer.from(body));
      return (event.data as { intent: { status: string } }).intent.status;
    } catch {
      return null;
    }
  });
  expect(statuses).toEqual(STATUSES);
  const first = await createPayment(orderOf('ts'));
  await expectCheckout(first.checkoutUrl, 'ts');
  expect(await createPayment(orderOf('ts'))).toEqual(first);
  expect((await createPayment({ ...orderOf('ts'), attempt: 2 })).id).not.toBe(first.id);
  const seen: string[] = [];
  const last = await catchUp(null, ({ id }) => Promise.resolve(void seen.push(id)));
  expect([seen.length > 1, last]).toEqual([true, seen.at(-1)]);
  const { id } = await createPayment(orderOf('ts-2'));
  const missed: (string | null)[] = [];
  await catchUp(last, ({ data }) =>
    Promise.resolve(void missed.push(data.intent.id, data.intent.idempotencyKey)),
  );
  expect(missed).toEqual([id, 'order-ts-2-1']);
  await expect(catchUp('evt_x', () => Promise.resolve())).rejects.toThrow(/validation-error/);
  expect(await findPayment('order-ts-1')).toMatchObject({ id: first.id, status: 'initiated' });
  expect(await findPayment('no such key')).toBeNull();
  expect(await readPayment(first.id)).toMatchObject({ status: 'initiated', payment: null });
  const payment = { network: 'ethereum', received: '5.00000000', missing: '7.50000000' };
  expect(await readPayment(begun)).toMatchObject({ status: 'pending', payment });
  await expect(readPayment('pi_x')).rejects.toThrow(/not-found/);
  for (const _ of ['once', 'again']) expect(await cancelPayment(first.id)).toBe('cancelled');
  await expect(cancelPayment('pi_x')).rejects.toThrow(/not-found/);
  await expect(createPayment({ ...orderOf('ts'), attempt: 3, total: -1 })).rejects.toThrow(
    /validation-error/,
  );
});

it('runs the snippets in the shell', async () => {
  const created = await run(['sh', 'create.sh'], '', { ...env, ORDER: 'sh', ATTEMPT: '1' }, SNIPPETS);
  const { id, checkoutUrl } = JSON.parse(created) as { id: string; checkoutUrl: string };
  await expectCheckout(checkoutUrl, 'sh');
  const found = await run(['sh', 'find.sh'], '', { ...env, IDEMPOTENCY_KEY: 'order-sh-1' }, SNIPPETS);
  expect(JSON.parse(found)).toMatchObject({ total: 1, items: [{ id }] });
  const read = await run(['sh', 'read.sh'], '', { ...env, INTENT: begun }, SNIPPETS);
  expect(JSON.parse(read)).toMatchObject({ id: begun, payment: { missing: '7.50000000' } });
  const cancelled = await run(['sh', 'cancel.sh'], '', { ...env, INTENT: id }, SNIPPETS);
  expect(JSON.parse(cancelled)).toMatchObject({ id, status: 'cancelled' });
  const page = async (after: string) =>
    JSON.parse(await run(['sh', 'events.sh'], '', { ...env, AFTER: after }, SNIPPETS)) as {
      items: { id: string }[];
    };
  const { items } = await page('');
  expect((await page(items[0]?.id ?? '')).items).toEqual(items.slice(1));
  const results = deliveries().map(async ({ secret, headers, body }) => {
    const values = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
      (name) => headers[name] ?? '',
    );
    const command = ['sh', 'verify.sh', ...values];
    return run(command, body, { RAPPEN_WEBHOOK_SECRET: secret }, SNIPPETS).then(
      () => 'settled',
      () => null,
    );
  });
  expect(await Promise.all(results)).toEqual(STATUSES);
});

describe.each(Object.keys(LANGUAGES) as Language[])('%s', (language) => {
  itWith({
    isFound: isInstalled(language),
    missing: `No ${language} on this machine: its snippets are NOT tested.`,
    mayLackInCi: language === 'Go',
  })('runs the snippets', async () => {
    const task = { deliveries: deliveries(), begun, order: orderOf(language) };
    const done = await runProgram(language, task, env);
    expect(done.statuses).toEqual(STATUSES);
    await expectCheckout(done.checkoutUrl, language);
    expect([done.last, done.again]).toEqual([done.events.at(-1), []]);
    expect(done.events.length).toBeGreaterThan(0);
    expect(done.checkoutUrl).toContain(done.found);
    expect([done.unknown, done.cancelled]).toEqual([null, 'cancelled']);
    expect([done.missing, done.unpicked]).toEqual(['7.50000000', null]);
  });
});
