import { DataSource } from 'typeorm';
import { ANYBODYS } from '../../../../src/database/by.js';
import { AuditLog } from '../../../../src/modules/accounts/audit/audit-log.service.js';
import { BuyerActionsService } from '../../../../src/modules/intents/checkout/buyer-actions.service.js';
import { IntentsService } from '../../../../src/modules/intents/lifecycle/intents.service.js';
import { ReviewsService } from '../../../../src/modules/intents/review/reviews.service.js';
import { MerchantsService } from '../../../../src/modules/merchants/merchants.service.js';
import type { MerchantSettings } from '../../../../src/modules/merchants/merchants.types.js';
import { Metrics } from '../../../../src/platform/observability/metrics.js';
import { amountOf } from '../../../support/intents/amount.js';
import { by, CLI_ACTOR } from '../../../support/intents/by.js';
import { applyAllChanges } from '../../../support/intents/decided.js';
import { type Fact, Money } from '../../../support/intents/money.js';
import { startTestAnvil, type TestAnvil } from '../../../support/nodes/anvil.js';
import { Service } from '../../../support/service/service.js';

/** A block that no chain of these tests reaches: what is in it is never final. */
const SHALLOW = 1_000_000;

let anvil: TestAnvil;
let service: Service;
let money: Money;
let reviews: ReviewsService;

beforeAll(async () => {
  anvil = await startTestAnvil({ blockTimeS: 1 });
  await anvil.testClient.mine({ blocks: 20 }); // so that block 1 is deep enough for anything
  service = await Service.start({ chain: anvil });
  money = new Money(service);
  reviews = service.app.get(ReviewsService);
});
afterAll(async () => {
  await service.stop();
  await anvil.stop();
});

async function shop(rules: MerchantSettings = { acceptSeenLate: false }): Promise<string> {
  const { merchantId } = await service.shop();
  await service.app.get(MerchantsService).set(merchantId, rules, by('test'));
  return merchantId;
}

/** An intent that expired, and then received this. */
async function expired(merchantId: string, ...facts: Fact[]): Promise<string> {
  const id = await money.picked(merchantId);
  await money.endWindowIn(id, -1);
  expect(await money.status(id)).toBe('expired');
  for (const fact of facts) await receive(id, fact);
  return id;
}

async function receive(id: string, fact: Fact): Promise<void> {
  await money.record(id, fact);
  await applyAllChanges(service);
}

const IN_TIME = { blockTime: 'i.expires_at' };
/** How often an expired intent was settled, as an instance counts it for whoever asks for its metrics. */
async function settledFromExpired(): Promise<number> {
  const text = await service.app.get(Metrics).text();
  const line = /^rappen_intent_transitions_total\{from="expired",to="settled"\} (\d+)$/m.exec(text ?? '');
  return Number(line?.[1] ?? 0);
}
const entryOf = async (id: string) => reviews.show(ANYBODYS, id).catch(() => null);

describe('what enters the queue', () => {
  it('is punctual money that was seen late, first of all', async () => {
    const merchantId = await shop();
    const short = await expired(merchantId, { percent: 40 });
    const seenLate = await expired(merchantId, IN_TIME);
    const queue = await reviews.list(merchantId);
    expect(queue.map(({ intentId, reason }) => [intentId, reason])).toEqual([
      [seenLate, 'in-time-seen-late'],
      [short, 'underpaid'],
    ]);
  });

  it.each([
    [
      'underpaid',
      { percent: 98 },
      { received: amountOf('12.25', 6), missing: amountOf('0.25', 6), receivedBps: 9_800n },
    ],
    ['late', {}, { received: amountOf('12.5', 6), missing: amountOf('0', 6), receivedBps: 10_000n }],
    ['other-asset', { asset: 'USDT' }, { received: null, quoted: null }],
  ])('is %s money, with what is missing', async (reason, fact, amounts) => {
    const id = await expired(await shop(), fact);
    expect(await entryOf(id)).toMatchObject({ reason, amountMinor: 1_000n, ...amounts });
  });

  it('is money after a cancellation, which cannot be accepted', async () => {
    const id = await money.picked(await shop());
    await service.app.get(BuyerActionsService).cancel(id);
    await receive(id, {});
    expect(await entryOf(id)).toMatchObject({ status: 'cancelled', reason: 'cancelled' });
    await expect(
      reviews.accept({ whose: ANYBODYS, id, by: by('ann') }, { reason: 'good enough' }),
    ).rejects.toThrow('cancelled cannot be accepted');
  });

  it('is money after the settlement, but not the settlement’s own', async () => {
    const id = await money.picked(await shop());
    await receive(id, { percent: 120 });
    expect(await money.status(id)).toBe('settled');
    expect(await entryOf(id)).toBeNull();
    await receive(id, { percent: 5 });
    expect(await entryOf(id)).toMatchObject({ reason: 'after-settlement', received: amountOf('0.625', 6) });
  });
});

describe('accepting', () => {
  it('settles with all side effects: event, deliveries, record, both times, an entry in the audit log, a count', async () => {
    const merchantId = await shop();
    const id = await expired(merchantId, { percent: 98 });
    await service.app.get(DataSource).query(
      `INSERT INTO webhook_endpoint (id, merchant_id, url, secret)
       SELECT 'we_' || n, $1, 'https://shop.invalid/hook', 'sealed' FROM (VALUES ('one'), ('two')) AS e (n)`,
      [merchantId],
    );
    const counted = await settledFromExpired();
    const ann = service.app.get(AuditLog).by(CLI_ACTOR);
    await reviews.accept({ whose: ANYBODYS, id, by: ann }, { reason: 'a regular' });
    expect(await money.walkOf(id)).toEqual(['initiated', 'expired', 'settled']);
    const [record] = await service.app.get(DataSource).query<Record<string, unknown>[]>(
      `SELECT s.accepted_by, s.accept_reason, s.received_atoms, i.confirmed_at = i.settled_at AS at_once,
              e.body::jsonb->'data'->'intent'->>'status' AS told,
              ARRAY(SELECT endpoint_id FROM delivery WHERE event_id = e.id ORDER BY endpoint_id) AS sent_to,
              ARRAY(SELECT actor || ' ' || action || ' ' || (detail::jsonb->>'reason') FROM audit_entry
                     WHERE merchant_id = i.merchant_id AND subject = i.id) AS remembered
         FROM settlement s JOIN intent i ON i.id = s.intent_id JOIN event e ON e.subject = i.id AND e.sequence = 3
        WHERE i.id = $1`,
      [id],
    );
    expect(record).toEqual({
      accepted_by: ann.name,
      accept_reason: 'a regular',
      received_atoms: '12250000',
      at_once: true,
      told: 'settled',
      sent_to: ['we_one', 'we_two'],
      remembered: ['cli review.accepted a regular'],
    });
    expect(await settledFromExpired()).toBe(counted + 1);
    expect(await entryOf(id)).toBeNull();
  });

  it('waits until the money is final', async () => {
    const id = await expired(await shop(), { percent: 98, blockHeight: SHALLOW });
    await expect(
      reviews.accept({ whose: ANYBODYS, id, by: by('ann') }, { reason: 'a regular' }),
    ).rejects.toThrow('not final');
    expect(await money.status(id)).toBe('expired');
  });

  it('takes nothing for accepted that could still be undone, named or not', async () => {
    const id = await expired(await shop(), { percent: 2 });
    await receive(id, { percent: 98, blockHeight: SHALLOW });
    const { transferIds, acceptable, received, final } = (await entryOf(id))!;
    expect({ final, received }).toEqual({ final: false, received: amountOf('12.5', 6) });
    expect(acceptable).toMatchObject({ amount: amountOf('0.25', 6), missing: amountOf('12.25', 6) });
    for (const named of [undefined, transferIds])
      await expect(
        reviews.accept({ whose: ANYBODYS, id, by: by('ann') }, { reason: 'all of it', seen: named }),
      ).rejects.toThrow('Look again, and accept what is');
    expect(await money.status(id)).toBe('expired');
    await reviews.accept(
      { whose: ANYBODYS, id, by: by('ann') },
      { reason: 'a gift', seen: acceptable!.transferIds },
    );
    expect(await money.status(id)).toBe('settled');
  });

  it('of a price that is final where nothing is named, whatever comes beside it, and says what is left', async () => {
    const id = await expired(await shop(), { percent: 100 });
    const accepted = (await entryOf(id))!.transferIds;
    await receive(id, { percent: 1, blockHeight: SHALLOW });
    const done = await reviews.accept({ whose: ANYBODYS, id, by: by('ann') }, { reason: 'a regular' });
    expect(await money.status(id)).toBe('settled');
    const left = (await entryOf(id))!.transferIds;
    expect(left).toHaveLength(1);
    expect(done).toEqual({ accepted, leftInQueue: left });
  });

  it('lets one of two people win, and tells the other', async () => {
    const id = await expired(await shop(), { percent: 98 });
    const results = await Promise.allSettled([
      reviews.accept({ whose: ANYBODYS, id, by: by('ann') }, { reason: 'yes' }),
      reviews.dismiss({ whose: ANYBODYS, id, by: by('bob') }, { note: 'no' }),
    ]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('fails when other money has come since the person looked', async () => {
    const id = await expired(await shop(), { percent: 50 });
    const seen = (await entryOf(id))?.transfers.map(() => 'tr_old') ?? [];
    await expect(
      reviews.accept({ whose: ANYBODYS, id, by: by('ann') }, { reason: 'yes', seen }),
    ).rejects.toThrow('changed since you looked');
  });

  it.each([
    ['', 'yes'],
    ['ann', ' '],
  ])('needs a person and a reason (%p, %p)', async (actor, reason) => {
    const id = await expired(await shop(), { percent: 50 });
    await expect(reviews.accept({ whose: ANYBODYS, id, by: by(actor) }, { reason })).rejects.toThrow(
      'A decision needs',
    );
  });
});

it('an entry of another merchant does not exist, whatever is to be done with it', async () => {
  const id = await expired(await shop(), { percent: 98 });
  const other = await shop();
  const refund = { amount: '1', txid: null };
  for (const wish of [
    () => reviews.show(other, id),
    () => reviews.accept({ whose: other, id, by: by('eve') }, { reason: 'mine' }),
    () => reviews.dismiss({ whose: other, id, by: by('eve') }, { note: 'mine' }),
    () => reviews.dismiss({ whose: other, id, by: by('eve') }, { note: 'mine', refund }),
    () => reviews.refund({ whose: other, id, by: by('eve') }, { note: 'mine', refund }),
  ])
    await expect(wish()).rejects.toThrow(`${id} is not in the review queue.`);
  expect(await entryOf(id)).toMatchObject({ status: 'expired', decisions: [] });
});

it('closes when its only movement pays somebody else after a reorganisation', async () => {
  const id = await money.picked(await shop());
  await money.endWindowIn(id, -1);
  expect(await money.status(id)).toBe('expired');
  const transferId = await money.record(id);
  await applyAllChanges(service);
  expect(await entryOf(id)).not.toBeNull();
  const gone = 'block_height = NULL, block_hash = NULL, block_time = NULL, missing_since = clock_timestamp()';
  await money.change(id, transferId, `state = 'orphaned', superseded = true, replaced_by = txid, ${gone}`);
  await applyAllChanges(service);
  expect(await entryOf(id)).toBeNull();
});

it('opens for money that was there when the merchant cancelled', async () => {
  const id = await money.picked(await shop());
  await receive(id, { percent: 10 });
  await service.app
    .get(IntentsService)
    .cancel({ whose: ANYBODYS, id: id, by: by('ann') }, 'cancelled-by-operator');
  expect(await entryOf(id)).toMatchObject({ reason: 'cancelled', received: amountOf('1.25', 6) });
});

describe('dismissing', () => {
  it('closes the entry, and new money opens it again', async () => {
    const id = await expired(await shop(), { percent: 30 });
    await reviews.dismiss(
      { whose: ANYBODYS, id, by: by('ann') },
      { note: 'customer was refunded', refund: { amount: '3.75', txid: '0xabc' } },
    );
    expect(await entryOf(id)).toBeNull();
    await receive(id, { percent: 10 });
    expect(await entryOf(id)).toMatchObject({
      received: amountOf('1.25', 6),
      decisions: [{ kind: 'refund', actor: 'ann', refund: { money: amountOf('3.75', 6), txid: '0xabc' } }],
    });
  });
});

describe('standing rules', () => {
  it('accept punctual money that was seen late, unless the merchant says otherwise', async () => {
    const id = await expired(await shop({}), IN_TIME);
    expect(await money.walkOf(id)).toEqual(['initiated', 'expired', 'settled']);
  });

  it('leave one entry in the audit log, with their name and what they accepted', async () => {
    const merchantId = await shop({});
    const id = await expired(merchantId, IN_TIME);
    const entries: unknown = await service.app.get(DataSource).query(
      `SELECT e.merchant_id, e.actor, e.action, e.detail->>'transfers' = s.transfers->0->>'id' AS whole, e.detail->>'reason' AS reason
         FROM audit_entry e JOIN settlement s ON s.intent_id = e.subject WHERE e.subject = $1`,
      [id],
    );
    const told = { actor: 'rule:seen-late', action: 'review.accepted', whole: true };
    const reason = 'accepted by the standing rule "seen-late"';
    expect(entries).toEqual([{ merchant_id: merchantId, ...told, reason }]);
  });

  it.each([
    ['within the percentage', { acceptShortBps: 200 }, 98, 'settled'],
    ['beyond the percentage', { acceptShortBps: 199 }, 98, 'expired'],
    ['within the amount', { acceptShortMinor: 20 }, 98, 'settled'],
    ['beyond the amount', { acceptShortMinor: 19 }, 98, 'expired'],
  ])('accept punctual money that is short %s', async (_what, rules, percent, status) => {
    const id = await expired(await shop(rules), { ...IN_TIME, percent });
    expect(await money.status(id)).toBe(status);
  });

  it.each([
    [{ acceptLateMinutes: 5, acceptLateMoveBps: 100 }, 'settled'],
    [{ acceptLateMinutes: 0, acceptLateMoveBps: 100 }, 'expired'],
  ])('accept complete but late money by %p', async (rules, status) => {
    const id = await expired(await shop(rules), {});
    expect(await money.status(id)).toBe(status);
  });

  it.each([
    [{ acceptShortBps: 500 }, 'expired'],
    [{ acceptShortBps: 500, acceptLateMinutes: 5, acceptLateMoveBps: 100 }, 'settled'],
  ])('accept what is both short and late only by both rules: %p', async (rules, status) => {
    const id = await expired(await shop(rules), { percent: 98 });
    expect(await money.status(id)).toBe(status);
  });

  it('wait until the money is final', async () => {
    const id = await expired(await shop({}), { ...IN_TIME, blockHeight: SHALLOW });
    expect(await money.status(id)).toBe('expired');
    expect(await entryOf(id)).toMatchObject({ reason: 'in-time-seen-late', final: false });
  });

  it('do not overrule a person', async () => {
    const id = await expired(await shop({ acceptShortBps: 5000 }), { percent: 10 });
    await reviews.dismiss({ whose: ANYBODYS, id, by: by('ann') }, { note: 'no' });
    await receive(id, { percent: 60 });
    expect(await money.status(id)).toBe('expired');
  });
});
