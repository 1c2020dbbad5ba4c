import { DataSource } from 'typeorm';
import { CheckoutIntentsService } from '../../../../src/modules/intents/checkout/checkout-intents.service.js';
import { IntentsService } from '../../../../src/modules/intents/lifecycle/intents.service.js';
import { ReviewsService } from '../../../../src/modules/intents/review/reviews.service.js';
import { MOST_ANNOUNCED } from '../../../../src/modules/intents/unsettled/money-announcer.js';
import { postForms } from '../../../support/dashboard/html-forms.js';
import { Staff } from '../../../support/dashboard/staff.js';
import { by } from '../../../support/intents/by.js';
import { applyAllChanges } from '../../../support/intents/decided.js';
import { Money } from '../../../support/intents/money.js';
import { SILENT_CHAIN } from '../../../support/nodes/wallet.js';
import { Service } from '../../../support/service/service.js';

// A stranger with the link of a payment sends it as many transfers as they like: dust costs some thousand gas each.

const DUST = 10_000;

let service: Service;
let dataSource: DataSource;
let money: Money;
let merchantId: string;

beforeAll(async () => {
  service = await Service.start({ chain: SILENT_CHAIN, standsAt: 1_000 });
  dataSource = service.app.get(DataSource);
  money = new Money(service);
  ({ merchantId } = await service.shop());
});
afterAll(() => service.stop());

const query = <Row>(sql: string, values: unknown[]) => dataSource.query<Row[]>(sql, values);

/** As many transfers of an atom each, final, in one transaction of the chain; and that facts changed. */
async function dusted(id: string, transfers: number): Promise<void> {
  service.leaveUncompared('facts by hand are on no chain');
  await query(
    `WITH fact AS (
       INSERT INTO transfer (id, network, txid, output, asset, family, address, subject, amount_atoms, state, block_height,
                             block_hash, block_time, final)
       SELECT 'tr_' || md5(i.id || n), q.network, '0x' || i.id, 'log:' || n, q.asset, q.family, q.watched_address, i.id, 1,
              'included', 1, '0xb', clock_timestamp(), true
         FROM intent i JOIN quote q ON q.id = i.quote_id, generate_series(1, $2::int) AS n WHERE i.id = $1)
     INSERT INTO fact_change (subject) VALUES ($1)
     ON CONFLICT (subject) DO UPDATE SET version = excluded.version`,
    [id, transfers],
  );
}

/** How many were told, by how many numbers, and of how many one transaction told at most. */
async function told(id: string) {
  const [row] = await query<{ told: number; last: number; most: number }>(
    `SELECT coalesce(sum(n), 0)::int AS told, coalesce(max(last), 0)::int AS last, coalesce(max(n), 0)::int AS most
       FROM (SELECT count(*) AS n, max(m.sequence) AS last FROM unsettled_money m JOIN event e ON e.id = m.event_id
              WHERE m.intent_id = $1 GROUP BY m.xmin) AS piece`,
    [id],
  );
  return row!;
}

it('a payment with ten thousand transfers expires, is listed, read and dismissed, and each of them is told once', async () => {
  const id = await money.picked(merchantId);
  await dusted(id, DUST);
  await money.endWindowIn(id, -1);
  const other = await money.picked(merchantId);
  await money.record(other);

  const { status, payment } = await service.app.get(IntentsService).get(merchantId, id);
  expect([status, payment?.received]).toEqual(['expired', '0.01000000']);
  expect(await told(id)).toMatchObject({ most: MOST_ANNOUNCED });
  // All but the dust, most of which is still to be told.
  await applyAllChanges(service, [id]);
  expect(await money.status(other)).toBe('settled');

  const pages = service.app.get(CheckoutIntentsService);
  const revision = async () => (await pages.revisions([id])).get(id)!;
  const before = await revision();
  expect(before.length).toBeLessThan(200);
  await query(
    `UPDATE transfer SET block_height = 2 WHERE id = (SELECT min(id) FROM transfer WHERE subject = $1)`,
    [id],
  );
  expect(await revision()).not.toBe(before);

  const reviews = service.app.get(ReviewsService);
  expect(await reviews.list(merchantId)).toMatchObject([{ intentId: id, reason: 'underpaid' }]);
  await reviews.dismiss({ whose: merchantId, id, by: by('test') }, { note: 'dust' });
  expect(await reviews.list(merchantId)).toEqual([]);

  await applyAllChanges(service);
  expect(await told(id)).toEqual({ told: DUST, last: DUST, most: MOST_ANNOUNCED });
});

it('a payment with some hundred transfers is dismissed on its page, and what came after that waits', async () => {
  const id = await money.picked(merchantId);
  await dusted(id, 300);
  await money.endWindowIn(id, -1);
  expect(await money.status(id)).toBe('expired');
  const staff = await Staff.of(service, { merchantId, role: 'owner' });
  const { html } = await staff.get(`/dashboard/review/${id}`);
  const form = postForms(html).find(({ action }) => action.endsWith('/dismiss'))!;
  const fields = Object.fromEntries(form.controls.map(({ name, value }) => [name, value]));
  const late = await money.record(id);
  await applyAllChanges(service);
  expect(await staff.post(form.action, { ...fields, note: 'dust' })).toMatchObject({ status: 303 });
  expect(await service.app.get(ReviewsService).show(merchantId, id)).toMatchObject({ transferIds: [late] });
});

it('of a payment with some hundred transfers a refund is asked for on its page', async () => {
  const id = await money.picked(merchantId);
  await dusted(id, 300);
  await money.endWindowIn(id, -1);
  expect(await money.status(id)).toBe('expired');
  const staff = await Staff.of(service, { merchantId, role: 'owner' });
  const { html } = await staff.get(`/dashboard/refunds/new?payment=${id}`);
  const form = postForms(html).find(({ action }) => action === '/dashboard/refunds/new')!;
  const fields = Object.fromEntries(form.controls.map(({ name, value }) => [name, value]));
  await money.record(id);
  await applyAllChanges(service);
  const typed = { asset: 'ethereum USDC', address: `0x${'ab'.repeat(20)}`, note: 'late' };
  const asked = await staff.post(form.action, { ...fields, ...typed });
  expect([asked.status, asked.location]).toEqual([303, expect.stringMatching(/\/dashboard\/refunds\/rf_/)]);
});
