import { isDeepStrictEqual } from 'node:util';
import { Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ExportsService } from '../../../src/modules/intents/reporting/exports.service.js';
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

it('says that the books’ last day comes before the first, on a page', async () => {
  const { status, headers, html } = await owner.get(
    '/dashboard/payments/accounting/export.csv?from=2026-11-21&to=2026-11-19',
  );
  expect([status, headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
  expect(headers.get('content-disposition')).toBeNull();
  expect(html).toContain('The period ends after it begins');
});

describe('a download', () => {
  const BOOKS = '/dashboard/payments/accounting/export.csv';
  const failures: unknown[] = [];
  let logged: jest.SpyInstance;
  beforeEach(() => {
    failures.length = 0;
    logged = jest.spyOn(Logger.prototype, 'error').mockImplementation((words: unknown) => {
      failures.push(words);
    });
  });
  afterEach(() => logged.mockRestore());
  const download = (lines: () => AsyncGenerator<string>, signal: AbortSignal | null = null) => {
    jest.spyOn(service.app.get(ExportsService), 'csv').mockImplementationOnce(lines);
    return fetch(service.url + BOOKS, { headers: { cookie: owner.cookie, accept: 'text/html' }, signal });
  };

  it('that fails before its first line is a page that says so', async () => {
    const answer = await download(async function* () {
      await Promise.resolve();
      throw new Error('no first line');
    });
    expect([answer.status, answer.headers.get('content-disposition')]).toEqual([500, null]);
    expect(await answer.text()).toContain('Something went wrong on our side');
    expect(failures).toMatchObject([{ err: { message: 'no first line' }, path: BOOKS }]);
  });

  it('that fails in the middle is cut off, and leaves a line in the log', async () => {
    const answer = await download(async function* () {
      yield await Promise.resolve('a line\r\n');
      throw new Error('no second line');
    });
    await expect(answer.text()).rejects.toThrow('terminated');
    await eventually(
      () => Promise.resolve(failures),
      ({ length }) => length > 0,
    );
    expect(failures).toMatchObject([{ err: { message: 'no second line' }, path: BOOKS }]);
  });

  it('that its reader leaves stops the reading, and leaves none', async () => {
    let isStopped = false;
    const leaving = new AbortController();
    const answer = await download(async function* () {
      try {
        for (;;) yield await Promise.resolve('a line\r\n'.repeat(1_000));
      } finally {
        isStopped = true;
      }
    }, leaving.signal);
    const { headers } = answer;
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename=books-/);
    leaving.abort();
    await eventually(() => Promise.resolve(isStopped), Boolean);
    // The next one is answered after whatever was said of it.
    expect((await owner.get(`${BOOKS}?from=2026-02-31`)).status).toBe(400);
    expect(failures).toEqual([]);
  });
});
