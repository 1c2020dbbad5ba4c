import { isDeepStrictEqual } from 'node:util';
import { DataSource } from 'typeorm';
import { RateBook } from '../../../src/modules/rates/rates.service.js';
import { Api } from '../../support/api/api.js';
import { Staff } from '../../support/dashboard/staff.js';
import { priceAt } from '../../support/intents/amount.js';
import { applyAllChanges } from '../../support/intents/decided.js';
import { Money } from '../../support/intents/money.js';
import { startTestAnvil, type TestAnvil } from '../../support/nodes/anvil.js';
import { withinOneDay } from '../../support/run/one-day.js';
import { eventually } from '../../support/servers/receiver.js';
import { Service } from '../../support/service/service.js';

let anvil: TestAnvil;
let service: Service;
let money: Money;
let shop: { merchantId: string; key: string };
let owner: Staff;

beforeAll(async () => {
  anvil = await startTestAnvil({ blockTimeS: 1 });
  await anvil.testClient.mine({ blocks: 70 }); // so that block 1 is final
  service = await Service.start({ chain: anvil });
  money = new Money(service);
  shop = await service.shop();
  owner = await Staff.of(service, { merchantId: shop.merchantId, role: 'owner' });
});
afterAll(async () => {
  await service.stop();
  await anvil.stop();
});

const create = async (body: Record<string, unknown>) =>
  (await new Api(service, shop.key).create({ amount: 49.9, currency: 'CHF', ...body })).body.id;

async function settled(): Promise<string> {
  const id = await money.picked(shop.merchantId);
  await money.record(id);
  await applyAllChanges(service);
  return id;
}

it('lists payments with links that keep the filter', async () => {
  const paid = await settled();
  const open = await create({ title: 'Two tickets' });
  const all = await owner.get('/dashboard/payments');
  expect(all.html).toContain(paid);
  expect(all.html).toContain('Two tickets');
  const some = await owner.get('/dashboard/payments?status=settled&currency=CHF');
  expect(some.html).toContain(paid);
  expect(some.html).not.toContain(open);
  expect(some.html).toContain('export.csv?status&#x3D;settled&amp;currency&#x3D;CHF"');
  const found = await owner.get(`/dashboard/payments?q=${paid}`);
  expect([found.html.includes(paid), found.html.includes(open)]).toEqual([true, false]);
});

it('says which part of a filter means nothing, and shows the rest', async () => {
  const { status, html } = await owner.get('/dashboard/payments?from=2026-02-31&status=settled');
  expect(status).toBe(200);
  expect(html).toContain('“From” is not a date');
  expect((await owner.get('/dashboard/payments/export.csv?from=2026-02-31')).status).toBe(400);
});

it('tells what happened to a payment, and what the API says of it', async () => {
  const id = await settled();
  const { html } = await owner.get(`/dashboard/payments/${id}`);
  for (const text of ['CHF\u00a010.00', '12.5\u00a0USDC', 'The money can no longer be undone', 'index ']) {
    expect(html).toContain(text);
  }
  // With every block it has one more confirmation.
  const both = async () => {
    const page = await owner.get(`/dashboard/payments/${id}`);
    const { body } = await new Api(service, shop.key).get(id);
    const json = /<pre[^>]*><code>([^]*?)<\/code>/.exec(page.html)?.[1]?.replaceAll('&quot;', '"');
    return [JSON.parse(json ?? ''), body] as const;
  };
  await anvil.miner!.whilePaused(() =>
    eventually(both, ([said, answered]) => isDeepStrictEqual(said, answered)),
  );
});

it('says at which rate a payment was quoted and settled, wherever the rate is now', async () => {
  const id = await settled();
  const now = jest.spyOn(service.app.get(RateBook), 'rate').mockReturnValue({
    asset: 'USDC',
    currency: 'CHF',
    price: priceAt('0.6789'),
    at: new Date(),
    sources: [],
  });
  try {
    const { html } = await owner.get(`/dashboard/payments/${id}`);
    const rates = [...html.matchAll(/<dt>Rate<\/dt><dd>([^<]+)/g)].map((match) => match[1]);
    const quoted = '1\u00a0USDC &#x3D; CHF\u00a00.80';
    expect(rates).toEqual([quoted, quoted]);
    expect(html).toMatch(/>sandbox 0\.80; <time /);
    expect(html).not.toContain('0.6789');
  } finally {
    now.mockRestore();
  }
});

it('cancels an open payment, and leaves word of who did it', async () => {
  const id = await create({});
  const answer = await owner.post(`/dashboard/payments/${id}/cancel`);
  expect([answer.status, answer.location]).toEqual([303, `/dashboard/payments/${id}`]);
  expect(await money.status(id)).toBe('cancelled');
  const logged: unknown = await service.app
    .get(DataSource)
    .query('SELECT actor, action FROM audit_entry WHERE subject = $1', [id]);
  expect(logged).toEqual([{ actor: owner.email, action: 'intent.cancelled' }]);
});

it('refuses to cancel what is settled, in words', async () => {
  const id = await settled();
  const { status, html } = await owner.post(`/dashboard/payments/${id}/cancel`);
  expect([status, html.includes('cannot be cancelled')]).toEqual([409, true]);
});

it('shows another merchant’s staff none of it', async () => {
  const id = await create({ idempotencyKey: 'secret-order' });
  const other = await service.shop();
  const stranger = await Staff.of(service, { merchantId: other.merchantId, role: 'owner' });
  expect((await stranger.get(`/dashboard/payments/${id}`)).status).toBe(404);
  expect((await stranger.post(`/dashboard/payments/${id}/cancel`)).status).toBe(404);
  expect((await stranger.get('/dashboard/payments?q=secret-order')).html).not.toContain(id);
  expect((await stranger.get('/dashboard/payments/export.csv')).html.trim().split('\r\n')).toHaveLength(1);
  expect(await money.status(id)).toBe('initiated');
});

it('exports what the list shows, safe to open in a spreadsheet', async () => {
  const id = await create({ title: '=HYPERLINK("https://evil.example")', idempotencyKey: 'csv-1' });
  const { html, headers } = await owner.get('/dashboard/payments/export.csv?q=csv-1');
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(headers.get('content-disposition')).toBe('attachment; filename=payments.csv');
  const [head, line, end] = html.split('\r\n');
  expect(head).toMatch(/^id,status,order_key,title,amount,currency,/);
  expect(line).toContain(`${id},initiated,csv-1,"'=HYPERLINK(""https://evil.example"")",49.90,CHF,`);
  expect(end).toBe('');
});

it('finds a payment by a part of its name, on the tab where it is', async () => {
  const id = await create({ title: 'Bicycle bell', idempotencyKey: 'order-77031' });
  for (const q of ['7703', 'icycle', 'order-77031'])
    expect((await owner.get(`/dashboard/payments?q=${q}&show=waiting`)).html).toContain(id);
  expect((await owner.get('/dashboard/payments?q=7703&show=settled')).html).not.toContain(id);
});

it('gives the books of a period as the command line does', async () => {
  await withinOneDay(async (day) => {
    const id = await settled();
    const { html, headers } = await owner.get(
      `/dashboard/payments/accounting/export.csv?from=${day}&to=${day}`,
    );
    expect(headers.get('content-disposition')).toBe(`attachment; filename=books-${day}-to-${day}.csv`);
    const [head, ...lines] = html.trim().split('\r\n');
    expect(head).toMatch(/^type,at,intentId,reference,/);
    expect(lines.filter((line) => line.includes(id))).toHaveLength(1);
  });
  expect((await owner.get('/dashboard/payments/accounting/export.csv?from=2026-02-31&to=')).status).toBe(400);
});
