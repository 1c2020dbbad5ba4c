import { DataSource } from 'typeorm';
import { AuditLog } from '../../../src/modules/accounts/audit/audit-log.service.js';
import { BuyerActionsService } from '../../../src/modules/intents/checkout/buyer-actions.service.js';
import { CheckoutIntentsService } from '../../../src/modules/intents/checkout/checkout-intents.service.js';
import { MerchantsService } from '../../../src/modules/merchants/merchants.service.js';
import { Api } from '../../support/api/api.js';
import { choose } from '../../support/checkout/choose.js';
import { type PageAnswer, Staff } from '../../support/dashboard/staff.js';
import { by } from '../../support/intents/by.js';
import { Money } from '../../support/intents/money.js';
import { settledAt } from '../../support/intents/settled-at.js';
import { startTestAnvil, type TestAnvil } from '../../support/nodes/anvil.js';
import { withinOneDay } from '../../support/run/one-day.js';
import { eventually } from '../../support/servers/receiver.js';
import { Service, type Shop } from '../../support/service/service.js';

let anvil: TestAnvil;
let service: Service;
let shop: Shop;
let other: Shop;
let owner: Staff;

beforeAll(async () => {
  anvil = await startTestAnvil({ blockTimeS: 1 });
  service = await Service.start({ chain: anvil });
});
afterAll(async () => {
  await service.stop();
  await anvil.stop();
});
beforeEach(async () => {
  [shop, other] = [await service.shop(), await service.shop(undefined, 'Other Shop')];
  owner = await Staff.of(service, { merchantId: shop.merchantId, role: 'owner' });
});

const merchant = ({ merchantId }: Shop) => service.app.get(MerchantsService).get(merchantId);
const audited = ({ merchantId }: Shop) => service.app.get(AuditLog).list(merchantId, 10);

/** What the form sends when nothing is touched: as a browser would, from the page. */
async function fieldsOf(path: string): Promise<Record<string, string>> {
  const { html } = await owner.get(path);
  const fields: Record<string, string> = {};
  for (const [tag] of html.matchAll(/<input\b[^>]*>/g)) {
    const [name, value] = [/ name="([^"]*)"/.exec(tag)?.[1], / value="([^"]*)"/.exec(tag)?.[1] ?? ''];
    if (name === undefined || (tag.includes('checkbox') && !/ checked>/.test(tag))) continue;
    fields[name] = value;
  }
  for (const [, name = '', value = ''] of html.matchAll(/<textarea [^>]*name="(\w+)"[^>]*>([^<]*)</g))
    fields[name] = value;
  return fields;
}

async function save(path: string, changes: Record<string, string | null>): Promise<PageAnswer> {
  const fields = Object.entries({ ...(await fieldsOf(path)), ...changes });
  return owner.post(
    path,
    Object.fromEntries(fields.filter(([, value]) => value !== null)) as Record<string, string>,
  );
}

const GENERAL = '/dashboard/settings';
const PAYMENTS = '/dashboard/settings/payments';

/** A payment of so much, and what the buyer is offered for it. */
async function created(amount: number) {
  const { body } = await new Api(service, shop.key).create({ amount, currency: 'CHF' });
  const { options } = (await service.app.get(CheckoutIntentsService).find(body.id))!;
  return { id: body.id, options };
}

async function quoteOf(id: string, asset = 'USDC') {
  await choose(service, id, 'ethereum', asset);
  const [quote] = await service.app.get(DataSource).query<[Record<string, unknown>]>(
    `SELECT tolerance_bps AS tolerance, spread_bps AS spread, confirmation_depth AS confirmed,
              settlement_depth AS settled, amount_atoms AS atoms FROM quote WHERE intent_id = $1`,
    [id],
  );
  return quote;
}

describe('General', () => {
  it('saves what buyers see of the merchant, and records who changed what', async () => {
    const alerts = 'a@shop.example\nb@shop.example';
    const answer = await save(GENERAL, {
      name: 'Alpine Coffee',
      support: 'https://alpine.example/help',
      alerts,
    });
    expect([answer.status, answer.location]).toEqual([303, GENERAL]);
    expect(await merchant(shop)).toMatchObject({
      name: 'Alpine Coffee',
      supportContact: 'https://alpine.example/help',
      alertEmails: ['a@shop.example', 'b@shop.example'],
    });
    const { id } = await created(10);
    const page = await (await fetch(`${service.config.checkoutUrl}/pay/${id}`)).text();
    expect(page).toContain('href="https://alpine.example/help"');
    const [entry] = await audited(shop);
    expect(entry).toMatchObject({ actor: owner.email, action: 'settings.changed', subject: shop.merchantId });
    expect(entry!.detail).toMatchObject({ changes: { name: ['Test Shop', 'Alpine Coffee'] } });
    expect((await merchant(other)).name).toBe('Other Shop');
    expect(await audited(other)).toEqual([]);
  });

  it.each([
    [{ name: ' ' }, 'The name has 1 to 100 characters.'],
    [{ name: 'x'.repeat(101) }, 'The name has 1 to 100 characters.'],
    [{ support: 'javascript:alert(1)' }, 'The support contact is'],
    [{ support: 'http://shop.example' }, 'The support contact is'],
    [{ support: 'https://user:secret@shop.example' }, 'The support contact is'],
    [{ alerts: 'a@shop.example, nobody' }, 'Alerts go to at most 10 plain addresses'],
  ])('refuses %j, keeps it in the form, and changes nothing', async (fields, problem) => {
    const before = [await merchant(shop), await audited(shop)];
    const answer = await save(GENERAL, { name: 'Typed Name', ...fields });
    expect([answer.status, answer.html.includes(problem)]).toEqual([422, true]);
    for (const typed of Object.values(fields)) expect(answer.html).toContain(typed.trim());
    expect([await merchant(shop), await audited(shop)]).toEqual(before);
  });

  it('says what was refused in the place of the reminder of a second factor, so that the form stays where it was', async () => {
    const reminder = 'Signing in takes a password alone.';
    expect((await owner.get(GENERAL)).html).toContain(reminder);
    const refused = await save(GENERAL, { support: 'ring us' });
    expect([refused.status, refused.html.includes('One field needs another answer')]).toEqual([422, true]);
    expect(refused.html).not.toContain(reminder);
  });

  it('shows others what is set, and lets them change nothing', async () => {
    const reviewer = await Staff.of(service, { merchantId: shop.merchantId, role: 'reviewer' });
    for (const path of [GENERAL, PAYMENTS]) {
      const { status, html } = await reviewer.get(path);
      expect([status, html.includes('Only an owner'), html.includes('type="submit">Save')]).toEqual([
        200,
        true,
        false,
      ]);
      expect((await reviewer.post(path, { name: 'Mine' })).status).toBe(403);
    }
    expect((await merchant(shop)).name).toBe('Test Shop');
  });
});

describe('Payments', () => {
  it('gives the next quote the tolerance, the spread and the depths of the page', async () => {
    const { id: earlier } = await created(10);
    const before = await quoteOf(earlier);
    const answer = await save(PAYMENTS, {
      tolerance: '0.5',
      spread: '2 %',
      'confirm-ethereum': '2',
      'settle-0-ethereum': '4',
    });
    expect([answer.status, answer.location]).toEqual([303, PAYMENTS]);
    const { id } = await created(10);
    const quote = await quoteOf(id);
    expect(quote).toMatchObject({ tolerance: 50, spread: 200, confirmed: '2', settled: '4' });
    expect(Number(quote.atoms)).toBeGreaterThan(Number(before.atoms));
    expect(await quoteOf(earlier)).toEqual(before); // a quote that was made is kept
    expect(await quoteOf((await created(500)).id)).toMatchObject({ settled: '6' }); // the default of the next tier
    expect((await fieldsOf(PAYMENTS))['settle-0-ethereum']).toBe('4');
    const [entry] = await audited(shop);
    expect(entry!.detail).toMatchObject({
      changes: { toleranceBps: [0, 50], 'networkTerms.ethereum.confirmationDepth': [null, 2] },
    });
    expect((await merchant(other)).toleranceBps).toBe(0);
  });

  it('offers what is accepted, from its smallest payment on', async () => {
    await save(PAYMENTS, { 'accept-USDT-ethereum': null, 'minimum-ETH-ethereum': '25' });
    const { options, id } = await created(24.99);
    expect(options.map(({ asset, closed }) => [asset, closed])).toEqual([
      ['ETH', 'below_minimum'],
      ['USDC', null],
    ]);
    const buyer = service.app.get(BuyerActionsService);
    for (const asset of ['USDT', 'ETH'])
      expect(await buyer.pick(id, 'ethereum', asset)).toBe('option-closed');
    const enough = await created(25);
    expect(enough.options.find(({ asset }) => asset === 'ETH')?.closed).toBeNull();
    await save(PAYMENTS, { 'accept-USDT-ethereum': 'yes', 'minimum-ETH-ethereum': '' });
    expect((await created(1)).options.map(({ closed }) => closed)).toEqual([null, null, null]);
  });

  it('keeps standing rules', async () => {
    await save(PAYMENTS, {
      'seen-late': null,
      'short-percent': '1.25',
      'short-amount': '0.50',
      'late-minutes': '30',
      'late-move': '1',
    });
    expect(await merchant(shop)).toMatchObject({
      acceptSeenLate: false,
      acceptShortBps: 125,
      acceptShortMinor: 50,
      acceptLateMinutes: 30,
      acceptLateMoveBps: 100,
    });
    expect((await fieldsOf(PAYMENTS))['short-amount']).toBe('0.50');
  });

  it('offers a tolerance until somebody has chosen one, be it none', async () => {
    const offer = 'Accept up to 1 % less';
    const step = async () =>
      /<li( class="done")?>(?:(?!<li).)*arrive a little short/s.exec((await owner.get('/dashboard')).html);
    expect((await owner.get(PAYMENTS)).html).toContain(offer);
    expect((await step())![1]).toBeUndefined();
    await save(PAYMENTS, {}); // a form that was saved as it was chooses nothing
    expect((await owner.get(PAYMENTS)).html).toContain(offer);
    expect((await owner.post(`${PAYMENTS}/tolerance`, { accept: 'no' })).location).toBe(PAYMENTS);
    expect((await owner.get(PAYMENTS)).html).not.toContain(offer);
    expect((await step())![1]).toBeDefined();
    expect(await merchant(shop)).toMatchObject({ toleranceBps: 0, toleranceChosen: true });
    const [entry] = await audited(shop);
    expect(entry!.detail).toEqual({ changes: { toleranceChosen: [false, true] } });
    expect((await owner.post(`${PAYMENTS}/tolerance`, { accept: 'yes' })).location).toBe(PAYMENTS);
    expect(await merchant(shop)).toMatchObject({ toleranceBps: 100, toleranceChosen: true });
    await service.app.get(MerchantsService).set(other.merchantId, { toleranceBps: 50 }, by('test'));
    expect(await merchant(other)).toMatchObject({ toleranceChosen: true });
  });

  it('says what was accepted short last month, without what a person accepted', async () => {
    const money = new Money(service);
    const { merchantId } = shop;
    await service.app
      .get(MerchantsService)
      .set(merchantId, { toleranceBps: 100, acceptShortBps: 500 }, by('test'));
    const query = (sql: string, values: unknown[]) => service.app.get(DataSource).query(sql, values);
    /** When they were settled: written on the day on which the page is read. */
    const dated = new Map<string, string>();
    const settlesAt = async (id: string, when: string) => {
      await eventually(
        () => money.status(id),
        (status) => status === 'settled',
      );
      dated.set(id, when);
    };
    const settled = async (percent: number, when: string, of = merchantId) => {
      const id = await money.picked(of);
      await money.record(id, { percent });
      await settlesAt(id, when);
    };
    /** What a tolerance did not take, until its window has ended. */
    const short = async (percent: number) => {
      const id = await money.picked(merchantId);
      // In time: the two statements may be less than the millisecond apart by which the window ends before the second.
      const seen = await money.record(id, { percent, blockTime: `clock_timestamp() - interval '1 second'` });
      await money.endWindowIn(id, -1);
      return { id, seen };
    };
    await anvil.testClient.mine({ blocks: 70 });
    const start = `date_trunc('month', clock_timestamp() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'`;
    const lastMonth = `${start} - interval '1 day'`;
    expect((await owner.get(PAYMENTS)).html).toContain('nothing was accepted short without you');
    await settled(99.5, lastMonth);
    await settled(99.2, `${start} - interval '1 month'`);
    await settlesAt((await short(96)).id, lastMonth); // by the rule
    const byHand = await short(90);
    await eventually(
      () => money.status(byHand.id),
      (status) => status === 'expired',
    );
    await owner.post(`/dashboard/review/${byHand.id}/accept`, { note: 'known', seen: [byHand.seen] });
    await settlesAt(byHand.id, lastMonth);
    await settled(100, lastMonth); // whole
    await settled(99.5, start); // this month
    await settled(99.5, `${start} - interval '1 month' - interval '1 second'`); // the month before
    await service.app.get(MerchantsService).set(other.merchantId, { toleranceBps: 100 }, by('test'));
    await settled(99.5, lastMonth, other.merchantId);
    // Of 10.00 each: 0.05 and 0.08 by the tolerance, 0.40 by the rule. Said in the box where it is offered and changed.
    const box = () =>
      withinOneDay(async () => {
        for (const [id, when] of dated) await settledAt(service.app.get(DataSource), id, when);
        return /<section class="card".*?<\/section>/s.exec((await owner.get(PAYMENTS)).html)?.[0] ?? '';
      });
    const cost = /accepted short without you cost you CHF\u00a00\.53 \(3 payments\)\./;
    expect(await box()).toMatch(cost);
    expect(await box()).toContain('name="tolerance"');
    await query('UPDATE merchant SET tolerance_chosen = false WHERE id = $1', [merchantId]);
    expect(await box()).toMatch(cost);
    expect(await box()).toContain('Accept up to 1 % less');
    expect(await box()).toContain('name="tolerance"');
  });

  it('leaves no record of a change that changes nothing', async () => {
    const before = await audited(shop);
    for (const path of [GENERAL, PAYMENTS]) expect((await save(path, {})).status).toBe(303);
    expect(await audited(shop)).toEqual(before);
  });

  it.each<[Record<string, string | null>, string]>([
    [{ tolerance: '10.01' }, 'The tolerance is 0 to 10 %'],
    [{ tolerance: '0.005' }, 'The tolerance is 0 to 10 %'],
    [{ spread: 'some' }, 'The spread is 0 to 10 %'],
    [{ 'short-percent': '101' }, '0 to 100 %'],
    [{ 'short-amount': '0.001' }, 'an amount from 0 to 999999.99'],
    [{ 'late-minutes': '1.5', 'late-move': '1' }, 'whole number of minutes'],
    [{ 'late-minutes': '10' }, 'Late money needs both'],
    [{ 'minimum-USDC-ethereum': 'lots' }, 'The smallest payment in USDC on Ethereum'],
    [{ 'confirm-ethereum': '0' }, 'A depth on Ethereum is a number of blocks from 1 to 6, '],
    [{ 'settle-1-ethereum': 'latest' }, 'A depth on Ethereum'],
    [{ 'settle-3-ethereum': '7' }, 'A depth on Ethereum'],
    [{ 'settle-2-ethereum': '1' }, 'must not wait for less'],
    [{ 'confirm-ethereum': '5' }, 'nor settle before it is confirmed'],
    [
      { 'accept-ETH-ethereum': null, 'accept-USDC-ethereum': null, 'accept-USDT-ethereum': null },
      'Accept at least one asset',
    ],
  ])('refuses %j, keeps it in the form, and changes nothing', async (fields, problem) => {
    const before = [await merchant(shop), await audited(shop)];
    const answer = await save(PAYMENTS, fields);
    expect([answer.status, answer.html.includes(problem)]).toEqual([422, true]);
    for (const [name, typed] of Object.entries(fields))
      if (typed !== null) expect(answer.html).toMatch(new RegExp(`name="${name}"[^>]* value="${typed}"`));
    expect([await merchant(shop), await audited(shop)]).toEqual(before);
  });
});
