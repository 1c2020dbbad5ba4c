import { DataSource } from 'typeorm';
import { ANYBODYS } from '../../../../src/database/by.js';
import {
  type AccountingRow,
  ExportsService,
} from '../../../../src/modules/intents/reporting/exports.service.js';
import { ReviewsService } from '../../../../src/modules/intents/review/reviews.service.js';
import { MerchantsService } from '../../../../src/modules/merchants/merchants.service.js';
import { by } from '../../../support/intents/by.js';
import { applyAllChanges } from '../../../support/intents/decided.js';
import { type Fact, Money } from '../../../support/intents/money.js';
import { startTestAnvil, type TestAnvil } from '../../../support/nodes/anvil.js';
import { Service } from '../../../support/service/service.js';

/** Everything that these tests write. */
const EVER = { from: new Date('2020-01-01T00:00:00Z'), to: new Date('2100-01-01T00:00:00Z') };

let anvil: TestAnvil;
let service: Service;
let money: Money;
let accounting: ExportsService;
let reviews: ReviewsService;

beforeAll(async () => {
  anvil = await startTestAnvil({ blockTimeS: 1 });
  await anvil.testClient.mine({ blocks: 20 });
  service = await Service.start({ chain: anvil });
  money = new Money(service);
  accounting = service.app.get(ExportsService);
  reviews = service.app.get(ReviewsService);
});
afterAll(async () => {
  await service.stop();
  await anvil.stop();
});

async function shop(): Promise<string> {
  const { merchantId } = await service.shop();
  await service.app.get(MerchantsService).set(merchantId, { acceptSeenLate: false }, by('test'));
  return merchantId;
}

async function receive(id: string, fact: Fact = {}): Promise<string> {
  const transferId = await money.record(id, fact);
  await applyAllChanges(service);
  return transferId;
}

async function expiredWith(merchantId: string, percent: number): Promise<string> {
  const id = await money.picked(merchantId);
  await money.endWindowIn(id, -1);
  await money.status(id);
  await receive(id, { percent });
  return id;
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

const rowsOf = (merchantId: string, period = EVER): Promise<AccountingRow[]> =>
  all(accounting.rows(merchantId, period));
const textOf = async (chunks: AsyncIterable<string>) => (await all(chunks)).join('');

describe('the books of a period', () => {
  it('say of a payment what was charged, quoted and received, and what it rested on', async () => {
    const merchantId = await shop();
    const id = await money.picked(merchantId);
    const transferId = await receive(id, { percent: 110 });
    const [row] = await rowsOf(merchantId);
    expect(row).toEqual({
      type: 'payment',
      at: expect.stringMatching(/Z$/),
      intentId: id,
      reference: null,
      title: null,
      currency: 'CHF',
      amount: '10.00',
      asset: 'USDC',
      network: 'ethereum',
      quoted: '12.500000',
      received: '13.750000',
      excess: '1.250000',
      fiatReceived: '11.00',
      rate: '0.8',
      spreadBps: 0,
      rateSources: [{ name: 'sandbox', price: '0.8', at: expect.any(String) }],
      quotedAt: expect.any(String),
      txids: [transferId.replace('_', '')],
      networkFee: 'unknown',
      decidedBy: null,
      reason: null,
      refunded: null,
      in: '13.750000',
      out: null,
    });
  });

  it('name who accepted what was short and why, and every refund that was recorded', async () => {
    const merchantId = await shop();
    const short = await expiredWith(merchantId, 90);
    await reviews.accept({ whose: ANYBODYS, id: short, by: by('anna') }, { reason: 'a good customer' });
    const back = await expiredWith(merchantId, 40);
    await reviews.dismiss(
      { whose: ANYBODYS, id: back, by: by('ben') },
      { note: 'sent back', refund: { amount: '4.99', txid: '0xbeef' } },
    );
    const dropped = await expiredWith(merchantId, 1);
    await reviews.dismiss({ whose: ANYBODYS, id: dropped, by: by('ben') }, { note: 'not worth it' });
    expect(await rowsOf(merchantId)).toMatchObject([
      {
        type: 'money',
        intentId: short,
        received: '11.250000',
        in: '11.250000',
        out: null,
        reason: 'underpaid',
      },
      {
        type: 'payment',
        intentId: short,
        received: '11.250000',
        in: '0.000000',
        decidedBy: 'anna',
        reason: 'a good customer',
      },
      { type: 'money', intentId: back, in: '5.000000' },
      {
        type: 'refund',
        intentId: back,
        refunded: '4.99',
        out: '4.990000',
        asset: 'USDC',
        network: 'ethereum',
        txids: ['0xbeef'],
        decidedBy: 'ben',
        reason: 'sent back',
        received: null,
      },
      { type: 'money', intentId: dropped, in: '0.125000', decidedBy: null },
      { type: 'dismissal', intentId: dropped, decidedBy: 'ben', reason: 'not worth it', in: null, out: null },
    ]);
  });

  it('are half-open: the first instant is in, the last is not, and nobody else’s money is', async () => {
    const merchantId = await shop();
    const id = await money.picked(merchantId);
    await receive(id);
    const at = new Date((await rowsOf(merchantId))[0]!.at);
    const ids = async (period: { from: Date; to: Date }) =>
      (await rowsOf(merchantId, period)).map(({ intentId }) => intentId);
    expect(await ids({ from: at, to: new Date(at.getTime() + 1) })).toEqual([id]);
    expect(await ids({ from: EVER.from, to: at })).toEqual([]);
    expect(await rowsOf(await shop())).toEqual([]);
  });

  it('have every row once, in order, however many pages of the database they are', async () => {
    const merchantId = await shop();
    const id = await expiredWith(merchantId, 40);
    // Refunds of one microsecond each: a page that began at a millisecond would lose or repeat them.
    await service.app.get(DataSource).query(
      `ALTER TABLE review_decision DISABLE TRIGGER review_decision_refund;
       ALTER TABLE review_decision DROP CONSTRAINT review_decision_refund_is_whole`,
    );
    await service.app.get(DataSource).query(
      `INSERT INTO review_decision (id, intent_id, kind, actor, note, transfers, refund_amount, created_at)
       SELECT 'rev_' || lpad(n::text, 6, '0'), $1, 'refund', 'anna', 'n' || n, ARRAY['tr_none'], n::text,
              now() + make_interval(secs => (n / 3) / 1000000.0)
       FROM generate_series(1, 1203) n`,
      [id],
    );
    const rows = (await rowsOf(merchantId)).filter(({ type }) => type === 'refund');
    expect(rows.map(({ refunded }) => refunded)).toEqual(
      Array.from({ length: 1203 }, (_, index) => String(index + 1)),
    );
    expect(rows[0]).toMatchObject({ asset: null, network: null });
  });

  it('are refused for a period that ends before it begins, and for no merchant, before the first byte', async () => {
    const merchantId = await shop();
    const wrong = { from: EVER.to, to: EVER.from };
    await expect(textOf(accounting.csv(merchantId, wrong))).rejects.toThrow('from < to');
    await expect(textOf(accounting.csv('mer_unknown', EVER))).rejects.toThrow();
  });
});

it('are CSV that a spreadsheet shows and never runs, and JSON of the same rows', async () => {
  const merchantId = await shop();
  const id = await expiredWith(merchantId, 95);
  await reviews.accept(
    { whose: ANYBODYS, id, by: by('anna') },
    { reason: '=HYPERLINK("https://evil.example","ok"), they said' },
  );
  const [heading, arrived, line, end] = (await textOf(accounting.csv(merchantId, EVER))).split('\r\n');
  expect(heading).toMatch(/^type,at,intentId,reference,title,currency,amount,/);
  expect(arrived).toMatch(/^money,.*,CHF,10\.00,USDC,ethereum,,11\.875000,/);
  expect(line).toContain(',CHF,10.00,USDC,ethereum,12.500000,11.875000,0.000000,9.50,0.8,0,sandbox 0.8,');
  expect(line).toContain(`"'=HYPERLINK(""https://evil.example"",""ok""), they said"`);
  expect(end).toBe('');
  expect(JSON.parse(await textOf(accounting.json(merchantId, EVER)))).toEqual(await rowsOf(merchantId));
  const nobody = await shop();
  expect(await textOf(accounting.json(nobody, EVER))).toBe('[]\n');
  expect(await textOf(accounting.csv(nobody, EVER))).toBe(`${heading}\r\n`);
});
