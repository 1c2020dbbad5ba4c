import { DataSource } from 'typeorm';
import { ANYBODYS } from '../../../src/database/by.js';
import { newId } from '../../../src/kernel/ids.js';
import { CheckoutIntentsService } from '../../../src/modules/intents/checkout/checkout-intents.service.js';
import { PaymentDetailsService } from '../../../src/modules/intents/reporting/payment-details.service.js';
import { RefundsService } from '../../../src/modules/intents/review/refunds.service.js';
import { ReviewsService } from '../../../src/modules/intents/review/reviews.service.js';
import { MerchantsService } from '../../../src/modules/merchants/merchants.service.js';
import { Staff } from '../../support/dashboard/staff.js';
import { amountOf } from '../../support/intents/amount.js';
import { by } from '../../support/intents/by.js';
import { applyAllChanges } from '../../support/intents/decided.js';
import { type Fact, Money } from '../../support/intents/money.js';
import { startTestAnvil, type TestAnvil } from '../../support/nodes/anvil.js';
import { inOneMinute } from '../../support/service/one-minute.js';
import { Service } from '../../support/service/service.js';

const MINE = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const OTHER = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';

let anvil: TestAnvil;
let service: Service;
let money: Money;
let reviews: ReviewsService;
let merchantId: string;

beforeAll(async () => {
  anvil = await startTestAnvil({ blockTimeS: 1 });
  await anvil.testClient.mine({ blocks: 20 });
  service = await Service.start({ chain: anvil });
  money = new Money(service);
  reviews = service.app.get(ReviewsService);
  ({ merchantId } = await service.shop());
  await service.app.get(MerchantsService).set(merchantId, { acceptSeenLate: false }, by('test'));
});
afterAll(async () => {
  await service.stop();
  await anvil.stop();
});

/** An intent that expired, and then received 40 % of what was asked. */
async function short(): Promise<string> {
  const id = await money.picked(merchantId);
  await money.endWindowIn(id, -1);
  await receive(id);
  return id;
}

async function receive(id: string, fact: Fact = {}): Promise<string> {
  await money.status(id);
  const transferId = await money.record(id, { percent: 40, ...fact });
  await applyAllChanges(service);
  return transferId;
}

/** A block that the chain of these tests does not reach. */
const SHALLOW = 1_000_000;
const pageOf = async (id: string) => (await fetch(`${service.config.checkoutUrl}/pay/${id}`)).text();

const find = async (id: string) => (await service.app.get(CheckoutIntentsService).find(id))!;
const request = async (id: string) => (await find(id)).refunds?.requests.at(-1) ?? null;

function post(id: string, form: Record<string, string>, headers: Record<string, string> = {}) {
  return fetch(`${service.config.checkoutUrl}/pay/${id}/refund-address`, {
    method: 'POST',
    body: new URLSearchParams({ network: 'ethereum', address: MINE, note: '', ...form }),
    headers: { accept: 'text/html', ...headers },
    redirect: 'manual',
  });
}

function noticeOf(response: Response): string | null {
  expect(response.status).toBe(303);
  return new URL(response.headers.get('location')!, service.config.checkoutUrl).searchParams.get('notice');
}

describe('a refund address', () => {
  it('is kept in every version, shown to the buyer, and unverified to the merchant', async () => {
    const id = await short();
    expect((await find(id)).refunds).toMatchObject({
      open: true,
      networks: [{ network: 'ethereum', networkName: 'Ethereum' }],
      requests: [],
    });
    expect(noticeOf(await post(id, { address: OTHER }))).toBe('refund-stored');
    expect(noticeOf(await post(id, { address: ` ${MINE.toLowerCase()}\n`, note: 'Order 1042' }))).toBe(
      'refund-stored',
    );
    expect(await request(id)).toMatchObject({ address: MINE, note: 'Order 1042', verified: false });
    const detail = await reviews.show(ANYBODYS, id);
    expect(detail.refundRequest).toEqual(await request(id));
    expect(detail.refundRequests.map(({ address }) => address)).toEqual([OTHER, MINE]);
    expect((await reviews.list(merchantId)).find(({ intentId }) => intentId === id)?.refundRequest).toEqual(
      detail.refundRequest,
    );
    // Addresses stand in groups, each an element of its own.
    const page = (await pageOf(id)).replace(/<[^>]+>/g, '');
    expect(page).toContain(MINE);
    expect(page).toMatch(/Left before, and replaced[\s\S]*0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359/);
    const rows = service.app.get(DataSource);
    await expect(rows.query(`UPDATE refund_request SET note = ''`)).rejects.toThrow('append-only');
    await expect(rows.query(`DELETE FROM refund_request`)).rejects.toThrow('append-only');
  });

  it('is not asked for before the money is final: until then the page says that it is on its way', async () => {
    const id = await money.picked(merchantId);
    await money.endWindowIn(id, -1);
    const transferId = await receive(id, { blockHeight: SHALLOW });
    expect(await find(id)).toMatchObject({ refunds: null, quote: { received: { atoms: 0n } } });
    expect(noticeOf(await post(id, {}))).toBe('refund-decided');
    const before = await pageOf(id);
    expect(before).toContain('Money is on its way');
    expect(before).toContain('not final yet');
    expect(before).not.toContain('refund');
    await money.change(id, transferId, 'block_height = 1');
    await applyAllChanges(service);
    expect(await find(id)).toMatchObject({ refunds: { open: true }, quote: { received: amountOf('5', 6) } });
    expect(await pageOf(id)).toContain('Your money arrived, but not all of it');
  });

  it('is not asked for what was reorganised away after the settlement, nor is that shown as money', async () => {
    const id = await money.picked(merchantId);
    await receive(id, { percent: 100 });
    expect((await find(id)).status).toBe('settled');
    const extra = await receive(id, { percent: 20 });
    expect(await find(id)).toMatchObject({ refunds: { open: true }, quote: { excess: amountOf('2.5', 6) } });
    await money.change(
      id,
      extra,
      `state = 'orphaned', block_height = NULL, missing_since = clock_timestamp()`,
    );
    await applyAllChanges(service);
    const { refunds, quote } = await find(id);
    expect(refunds).toBeNull();
    expect(quote).toMatchObject({
      received: amountOf('12.5', 6),
      excess: null,
      transfers: [{ amount: amountOf('12.5', 6) }],
    });
    expect(await pageOf(id)).not.toContain('more than was asked');
  });

  it.each([
    ['a wrong checksum', { address: MINE.replace('aA', 'Aa') }, 'no address on Ethereum'],
    ['another network', { network: 'bitcoin' }, 'no address on Ethereum'],
    [
      'an address of another kind',
      { address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa' },
      'no address on Ethereum',
    ],
    ['nothing', { address: '' }, 'no address on Ethereum'],
    ['a long note', { note: 'é'.repeat(501) }, '500 characters'],
  ] as [string, Record<string, string>, string][])(
    'is not kept with %s: the form comes back as it was typed',
    async (_name, form, said) => {
      const id = await short();
      const response = await post(id, { note: 'typed', ...form });
      expect(response.status).toBe(422);
      const html = await response.text();
      expect(html).toContain(said);
      expect(html).toContain(form['note'] ?? 'typed');
      expect(await request(id)).toBeNull();
    },
  );

  it('is neither the address that was paid to nor a token’s contract', async () => {
    const id = await short();
    const { quote } = await find(id);
    for (const address of [quote!.address, quote!.address.toLowerCase(), anvil.tokens.USDC.address]) {
      const response = await post(id, { address });
      expect([response.status, await response.text()]).toEqual([
        422,
        expect.stringContaining('belongs to the payment itself'),
      ]);
    }
    expect(await request(id)).toBeNull();
  });

  it('shows what a note hides, and keeps 500 characters of any script', async () => {
    const id = await short();
    await post(id, { note: 'send\u202e it\u0000\r\nback' });
    expect((await request(id))?.note).toBe('send\ufffd it\ufffd back');
    await post(id, { note: '\u{1f9c0}'.repeat(500) });
    expect([...((await request(id))?.note ?? '')]).toHaveLength(500);
  });

  it('is asked for only while there is money that nobody has decided about', async () => {
    const unpaid = await money.picked(merchantId);
    expect(noticeOf(await post(unpaid, {}))).toBe('refund-decided');
    await money.endWindowIn(unpaid, -1);
    expect(noticeOf(await post(unpaid, {}))).toBe('refund-decided');

    const id = await short();
    await post(id, {});
    const refund = { amount: '5', txid: `0x${'ab'.repeat(32)}` };
    await reviews.dismiss({ whose: ANYBODYS, id, by: by('anna') }, { note: 'sent back', refund });
    expect(noticeOf(await post(id, { address: OTHER }))).toBe('refund-decided');
    expect((await find(id)).refunds).toMatchObject({
      open: false,
      networks: [],
      requests: [{ address: MINE }],
      refunds: [
        {
          state: 'recorded',
          txid: refund.txid,
          amount: amountOf('5', 6),
          asset: 'USDC',
          networkName: 'Ethereum',
        },
      ],
      sums: [{ asset: 'USDC', returned: amountOf('5', 6), owed: amountOf('5', 6) }],
      closedAt: expect.any(Date),
    });
    await receive(id);
    expect(noticeOf(await post(id, { address: OTHER }))).toBe('refund-stored');
    expect((await find(id)).refunds).toMatchObject({
      open: true,
      closedAt: null,
      requests: [{ address: MINE }, { address: OTHER }],
      sums: [{ returned: amountOf('5', 6), owed: amountOf('10', 6) }],
    });
    expect(await pageOf(id)).toMatch(/has recorded that it sent 5 of 10\u00a0USDC back/);
  });

  it('is gone from the page of a payment that was accepted', async () => {
    const id = await short();
    await post(id, {});
    await reviews.accept({ whose: ANYBODYS, id, by: by('anna') }, { reason: 'a good customer' });
    expect(await find(id)).toMatchObject({ status: 'settled', refunds: null });
  });
});

describe('money that nobody asked for, while the price is still waited for', () => {
  /** An open intent with ether at the address that waits for USDC. */
  async function strayed(fact: Fact = {}): Promise<string> {
    const id = await money.picked(merchantId);
    await receive(id, { asset: 'ETH', ...fact });
    return id;
  }

  it('is asked back there and then, and the payment stays open and is paid', async () => {
    const id = await strayed();
    expect(await find(id)).toMatchObject({
      status: 'initiated',
      mayCancel: false,
      refunds: { networks: [{ network: 'ethereum', networkName: 'Ethereum' }], requests: [], closedAt: null },
    });
    const before = await pageOf(id);
    expect(before).toMatch(/We found[^]*Leave a refund address[^]*Send exactly/);
    expect(noticeOf(await post(id, { address: OTHER }))).toBe('refund-stored');
    expect(noticeOf(await post(id, { note: 'wrong coin' }))).toBe('refund-stored');
    expect(await find(id)).toMatchObject({
      status: 'initiated',
      maySwitch: true,
      refunds: { requests: [{ address: OTHER }, { address: MINE, note: 'wrong coin' }] },
    });
    expect(await money.walkOf(id)).toEqual(['initiated']);
    const asked = await pageOf(id);
    expect(asked).toMatch(/Change the refund address[^]*Send exactly[^]*If it is sent back/);

    await receive(id, { percent: 100 });
    expect((await find(id)).status).toBe('settled');
    const detail = await reviews.show(ANYBODYS, id);
    expect(detail.reason).toBe('other-asset');
    expect(detail.refundRequest).toMatchObject({ address: MINE });
    const { refundRequests } = await service.app.get(PaymentDetailsService).get(merchantId, id);
    expect(refundRequests).toEqual(detail.refundRequests);
  });

  it('is not asked back before it is final, and the page says when', async () => {
    const id = await money.picked(merchantId);
    const transferId = await receive(id, { asset: 'ETH', blockHeight: SHALLOW });
    expect((await find(id)).refunds).toMatchObject({ open: false, soon: true, networks: [], requests: [] });
    expect(noticeOf(await post(id, {}))).toBe('refund-decided');
    expect(await request(id)).toBeNull();
    const before = await pageOf(id);
    expect(before).toContain('As soon as it is final');
    expect(before).not.toContain('go-refund');
    await money.change(id, transferId, 'block_height = 1');
    await applyAllChanges(service);
    expect(noticeOf(await post(id, {}))).toBe('refund-stored');
  });

  it('is asked back on no network where none of it is, nor of an intent that holds none', async () => {
    const id = await strayed();
    const other = await money.picked(merchantId);
    const response = await post(id, { network: 'bitcoin' });
    expect([response.status, await response.text()]).toEqual([
      422,
      expect.stringContaining('no address on Ethereum'),
    ]);
    expect(noticeOf(await post(other, {}))).toBe('refund-decided');
    expect([await request(id), await request(other)]).toEqual([null, null]);
  });

  it('is not a part of the price, which the merchant waits for: that is not asked back', async () => {
    const id = await money.picked(merchantId);
    await receive(id, { percent: 40 });
    expect(await find(id)).toMatchObject({ status: 'pending', refunds: null });
    expect(noticeOf(await post(id, {}))).toBe('refund-decided');
    expect(await pageOf(id)).not.toContain('go-refund');
  });

  it('leaves the page when a reorganisation takes it away', async () => {
    const id = await money.picked(merchantId);
    const transferId = await receive(id, { asset: 'ETH' });
    expect(noticeOf(await post(id, {}))).toBe('refund-stored');
    await money.change(id, transferId, `state = 'replaced', block_height = NULL`);
    expect(noticeOf(await post(id, { address: OTHER }))).toBe('refund-decided');
    expect((await find(id)).refunds).toBeNull();
  });
});

describe('what was paid too much', () => {
  const back = (amount: string) => ({ amount, txid: null });

  /** CHF 10 are 12.5 USDC. */
  async function overpaid(): Promise<string> {
    const id = await money.picked(merchantId);
    await receive(id, { percent: 120 });
    expect((await find(id)).status).toBe('settled');
    return id;
  }

  it('is asked back on the page of the paid payment, where its merchant sees it', async () => {
    const id = await overpaid();
    expect(await find(id)).toMatchObject({
      quote: { excess: amountOf('2.5', 6) },
      refunds: { open: false, networks: [{ network: 'ethereum' }], requests: [], closedAt: null },
    });
    const page = await pageOf(id);
    expect(page).toContain('2.5\u00a0USDC more than was asked');
    expect(page).toMatch(/Leave a refund address[^]*class="reference"/);
    expect(noticeOf(await post(id, { note: 'a typing error' }))).toBe('refund-stored');
    expect(await pageOf(id)).toContain('sees where you want it back');
    expect(await money.walkOf(id)).toEqual(['initiated', 'pending', 'confirmed', 'settled']);
    const proposal = await service.app.get(RefundsService).proposal(merchantId, id);
    expect(proposal).toMatchObject({
      refundable: [{ asset: 'USDC', atoms: 2_500_000n }],
      request: { address: MINE },
    });
    const staff = await Staff.of(service, { merchantId, role: 'owner' });
    const { html } = await staff.get(`/dashboard/payments/${id}`);
    expect(html).toMatch(new RegExp(`Unverified[^]*${MINE}`));
  });

  it('is asked back until it is sent back, and no more of it is recorded than there is', async () => {
    const id = await overpaid();
    await expect(
      reviews.refund({ whose: ANYBODYS, id, by: by('anna') }, { note: 'too much', refund: back('2.6') }),
    ).rejects.toThrow('No more than 2.5 USDC');
    await reviews.refund({ whose: ANYBODYS, id, by: by('anna') }, { note: 'a part', refund: back('1') });
    expect(noticeOf(await post(id, {}))).toBe('refund-stored');
    await reviews.refund({ whose: ANYBODYS, id, by: by('anna') }, { note: 'the rest', refund: back('1.5') });
    expect((await find(id)).refunds).toMatchObject({ networks: [], requests: [{ address: MINE }] });
    expect(noticeOf(await post(id, { address: OTHER }))).toBe('refund-decided');
    expect((await request(id))?.address).toBe(MINE);
  });

  it('is not asked back once more while it is on its way', async () => {
    const id = await overpaid();
    const wanted = { network: null, asset: null, amount: '2.5', address: MINE, note: 'too much' };
    await service.app.get(RefundsService).ask(merchantId, id, wanted, by('anna'));
    expect(noticeOf(await post(id, {}))).toBe('refund-decided');
    expect((await find(id)).refunds).toMatchObject({ networks: [], requests: [] });
  });

  it('is told from later money that the merchant has dismissed', async () => {
    const exact = await money.picked(merchantId);
    await receive(exact, { percent: 100 });
    await receive(exact, { percent: 20 });
    await reviews.dismiss({ whose: ANYBODYS, id: exact, by: by('anna') }, { note: 'a gift' });
    expect(noticeOf(await post(exact, {}))).toBe('refund-decided');

    const id = await overpaid();
    await receive(id, { percent: 40 });
    await reviews.dismiss({ whose: ANYBODYS, id, by: by('anna') }, { note: 'a gift' });
    expect(noticeOf(await post(id, {}))).toBe('refund-stored');
    await reviews.refund(
      { whose: ANYBODYS, id, by: by('anna') },
      { note: 'the excess', refund: back('2.5') },
    );
    expect(noticeOf(await post(id, { address: OTHER }))).toBe('refund-decided');
  });

  it('is not asked back after what paid for it has left the chain', async () => {
    const id = await money.picked(merchantId);
    const transferId = await receive(id, { percent: 120 });
    await money.change(
      id,
      transferId,
      `state = 'orphaned', block_height = NULL, missing_since = clock_timestamp()`,
    );
    await applyAllChanges(service);
    expect(noticeOf(await post(id, {}))).toBe('refund-decided');
  });
});

describe('whoever has the link', () => {
  it('posts from our own page only, not too much, and not too often', async () => {
    const id = await short();
    expect((await post(id, {}, { Origin: 'https://evil.example' })).status).toBe(403);
    expect((await post(id, { note: 'x'.repeat(9_000) })).status).toBe(413);
    expect((await post('pi_unknown', {})).status).toBe(404);
    expect(await request(id)).toBeNull();
    const statuses: number[] = [];
    await inOneMinute(service, async () => {
      for (let n = 0; n < 22; n++) statuses.push((await post(id, {})).status);
    });
    expect(statuses[0]).toBe(303);
    expect(statuses).toContain(429);
    expect((await post(id, {}, { Origin: service.config.checkoutUrl })).status).not.toBe(403);
  });

  it('counts no payments that there are not: whoever makes ids up uses up no counter', async () => {
    const madeUp = newId('pi');
    const statuses = new Set<number>();
    for (let i = 0; i < 25; i += 1) statuses.add((await post(madeUp, {})).status);
    expect([...statuses]).toEqual([404]);
  });

  it('can make twenty versions and no more', async () => {
    const id = await short();
    await service.app.get(DataSource).query(
      `INSERT INTO refund_request (id, intent_id, network, address)
         SELECT 'rfr_' || n || $1, $1, 'ethereum', $2 FROM generate_series(1, 20) n`,
      [id, OTHER],
    );
    expect(noticeOf(await post(id, {}))).toBe('refund-too-often');
    expect((await request(id))?.address).toBe(OTHER);
  });
});

it('leads from the address of a refused form back to the form', async () => {
  const id = await short();
  const response = await fetch(`${service.config.checkoutUrl}/pay/${id}/refund-address`);
  expect([response.status, response.url]).toEqual([200, `${service.config.checkoutUrl}/pay/${id}?refund=1`]);
});
