import { DataSource } from 'typeorm';
import { CheckoutIntentsService } from '../../src/modules/intents/checkout-intents.service.js';
import { IntentsJobs } from '../../src/modules/intents/intents.jobs.js';
import { ReviewsService } from '../../src/modules/intents/reviews.service.js';
import { MerchantsService } from '../../src/modules/merchants/merchants.service.js';
import { startTestAnvil, type TestAnvil } from '../support/anvil.js';
import { Money } from '../support/money.js';
import { Service } from '../support/service.js';

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
  await service.app.get(MerchantsService).set(merchantId, { acceptSeenLate: false });
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

async function receive(id: string): Promise<void> {
  await money.status(id);
  await money.record(id, { percent: 40 });
  await service.app.get(IntentsJobs).applyChanges();
}

const find = async (id: string) => (await service.app.get(CheckoutIntentsService).find(id))!;
const request = async (id: string) => (await find(id)).rescue?.request;

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
    expect((await find(id)).rescue).toMatchObject({
      open: true,
      networks: [{ network: 'ethereum', networkName: 'Ethereum' }],
      request: null,
    });
    expect(noticeOf(await post(id, { address: OTHER }))).toBe('refund-stored');
    expect(noticeOf(await post(id, { address: ` ${MINE.toLowerCase()}\n`, note: 'Order 1042' }))).toBe(
      'refund-stored',
    );
    expect(await request(id)).toMatchObject({ address: MINE, note: 'Order 1042', verified: false });
    const detail = await reviews.show(id);
    expect(detail.refundRequest).toEqual(await request(id));
    expect(detail.refundRequests.map(({ address }) => address)).toEqual([OTHER, MINE]);
    expect((await reviews.list(merchantId)).find(({ intentId }) => intentId === id)?.refundRequest).toEqual(
      detail.refundRequest,
    );
    const page = await (await fetch(`${service.config.checkoutUrl}/pay/${id}`)).text();
    expect(page).toContain(MINE);
    const rows = service.app.get(DataSource);
    await expect(rows.query(`UPDATE refund_request SET note = ''`)).rejects.toThrow('append-only');
    await expect(rows.query(`DELETE FROM refund_request`)).rejects.toThrow('append-only');
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
    await reviews.dismiss(id, 'anna', 'sent back', refund);
    expect(noticeOf(await post(id, { address: OTHER }))).toBe('refund-decided');
    expect((await find(id)).rescue).toMatchObject({
      open: false,
      networks: [],
      request: { address: MINE },
      refund: { ...refund, asset: 'USDC', networkName: 'Ethereum' },
      closedAt: expect.any(Date),
    });
    await receive(id);
    expect(noticeOf(await post(id, { address: OTHER }))).toBe('refund-stored');
    expect((await find(id)).rescue).toMatchObject({
      open: true,
      closedAt: null,
      request: { address: OTHER },
    });
  });

  it('is gone from the page of a payment that was accepted', async () => {
    const id = await short();
    await post(id, {});
    await reviews.accept(id, 'anna', 'a good customer');
    expect(await find(id)).toMatchObject({ status: 'settled', rescue: null });
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
    for (let n = 0; n < 22; n++) statuses.push((await post(id, {})).status);
    expect(statuses[0]).toBe(303);
    expect(statuses).toContain(429);
    expect((await post(id, {}, { Origin: service.config.checkoutUrl })).status).not.toBe(403);
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
