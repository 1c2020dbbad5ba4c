import { DataSource } from 'typeorm';
import { IntentsService } from '../../../../src/modules/intents/lifecycle/intents.service.js';
import type { PaymentCursor, PaymentFilter } from '../../../../src/modules/intents/payments.types.js';
import { PaymentDetailsService } from '../../../../src/modules/intents/reporting/payment-details.service.js';
import { PaymentsService } from '../../../../src/modules/intents/reporting/payments.service.js';
import { amountOf, priceAt } from '../../../support/intents/amount.js';
import { applyAllChanges } from '../../../support/intents/decided.js';
import { EVERY_PAYMENT } from '../../../support/intents/every-payment.js';
import { Money } from '../../../support/intents/money.js';
import { startTestAnvil, type TestAnvil } from '../../../support/nodes/anvil.js';
import { Service } from '../../../support/service/service.js';

let anvil: TestAnvil;
let service: Service;
let money: Money;
let payments: PaymentsService;
let details: PaymentDetailsService;
/** Oldest first: unpaid CHF 1 to CHF 4, a settled CHF 10 in USDC, one expired with half of its money. */
let ids: string[];
let [merchantId, settled, short]: string[] = [];

async function create(
  merchant: string,
  amountMinor: bigint,
  idempotencyKey: string,
  title: string | null = null,
): Promise<string> {
  const request = { amountMinor, currency: 'CHF', title, idempotencyKey, returnUrl: null } as const;
  return (await service.app.get(IntentsService).create(merchant, request)).intent.id;
}

beforeAll(async () => {
  anvil = await startTestAnvil({ blockTimeS: 1 });
  await anvil.testClient.mine({ blocks: 70 }); // so that block 1 is final
  service = await Service.start({ chain: anvil });
  money = new Money(service);
  payments = service.app.get(PaymentsService);
  details = service.app.get(PaymentDetailsService);
  merchantId = (await service.shop()).merchantId;
  ids = [];
  for (const n of [1n, 2n, 3n, 4n]) ids.push(await create(merchantId, n * 100n, `order-${n}`));
  settled = await money.picked(merchantId);
  await money.record(settled);
  short = await money.picked(merchantId);
  await money.record(short, { percent: 50 });
  await money.endWindowIn(short, -1);
  await applyAllChanges(service);
  expect([await money.status(settled), await money.status(short)]).toEqual(['settled', 'expired']);
  // Moving the window has moved its creation, and so its place in the table.
  const rows = await service.app
    .get(DataSource)
    .query<{ id: string }[]>('SELECT id FROM intent WHERE merchant_id = $1 ORDER BY created_at, id', [
      merchantId,
    ]);
  ids = rows.map(({ id }) => id);
});
afterAll(async () => {
  await service.stop();
  await anvil.stop();
});

async function found(filter: Partial<PaymentFilter>, merchant = merchantId!): Promise<string[]> {
  const { rows } = await payments.list(merchant, { ...EVERY_PAYMENT, ...filter }, null, 50);
  return rows.map(({ id }) => id).reverse();
}

describe('the table of payments', () => {
  it('is walked to the end and back, newest first, each payment once', async () => {
    const walk = async (cursor: PaymentCursor | null) => payments.list(merchantId!, EVERY_PAYMENT, cursor, 2);
    const pages = [await walk(null)];
    while (pages.at(-1)?.older) pages.push(await walk(pages.at(-1)!.older));
    expect(pages.flatMap(({ rows }) => rows.map(({ id }) => id))).toEqual([...ids].reverse());
    expect(pages[0]?.newer).toBeNull();
    const back = await walk(pages[2]!.newer);
    expect(back.rows).toEqual(pages[1]?.rows);
    expect((await walk(back.newer)).newer).toBeNull();
  });

  it.each<[string, () => Partial<PaymentFilter>, () => (string | undefined)[]]>([
    ['a status', () => ({ statuses: ['settled', 'expired'] }), () => [short, settled]],
    ['what waits for a decision', () => ({ inReview: true }), () => [short]],
    ['an asset', () => ({ asset: 'USDC' }), () => [short, settled]],
    ['a network', () => ({ network: 'bitcoin' }), () => []],
    ['amounts', () => ({ amountFromMinor: 200n, amountToMinor: 300n }), () => ids.slice(2, 4)],
    ['a currency', () => ({ currency: 'EUR' }), () => []],
    ['times', () => ({ createdTo: new Date(0) }), () => []],
  ])('is narrowed to %s', async (_, filter, expected) => {
    const got = await found(filter());
    expect(new Set(got)).toEqual(new Set(expected()));
  });

  it('finds a payment by whatever its merchant has at hand', async () => {
    const { transfers, transitions, intent } = await details.get(merchantId!, settled!);
    const texts = [settled!, intent.depositAddress!, transfers[0]!.txid, transitions.at(-1)!.eventId];
    for (const text of texts) expect([text, await found({ search: text })]).toEqual([text, [settled]]);
    expect(await found({ search: intent.depositAddress!.toLowerCase() })).toEqual([settled]);
    expect(await found({ search: 'order-3' })).toHaveLength(1);
    for (const text of ["' OR true --", '%', 'pi_', '\u{1F4B8}'])
      expect(await found({ search: text })).toEqual([]);
  });

  it('finds parts of order keys and titles, as they are typed', async () => {
    const { merchantId: shop } = await service.shop();
    const key = await create(shop, 100n, 'order-1031');
    await create(shop, 100n, 'order-1131');
    const titled = await create(shop, 100n, 'a', 'Käse 50%_off, 1031 g');
    const all = async (search: string) => (await found({ search }, shop)).sort();
    expect(await all('1031')).toEqual([key, titled].sort());
    for (const text of ['order-1031', 'ORDER-103', 'der-1031']) expect(await all(text)).toEqual([key]);
    for (const text of ['käse', '50%_off', 'OFF, 1031', '1031 käse'])
      expect(await all(text)).toEqual([titled]);
    for (const text of ['50%off', '10%31', 'order_1031', '%%%', 'no such thing', 'käse order', '%%%off'])
      expect(await all(text)).toEqual([]);
    expect(await found({ search: '1031', statuses: ['settled'] }, shop)).toEqual([]);
  });

  it('shows nobody else’s payments, however they are asked for', async () => {
    const other = (await service.shop()).merchantId;
    const { transfers } = await details.get(merchantId!, settled!);
    for (const search of [null, settled!, transfers[0]!.txid, 'order-1']) {
      expect(await found({ search }, other)).toEqual([]);
    }
    await expect(details.get(other, settled!)).rejects.toMatchObject({ code: 'intent-not-found' });
  });

  it('is exported whole, in batches', async () => {
    const { merchantId: busy } = await service.shop();
    await Promise.all(Array.from({ length: 501 }, (_, i) => create(busy, BigInt(i + 1), `bulk-${i}`)));
    const exported = new Set<string>();
    let lines = 0;
    for await (const { id } of await payments.export(busy, EVERY_PAYMENT)) {
      lines += 1;
      exported.add(id);
    }
    expect([lines, exported.size]).toEqual([501, 501]);
  });
});

it('tells the history of a payment, from its creation to the record of its settlement', async () => {
  const detail = await details.get(merchantId!, settled!);
  expect(detail.transitions.map(({ from, to }) => [from, to])).toEqual([
    [null, 'initiated'],
    ['initiated', 'pending'],
    ['pending', 'confirmed'],
    ['confirmed', 'settled'],
  ]);
  expect(detail).toMatchObject({
    intent: { id: settled, status: 'settled', cryptoAmount: '12.50000000' },
    quotes: [
      {
        shown: true,
        asset: 'USDC',
        quoted: amountOf('12.5', 6),
        received: amountOf('12.5', 6),
        price: priceAt('0.8'),
      },
    ],
    transfers: [{ state: 'included', amount: amountOf('12.5', 6) }],
    settlement: { received: amountOf('12.5', 6), excess: { atoms: 0n }, fiatMinor: 1000n, acceptedBy: null },
    inReview: null,
  });
  expect(detail.quotes[0]?.place).toEqual({ index: expect.any(Number) as number });
  expect((await details.get(merchantId!, short!)).inReview).toBe('underpaid');
});

it('sums up the last days in UTC, with a place for every day', async () => {
  // On the day on which it was settled, also where the next one has begun.
  const [{ at }] = await service.app
    .get(DataSource)
    .query<[{ at: Date }]>('SELECT settled_at AS at FROM intent WHERE id = $1', [settled]);
  const summary = await payments.summary(merchantId!, 7, at);
  expect(summary.days).toHaveLength(7);
  expect(summary.days.at(-1)).toMatchObject({ minorByCurrency: { CHF: 1000n }, count: 1 });
  expect(summary.settled).toEqual([{ currency: 'CHF', minor: 1000n, count: 1 }]);
  expect([summary.created, summary.createdAndSettled, summary.everSettled]).toEqual([6, 1, true]);
  expect(summary.medianSettleS).toBeGreaterThan(0);
});
