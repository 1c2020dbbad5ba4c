import { DataSource } from 'typeorm';
import { addIntentCommands } from '../../../../src/cli/commands/payments/intents.commands.js';
import { ANYBODYS, type By } from '../../../../src/database/by.js';
import type { IntentStatus } from '../../../../src/kernel/intent-status.js';
import { AlertsService } from '../../../../src/modules/alerts/alerts.service.js';
import { sayIn } from '../../../../src/modules/dashboard/language/say.js';
import { causeMessage } from '../../../../src/modules/dashboard/payments/messages.js';
import type { IntentChange } from '../../../../src/modules/intents/intents.types.js';
import { IntentRepairService } from '../../../../src/modules/intents/lifecycle/intent-repair.service.js';
import { IntentsService } from '../../../../src/modules/intents/lifecycle/intents.service.js';
import { StatusWriter } from '../../../../src/modules/intents/lifecycle/status-writer.js';
import { Undecidable } from '../../../../src/modules/intents/lifecycle/undecidable.js';
import { ReviewsService } from '../../../../src/modules/intents/review/reviews.service.js';
import { MerchantsService } from '../../../../src/modules/merchants/merchants.service.js';
import { Staff } from '../../../support/dashboard/staff.js';
import { amountOf } from '../../../support/intents/amount.js';
import { by } from '../../../support/intents/by.js';
import { sweepAllOverdue } from '../../../support/intents/decided.js';
import { Money } from '../../../support/intents/money.js';
import { startTestAnvil, type TestAnvil } from '../../../support/nodes/anvil.js';
import { eventually } from '../../../support/servers/receiver.js';
import { commandLine } from '../../../support/service/command-line.js';
import { Service } from '../../../support/service/service.js';

let anvil: TestAnvil;
let service: Service;
let money: Money;
let merchantId: string;

beforeAll(async () => {
  anvil = await startTestAnvil({ blockTimeS: 1 });
  await anvil.testClient.mine({ blocks: 20 }); // so that block 1 is deep enough for anything
  service = await Service.start({ chain: anvil });
  money = new Money(service);
  merchantId = (await service.shop()).merchantId;
});
afterAll(async () => {
  await service?.stop();
  await anvil?.stop();
});

const repair = () => service.app.get(IntentRepairService);
const query = <Row>(sql: string, values: unknown[] = []) =>
  service.app.get(DataSource).query<Row[]>(sql, values);
const setPrice = (id: string, price: string) =>
  query('UPDATE quote SET price = $2 WHERE intent_id = $1', [id, price]);

/** Money arrives, but the row that must price it holds no price. @returns the price that was there */
async function broken(): Promise<{ id: string; price: string }> {
  const id = await money.picked(merchantId);
  const [row] = await query<{ price: string }>('SELECT price FROM quote WHERE intent_id = $1', [id]);
  await setPrice(id, 'no price');
  await money.record(id);
  return { id, price: row!.price };
}
const givenUp = (id: string) =>
  eventually(
    () => repair().show(id),
    ({ undecided }) => undecided !== null,
  );

it('a payment that cannot be decided says why, holds up no other, and goes on when its row is mended', async () => {
  const { id, price } = await broken();
  const other = await money.picked(merchantId);
  await money.record(other);
  expect(await givenUp(id)).toMatchObject({
    id,
    undecided: { message: expect.stringContaining('holds no price') },
  });
  await eventually(
    () => money.status(other),
    (status) => status === 'settled',
  );

  const place = { databaseUrl: service.config.databaseUrl, rpcUrl: anvil.rpcUrl, tokens: anvil.tokens };
  const shown = await commandLine(place, addIntentCommands, 'intent', 'show', id);
  expect(shown).toMatchObject({ id, undecided: { message: expect.stringContaining('holds no price') } });
  await expect(repair().decide({ whose: ANYBODYS, id, by: by('test') })).rejects.toThrow('holds no price');
  const page = await (
    await Staff.of(service, { merchantId, role: 'owner' })
  ).get(`/dashboard/payments/${id}`);
  expect([page.status, page.html]).toEqual([
    200,
    expect.stringContaining('the recorded price cannot be read'),
  ]);
  await expect(repair().close({ whose: ANYBODYS, id, by: by('test') }, 'expired', 'a note')).rejects.toThrow(
    'Its window is open',
  );

  await setPrice(id, price);
  expect(await repair().decide({ whose: ANYBODYS, id, by: by('test') })).toMatchObject({
    id,
    status: 'settled',
  });
  expect(await repair().show(id)).toMatchObject({ status: 'settled', undecided: null });
  await expect(repair().close({ whose: ANYBODYS, id, by: by('test') }, 'expired', 'a note')).rejects.toThrow(
    'Nothing says that it cannot be decided',
  );
});

it('takes nobody the list of the others when its window has ended', async () => {
  const shop = await service.shop();
  const id = await money.picked(shop.merchantId);
  const other = await money.picked(shop.merchantId);
  await setPrice(id, 'no price');
  await money.record(id);
  await givenUp(id);
  await money.endWindowIn(id, -1);
  await money.endWindowIn(other, -1);
  const all = { merchantId: shop.merchantId, createdFrom: null, createdTo: null, idempotencyKey: null };
  const listed = (statuses: IntentStatus[] | null) =>
    service.app.get(IntentsService).list({ ...all, statuses }, 1, 20);
  expect((await listed(null)).items.map((intent) => [intent.id, intent.status]).sort()).toEqual(
    [
      [id, 'initiated'],
      [other, 'expired'],
    ].sort(),
  );
  expect(await listed(['expired'])).toMatchObject({ total: 1, items: [{ id: other }] });
  const owner = await Staff.of(service, { merchantId: shop.merchantId, role: 'owner' });
  for (const path of ['/dashboard/payments', '/dashboard/payments/export.csv'])
    expect(await owner.get(path)).toMatchObject({ status: 200, html: expect.stringContaining(other) });
});

it('is not shown as it was in a list when the database merely gave up', async () => {
  const shop = await service.shop();
  const id = await money.picked(shop.merchantId);
  await query(
    `CREATE FUNCTION give_up() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN RAISE 'canceling statement due to lock timeout' USING ERRCODE = '55P03'; END $$`,
  );
  await query(
    `CREATE TRIGGER give_up BEFORE UPDATE ON intent FOR EACH ROW
     WHEN (NEW.id = '${id}' AND NEW.status <> OLD.status) EXECUTE FUNCTION give_up()`,
  );
  // As if nobody had seen it fail yet; the sweeper goes on in the meantime.
  const known = jest.spyOn(service.app.get(Undecidable), 'has').mockReturnValue(false);
  await money.endWindowIn(id, -1);
  const owner = await Staff.of(service, { merchantId: shop.merchantId, role: 'owner' });
  const paths = ['/dashboard/payments', '/dashboard/payments/export.csv'];
  try {
    for (const path of paths) expect(await owner.get(path)).toMatchObject({ status: 503 });
  } finally {
    known.mockRestore();
    await query('DROP TRIGGER give_up ON intent');
  }
  for (const path of paths)
    expect(await owner.get(path)).toMatchObject({ status: 200, html: expect.stringContaining(id) });
  expect(await money.status(id)).toBe('expired');
});

const alertOf = (id: string) => service.app.get(AlertsService).standing('intent-undecidable', id);
const sawNobody = (id: string) =>
  query(`UPDATE alert SET last_raised_at = last_raised_at - interval '3 minutes' WHERE subject = $1`, [id]);

/**
 * When no failure of today is a recent one. Not by the process's clock: the service's jobs go on beside, and what they tell by it
 * of the database's time, of leases and of connections would be of another hour.
 */
async function sweepLater(): Promise<void> {
  const failing = service.app.get(Undecidable)['failing'];
  for (const [id, failure] of failing) failing.set(id, { ...failure, atMs: failure.atMs - 180_000 });
  await sweepAllOverdue(service);
}

it('its alert is over also when a page decided, and the jobs that failed find nothing to do any more', async () => {
  const undecidable = service.app.get(Undecidable);
  const attempt = undecidable.try.bind(undecidable);
  const jobs = jest.spyOn(undecidable, 'try').mockResolvedValue(false);
  const { id, price } = await broken();
  try {
    for (let times = 0; times < 3; times += 1)
      expect(await attempt(id, () => service.app.get(StatusWriter).advance(id))).toBe(false);
    await money.endWindowIn(id, -1);
    await setPrice(id, price);
    const page = await fetch(`${service.config.checkoutUrl}/pay/${id}`, { headers: { accept: 'text/html' } });
    expect(page.status).toBe(200);
    await query('DELETE FROM fact_change WHERE subject = $1', [id]);
  } finally {
    jobs.mockRestore();
  }
  expect(await alertOf(id)).not.toBeNull();
  await sawNobody(id);
  await sweepLater();
  expect(await alertOf(id)).toBeNull();
});

it('an alert of before a restart is over when a try goes through, acknowledged or not, and no sooner', async () => {
  const [decided, failing] = [await money.picked(merchantId), await money.picked(merchantId)];
  // It has ended, and the money that came afterwards cannot be judged.
  await money.endWindowIn(failing, -1);
  expect(await money.status(failing)).toBe('expired');
  await query(
    `CREATE FUNCTION break_entry() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'out of order'; END $$`,
  );
  await query(
    `CREATE TRIGGER break_entry BEFORE INSERT ON review_entry FOR EACH ROW WHEN (NEW.intent_id = '${failing}')
     EXECUTE FUNCTION break_entry()`,
  );
  await service.app.get(DataSource).transaction(async (tx) => {
    await money.record(failing, {}, tx);
    await tx.query('DELETE FROM fact_change WHERE subject = $1', [failing]);
  });
  const alerts = service.app.get(AlertsService);
  const { manager } = service.app.get(DataSource);
  for (const subject of [decided, failing]) {
    const about = { kind: 'intent-undecidable', subject, merchantId: null } as const;
    await alerts.raise(manager, { ...about, summary: 'It fails', detail: 'So.' });
    const alert = await alertOf(subject);
    await alerts.acknowledge(manager, alert!.id, by('ann'), { note: null, whose: null });
    await sawNobody(subject);
  }
  await sweepAllOverdue(service);
  expect(await alertOf(decided)).toBeNull();
  expect(await alertOf(failing)).not.toBeNull();
  await query('DROP TRIGGER break_entry ON review_entry');
  await sweepLater();
  expect(await alertOf(failing)).toBeNull();
});

it('as a last resort it is closed, only as what it was, and its money is in the queue', async () => {
  const { id, price } = await broken();
  await givenUp(id);
  await money.endWindowIn(id, -1);
  const closed: unknown[] = [];
  const ann: By = {
    name: 'ann',
    record: (_tx, change) => {
      closed.push(change);
      return Promise.resolve();
    },
  };
  await expect(repair().close({ whose: ANYBODYS, id, by: ann }, 'failed', 'gone for good')).rejects.toThrow(
    'never complete',
  );
  expect(closed).toEqual([]);
  expect(await repair().close({ whose: ANYBODYS, id, by: ann }, 'expired', 'gone for good')).toMatchObject({
    id,
    status: 'expired',
  });
  expect(closed).toEqual([
    {
      merchantId,
      action: 'intent.closed',
      subject: id,
      detail: {
        from: expect.any(String) as string,
        to: 'expired',
        note: 'gone for good',
        message: expect.stringContaining('holds no price') as string,
      },
    },
  ]);
  const [step] = await query(
    'SELECT cause FROM transition WHERE intent_id = $1 ORDER BY sequence DESC LIMIT 1',
    [id],
  );
  expect(step).toEqual({ cause: 'closed-by-operator' });
  const reviews = service.app.get(ReviewsService);
  expect(await reviews.show(ANYBODYS, id)).toMatchObject({
    status: 'expired',
    received: amountOf('12.5', 6),
  });
  await expect(repair().close({ whose: ANYBODYS, id, by: ann }, 'expired', 'gone for good')).rejects.toThrow(
    /over already|Nothing says/,
  );

  await setPrice(id, price);
  await reviews.accept({ whose: ANYBODYS, id, by: by('ann') }, { reason: 'the row was mended' });
  expect(await money.status(id)).toBe('settled');
});

it('what was closed stays decided: its money is announced, may be sent back or dismissed, and no rule touches it', async () => {
  await service.app
    .get(MerchantsService)
    .set(merchantId, { acceptSeenLate: true, acceptLateMinutes: 60, acceptLateMoveBps: 500 }, by('test'));
  const { id } = await broken();
  await givenUp(id);
  await money.endWindowIn(id, -1);
  expect(await repair().close({ whose: ANYBODYS, id, by: by('ann') }, 'expired', 'gone')).toMatchObject({
    status: 'expired',
  });
  await eventually(
    () => service.app.get(AlertsService).standing('intent-undecidable', id),
    (alert) => alert === null,
  );
  const last = await money.record(id);
  // Taken note of, as what is no longer open is.
  await eventually(
    () => query('SELECT FROM fact_change WHERE subject = $1', [id]),
    (waiting) => waiting.length === 0,
  );
  expect(await repair().show(id)).toMatchObject({ status: 'expired', undecided: null });
  expect(await query('SELECT FROM unsettled_money WHERE intent_id = $1', [id])).toHaveLength(2);
  const page = await fetch(`${service.config.checkoutUrl}/pay/${id}`, { headers: { accept: 'text/html' } });
  expect(page.status).toBe(200);

  const reviews = service.app.get(ReviewsService);
  const change: IntentChange = { whose: ANYBODYS, id, by: by('ann') };
  const first = (await reviews.show(ANYBODYS, id)).transfers
    .map((each) => each.id)
    .find((each) => each !== last);
  await expect(reviews.accept(change, { reason: 'paid' })).rejects.toThrow(
    'price of this payment cannot be read',
  );
  await reviews.dismiss(change, { note: 'for nothing', seen: [first!] });
  await reviews.refund(change, { note: 'back', refund: { amount: '12.5', txid: null } });
  await expect(reviews.show(ANYBODYS, id)).rejects.toThrow();
  expect(await repair().decide(change)).toMatchObject({ id, status: 'expired' });
});

it('an intent that the operator cancelled says so', async () => {
  const open = await money.picked(merchantId);
  await service.app
    .get(IntentsService)
    .cancel({ whose: ANYBODYS, id: open, by: by('anna') }, 'cancelled-by-operator');
  const [step] = await query<{ cause: string }>(
    'SELECT cause FROM transition WHERE intent_id = $1 ORDER BY sequence DESC LIMIT 1',
    [open],
  );
  expect(causeMessage(sayIn('en'), step!.cause)).toBe('The operator of this service cancelled it');
});
