import { DataSource } from 'typeorm';
import { ANYBODYS } from '../../../../src/database/by.js';
import { AlertsService } from '../../../../src/modules/alerts/alerts.service.js';
import { BuyerActionsService } from '../../../../src/modules/intents/checkout/buyer-actions.service.js';
import type { MoneyEventBody } from '../../../../src/modules/intents/domain/present.js';
import {
  type AccountingRow,
  ExportsService,
} from '../../../../src/modules/intents/reporting/exports.service.js';
import { ReviewsService } from '../../../../src/modules/intents/review/reviews.service.js';
import { MerchantsService } from '../../../../src/modules/merchants/merchants.service.js';
import { OutboxService } from '../../../../src/modules/webhooks/outbox.service.js';
import { WebhooksService } from '../../../../src/modules/webhooks/webhooks.service.js';
import { by } from '../../../support/intents/by.js';
import { applyAllChanges } from '../../../support/intents/decided.js';
import { type Fact, Money } from '../../../support/intents/money.js';
import { SILENT_CHAIN } from '../../../support/nodes/wallet.js';
import { runsOf, seedOf } from '../../../support/run/seed.js';
import { eventually, Receiver } from '../../../support/servers/receiver.js';
import { Service } from '../../../support/service/service.js';

/** Of so many random lives; `npm run prove:money` has 1,000. */
const LIVES = runsOf('REFUND_LIVES', 40);
// Far more than a loaded machine takes for each of them.
jest.setTimeout(60_000 + LIVES * 10_000);

const TIP = 1_000;

let service: Service;
let dataSource: DataSource;
let money: Money;
let reviews: ReviewsService;
let receiver: Receiver;
let merchantId: string;

beforeAll(async () => {
  service = await Service.start({ chain: SILENT_CHAIN, standsAt: TIP });
  dataSource = service.app.get(DataSource);
  money = new Money(service);
  reviews = service.app.get(ReviewsService);
  receiver = await Receiver.start();
  ({ merchantId } = await service.shop());
  await service.app.get(MerchantsService).set(merchantId, { acceptSeenLate: false }, by('test'));
  const webhooks = service.app.get(WebhooksService);
  const events = ['payment.money'];
  const { secret } = await webhooks.createEndpoint({ merchantId, url: receiver.url, events }, by('test'));
  receiver.secret = secret;
});
afterAll(async () => {
  await service.stop();
  await receiver.stop();
});

const decided = () => applyAllChanges(service);

async function receive(id: string, fact: Fact = {}): Promise<string> {
  const transferId = await money.record(id, fact);
  await decided();
  return transferId;
}

async function expired(): Promise<string> {
  const id = await money.picked(merchantId);
  await money.endWindowIn(id, -1);
  expect(await money.status(id)).toBe('expired');
  return id;
}

async function written(id: string): Promise<MoneyEventBody[]> {
  const rows = await dataSource.query<{ body: string }[]>(
    `SELECT body FROM event WHERE subject = $1 AND type = 'payment.money' ORDER BY sequence`,
    [id],
  );
  return rows.map(({ body }) => JSON.parse(body) as MoneyEventBody);
}

const told = async (id: string) =>
  (await written(id)).map(({ sequence, data: { money: m } }) => [sequence, m.reason, m.asset, m.amount]);

it('money that is announced wakes the deliveries; a pick, and what no endpoint asks for, does not', async () => {
  let woken = 0;
  const commits = service.app.get(OutboxService).committed.subscribe(() => (woken += 1));
  const id = await expired();
  expect(woken).toBe(0);
  await receive(id, { percent: 40 });
  await eventually(
    () => told(id),
    ({ length }) => length === 1,
  );
  expect(await eventually(() => woken, Boolean)).toBe(1);
  commits.unsubscribe();
});

describe('money of an intent that has ended', () => {
  it('is announced once it is final, once, to endpoints that ask for it, in a sequence of its own', async () => {
    const id = await expired();
    const first = await receive(id, { percent: 40, blockHeight: TIP });
    expect(await told(id)).toEqual([]);
    await money.change(id, first, 'block_height = 1');
    await decided();
    await money.change(id, first, 'block_height = 2');
    await receive(id, { percent: 10, asset: 'USDT' });
    expect(await told(id)).toEqual([
      [1, 'underpaid', 'USDC', '5.00000000'],
      [2, 'other-asset', 'USDT', '1.25000000'],
    ]);
    const delivered = () => receiver.events.filter(({ data }) => data.intent.id === id);
    await eventually(delivered, ({ length }) => length === 2);
    // The endpoint has not asked for statuses, of which this intent had two.
    expect(delivered().map(({ type }) => String(type))).toEqual(['payment.money', 'payment.money']);
    expect(receiver.refused).toBe(0);
  });

  it('is announced once however many apply the same facts at once', async () => {
    const id = await expired();
    await money.record(id, { percent: 40 });
    await Promise.all([decided(), decided(), decided(), money.status(id)]);
    await decided();
    expect(await told(id)).toHaveLength(1);
  });

  it.each<[string, Fact, string]>([['too much, at the settlement', { percent: 120 }, '2.50000000']])(
    'is announced as excess when it is %s',
    async (_name, fact, amount) => {
      const id = await money.picked(merchantId);
      await receive(id, fact);
      expect(await money.status(id)).toBe('settled');
      expect(await told(id)).toEqual([[1, 'excess', 'USDC', amount]]);
      await receive(id, { percent: 10 });
      expect((await told(id))[1]).toEqual([2, 'after-settlement', 'USDC', '1.25000000']);
    },
  );

  it('asks its merchant for a decision no sooner than it is announced, where a part of what came is settled', async () => {
    const id = await money.picked(merchantId);
    await receive(id, { percent: 950 });
    expect(await money.status(id)).toBe('settled');
    const asked = async () => (await service.app.get(AlertsService).standing('review-entry', id)) !== null;
    // CHF 6 beside CHF 95: alone they were three blocks deep, of CHF 101 they are six.
    const transfer = await receive(id, { percent: 60, blockHeight: TIP - 3 });
    expect([await asked(), (await told(id)).length]).toEqual([false, 1]);
    await money.change(id, transfer, `block_height = ${TIP - 5}`);
    await decided();
    expect([await asked(), (await told(id)).length]).toEqual([true, 2]);
  });

  it('is announced as excess when it is as deep as an amount of its own worth has to be', async () => {
    const id = await money.picked(merchantId);
    // CHF 200 for an intent of CHF 10, which is settled three blocks deep.
    const transfer = await receive(id, { percent: 2_000, blockHeight: TIP - 2 });
    expect([await money.status(id), await told(id)]).toEqual(['settled', []]);
    const refund = () =>
      reviews.refund(
        { whose: ANYBODYS, id, by: by('ann') },
        { note: 'back', refund: { amount: '237.5', txid: null } },
      );
    await expect(refund()).rejects.toThrow('no final money');
    await money.change(id, transfer, `block_height = ${TIP - 5}`);
    await decided();
    expect(await told(id)).toEqual([[1, 'excess', 'USDC', '237.50000000']]);
    await money.change(id, transfer, `block_height = ${TIP - 2}`);
    await expect(refund()).rejects.toThrow('no final money');
    await money.change(id, transfer, `block_height = ${TIP - 5}`);
    await refund();
  });

  it('is given back once all that was too much is as deep, also where a part was announced before', async () => {
    const id = await expired();
    await receive(id, { percent: 2_000, blockHeight: TIP - 5 });
    const second = await receive(id, { percent: 2_000, blockHeight: TIP - 2 });
    expect((await told(id)).length).toBe(1);
    await reviews.accept({ whose: ANYBODYS, id, by: by('ann') }, { reason: 'fine' });
    const refund = () =>
      reviews.refund(
        { whose: ANYBODYS, id, by: by('ann') },
        { note: 'back', refund: { amount: '487.5', txid: null } },
      );
    await expect(refund()).rejects.toThrow('no final money');
    await money.change(id, second, `block_height = ${TIP - 5}`);
    await decided();
    await refund();
  });

  it('is announced after a cancellation, and never twice when it is accepted later', async () => {
    const cancelled = await money.picked(merchantId);
    await service.app.get(BuyerActionsService).cancel(cancelled);
    await receive(cancelled);
    expect(await told(cancelled)).toEqual([[1, 'cancelled', 'USDC', '12.50000000']]);
    const late = await expired();
    await receive(late);
    await reviews.accept({ whose: ANYBODYS, id: late, by: by('ann') }, { reason: 'fine' });
    expect(await told(late)).toEqual([[1, 'late', 'USDC', '12.50000000']]);
  });

  it.each<[string, readonly Fact[]]>([
    ['underpaid', [{ percent: 40 }]],
    ['late', [{}]],
    ['underpaid, for what was dismissed is not there', [{ percent: 60 }, { percent: 60 }]],
    ['other-asset', [{ asset: 'USDT' }]],
    ['late with an extra of another asset', [{ asset: 'USDT', percent: 5 }, {}]],
  ])('has one reason, in the queue and in its event: %s', async (name, facts) => {
    const id = await expired();
    for (const [i, fact] of facts.entries()) {
      if (i > 0 && name.includes('dismissed'))
        await reviews.dismiss({ whose: ANYBODYS, id, by: by('ann') }, { note: 'kept' });
      await receive(id, fact);
    }
    const { reason } = await reviews.show(ANYBODYS, id);
    expect(reason).toBe(/^[a-z-]+/.exec(name)![0]);
    expect((await told(id)).at(-1)![1]).toBe(reason);
  });

  it('was never announced when it vanished before it was final; of what was, an alert says so', async () => {
    const id = await expired();
    const gone = `state = 'orphaned', block_height = NULL, missing_since = clock_timestamp()`;
    await money.change(id, await receive(id, { percent: 40, blockHeight: TIP }), gone);
    await decided();
    expect(await told(id)).toEqual([]);
    const final = await receive(id, { percent: 40 });
    await money.change(id, final, gone);
    await decided();
    const { items } = await service.app.get(AlertsService).list({ merchantId, pageSize: 100 });
    expect(items.filter(({ subject, resolvedAt }) => subject === id && resolvedAt === null)).toMatchObject([
      { kind: 'reorganised-after-settlement', data: { transfers: [final] } },
    ]);
    await money.change(id, final, `state = 'included', block_height = 3, missing_since = NULL`);
    await decided();
    expect(await told(id)).toHaveLength(1);
  });
});

describe('a refund', () => {
  it('is refused before the money is final, and changes nothing', async () => {
    const id = await expired();
    await receive(id, { percent: 40, blockHeight: TIP });
    const refund = { amount: '5', txid: null };
    await expect(
      reviews.dismiss({ whose: ANYBODYS, id, by: by('ann') }, { note: 'back', refund }),
    ).rejects.toThrow('no final money');
    expect(await reviews.show(ANYBODYS, id)).toMatchObject({ decisions: [], refundable: [] });
  });

  it('is never of more than is final and not returned, whoever writes it', async () => {
    const id = await expired();
    await receive(id, { percent: 40 });
    const refund = (amount: string) =>
      reviews.refund(
        { whose: ANYBODYS, id, by: by('ann') },
        { note: 'back', refund: { amount, txid: null } },
      );
    await expect(refund('5.000001')).rejects.toThrow('No more than 5 USDC');
    await refund('3');
    const both = await Promise.allSettled([refund('2'), refund('2')]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(refund('0.000001')).rejects.toThrow('no final money');
    await expect(
      dataSource.query(
        `INSERT INTO review_decision (id, intent_id, kind, actor, note, transfers, refund_amount, refund_network,
                                      refund_asset, refund_decimals, refund_atoms)
         VALUES ('rev_x', $1, 'refund', 'eve', 'n', '{tr}', '1', 'ethereum', 'USDC', 6, 1)`,
        [id],
      ),
    ).rejects.toThrow('more than what is final');
  });

  it('is not of money that has come back in a block that is not deep yet', async () => {
    const id = await expired();
    const transfer = await receive(id, { percent: 40 });
    const refund = () =>
      reviews.refund(
        { whose: ANYBODYS, id, by: by('ann') },
        { note: 'back', refund: { amount: '5', txid: null } },
      );
    await money.change(id, transfer, `block_height = ${TIP}`);
    await decided();
    await expect(refund()).rejects.toThrow('no final money');
    await money.change(id, transfer, 'block_height = 1');
    await decided();
    await refund();
  });

  it('is not of more than a transfer holds since it came back in another block', async () => {
    const id = await expired();
    const transfer = await receive(id, { percent: 40 });
    await money.change(id, transfer, 'amount_atoms = 3000000');
    await decided();
    const refund = (amount: string) =>
      reviews.refund(
        { whose: ANYBODYS, id, by: by('ann') },
        { note: 'back', refund: { amount, txid: null } },
      );
    await expect(refund('3.1')).rejects.toThrow('No more than 3 USDC');
    await refund('3');
  });

  it('of what a person has seen takes nothing of what waits for another decision', async () => {
    const id = await expired();
    const [first, second] = [await receive(id, { percent: 40 }), await receive(id, { percent: 60 })];
    const refund = (amount: string, seen: string[]) =>
      reviews.refund(
        { whose: ANYBODYS, id, by: by('ann') },
        { note: 'back', refund: { amount, txid: null }, seen },
      );
    await expect(refund('5.1', [first])).rejects.toThrow('No more than 5 USDC');
    await refund('5', [first]);
    await reviews.accept({ whose: ANYBODYS, id, by: by('ann') }, { reason: 'enough', seen: [second] });
    await expect(refund('0.1', [])).rejects.toThrow();
  });

  it('of a settled intent is of its excess alone', async () => {
    const id = await money.picked(merchantId);
    await receive(id, { percent: 120 });
    await expect(
      reviews.refund(
        { whose: ANYBODYS, id, by: by('ann') },
        { note: 'b', refund: { amount: '2.6', txid: null } },
      ),
    ).rejects.toThrow('2.5 USDC');
    await reviews.refund(
      { whose: ANYBODYS, id, by: by('ann') },
      { note: 'back', refund: { amount: '2.5', txid: '0xbeef' } },
    );
    await expect(
      reviews.refund(
        { whose: ANYBODYS, id, by: by('ann') },
        { note: 'b', refund: { amount: '1', txid: null } },
      ),
    ).rejects.toThrow('no final');
  });

  it('of money of several kinds says which, and leaves the other in the queue', async () => {
    const id = await expired();
    await receive(id, { percent: 40 });
    const other = await receive(id, { percent: 20, asset: 'USDT' });
    await expect(
      reviews.dismiss(
        { whose: ANYBODYS, id, by: by('ann') },
        { note: 'b', refund: { amount: '1', txid: null } },
      ),
    ).rejects.toThrow('Say what');
    await reviews.dismiss(
      { whose: ANYBODYS, id, by: by('ann') },
      {
        note: 'b',
        refund: {
          amount: '5',
          asset: 'USDC',
          network: 'ethereum',
          txid: null,
        },
      },
    );
    expect((await reviews.show(ANYBODYS, id)).transferIds).toEqual([other]);
  });
});

describe('final money of an intent that failed', () => {
  /** Complete by a payment that never comes back; two fifths of the price are final. */
  async function failed(shop: string): Promise<string> {
    const id = await money.picked(shop);
    await receive(id, { percent: 40 });
    const rest = await receive(id, { percent: 60, blockHeight: TIP });
    expect(await money.status(id)).toBe('confirmed');
    await money.endWindowIn(id, -1);
    const unblocked = 'block_height = NULL, block_hash = NULL, block_time = NULL';
    await money.change(id, rest, `state = 'replaced', ${unblocked}, missing_since = NULL`);
    await decided();
    expect(await money.status(id)).toBe('failed');
    return id;
  }

  it('is in the books with what became of it, and none of what was replaced', async () => {
    const { merchantId: shop } = await service.shop();
    const [kept, back, open] = [await failed(shop), await failed(shop), await failed(shop)];
    await reviews.dismiss({ whose: ANYBODYS, id: kept, by: by('ann') }, { note: 'the buyer gave it' });
    await reviews.dismiss(
      { whose: ANYBODYS, id: back, by: by('ben') },
      { note: 'sent back', refund: { amount: '5', txid: '0xbeef' } },
    );
    const rows: AccountingRow[] = [];
    const period = { from: new Date('2020-01-01'), to: new Date('2100-01-01') };
    for await (const row of service.app.get(ExportsService).rows(shop, period)) rows.push(row);
    const of = (id: string) => rows.filter(({ intentId }) => intentId === id);
    const arrived = { type: 'money', reason: 'failed', asset: 'USDC', received: '5.000000', in: '5.000000' };
    expect(of(kept)).toMatchObject([
      arrived,
      { type: 'dismissal', decidedBy: 'ann', reason: 'the buyer gave it', in: null, out: null },
    ]);
    expect(of(back)).toMatchObject([
      arrived,
      { type: 'refund', decidedBy: 'ben', reason: 'sent back', out: '5.000000', txids: ['0xbeef'] },
    ]);
    expect(of(open)).toMatchObject([{ ...arrived, decidedBy: null, out: null }]);
    expect(of(open)).toHaveLength(1);
  });
});

it('is in the books, each movement once: what arrived final less what was refunded', async () => {
  const seed = seedOf('SEED', 'REFUND_LIVES');
  let state = seed;
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const { merchantId: shop } = await service.shop();
  await service.app.get(MerchantsService).set(shop, { acceptSeenLate: false }, by('test'));
  let expected = 0n;
  for (let life = 0; life < 25; life += 1) {
    const id = await money.picked(shop);
    if (random(2) === 0) {
      await money.endWindowIn(id, -1);
      await money.status(id);
    } else if (random(3) === 0) await service.app.get(BuyerActionsService).cancel(id);
    for (let fact = random(4); fact > 0; fact -= 1) {
      const percent = 1 + random(150);
      const isFinal = random(4) > 0;
      await receive(id, { percent, blockHeight: isFinal ? 1 : TIP });
    }
    await money.endWindowIn(id, -1);
    await money.status(id);
    await decided();
    const entry = await reviews.show(ANYBODYS, id).catch(() => null);
    const choice = random(4);
    if (entry && choice === 0)
      await reviews.dismiss({ whose: ANYBODYS, id, by: by('ann') }, { note: 'kept' }).catch(() => undefined);
    if (entry && choice === 1)
      await reviews
        .accept(
          { whose: ANYBODYS, id, by: by('ann') },
          { reason: 'fine', seen: entry.acceptable?.transferIds },
        )
        .catch(() => undefined);
    const amount = `0.${1 + random(9)}`;
    if (choice > 1)
      await reviews
        .refund({ whose: ANYBODYS, id, by: by('ann') }, { note: 'b', refund: { amount, txid: null } })
        .then(
          () => (expected -= BigInt(amount.slice(2)) * 100_000n),
          () => undefined,
        );
    const [{ status }] = await dataSource.query<[{ status: string }]>(
      'SELECT status FROM intent WHERE id = $1',
      [id],
    );
    const ended = ['settled', 'failed', 'expired', 'cancelled'].includes(status);
    const [{ atoms }] = await dataSource.query<[{ atoms: string }]>(
      `SELECT coalesce(sum(amount_atoms), 0)::text AS atoms FROM transfer WHERE subject = $1 AND block_height = 1`,
      [id],
    );
    if (ended) expected += BigInt(atoms);
  }
  const period = { from: new Date('2020-01-01'), to: new Date('2100-01-01') };
  let held = 0n;
  const atomsOf = (text: string | null) => BigInt((text ?? '0').replace('.', ''));
  for await (const row of service.app.get(ExportsService).rows(shop, period))
    held += atomsOf(row.in) - atomsOf(row.out);
  expect({ seed, held }).toEqual({ seed, held: expected });
});

/** What a test did to an intent's money, to say what is final now. */
interface Moved {
  readonly id: string;
  readonly asset: string;
  readonly atoms: bigint;
  where: 'final' | 'shallow' | 'gone';
}

it('refunds and prices together never exceed what is final, whatever happens in which order', async () => {
  const seed = seedOf('SEED', 'REFUND_LIVES');
  let state = seed;
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const { merchantId: shop } = await service.shop();
  await service.app.get(MerchantsService).set(shop, { acceptSeenLate: false }, by('test'));
  const PLACES = {
    final: `state = 'included', block_height = 1, missing_since = NULL`,
    shallow: `state = 'included', block_height = ${TIP}, missing_since = NULL`,
    gone: `state = 'orphaned', block_height = NULL, missing_since = clock_timestamp()`,
  };
  for (let life = 0; life < LIVES; life += 1) {
    const id = await money.picked(shop);
    const moved: Moved[] = [];
    const told: string[] = [];
    if (random(3) > 0) await money.endWindowIn(id, -1);
    for (let step = 0; step < 12; step += 1) {
      const what = random(8);
      const one = moved[random(Math.max(1, moved.length))];
      const where = (['final', 'shallow', 'gone'] as const)[random(3)]!;
      const entry = await reviews.show(ANYBODYS, id).catch(() => null);
      const some = entry?.transferIds.filter(() => random(2) === 0) ?? [];
      const seen = some.length > 0 ? some : undefined;
      const asset = random(3) === 0 ? 'USDT' : 'USDC';
      let isRefunded = false;
      if (what < 2) {
        const percent = 1 + random(130);
        const atoms = (12_500_000n * BigInt(percent)) / 100n;
        const transfer = await receive(id, { percent, asset, blockHeight: where === 'gone' ? TIP : 1 });
        moved.push({ id: transfer, asset, atoms, where: where === 'gone' ? 'shallow' : 'final' });
      } else if (what < 4 && one) {
        one.where = where;
        await money.change(id, one.id, PLACES[where]);
        await decided();
      } else if (what === 4)
        await reviews
          .accept(
            { whose: ANYBODYS, id, by: by('ann') },
            { reason: 'fine', seen: entry?.acceptable?.transferIds },
          )
          .catch(() => undefined);
      else if (what === 5 && entry && random(2) === 0)
        await reviews
          .dismiss({ whose: ANYBODYS, id, by: by('ann') }, { note: 'kept', seen })
          .catch(() => undefined);
      else {
        const amount = `${random(6)}.${1 + random(9)}`;
        const of = { amount, asset, network: 'ethereum', txid: null };
        const refunding = reviews.refund(
          { whose: ANYBODYS, id, by: by('ann') },
          { note: 'b', refund: of, seen },
        );
        isRefunded = await refunding.then(
          () => true,
          () => false,
        );
      }
      const done = ['receive', 'receive', 'move', 'move', 'accept', 'dismiss', 'refund', 'refund'][what]!;
      told.push(`${done} ${isRefunded}: ${moved.map((m) => `${m.asset} ${m.atoms} ${m.where}`).join(', ')}`);
      if (!isRefunded) continue;
      const [{ refunded, price }] = await dataSource.query<[{ refunded: string; price: string }]>(
        `SELECT (SELECT coalesce(sum(refund_atoms), 0) FROM review_decision
                    WHERE intent_id = $1 AND refund_asset = $2)::text AS refunded,
                  (SELECT coalesce(sum(received_atoms - excess_atoms), 0) FROM settlement
                    WHERE intent_id = $1 AND asset = $2)::text AS price`,
        [id, asset],
      );
      const lost = await lostOf(id, moved);
      const final = moved
        .filter((m) => m.asset === asset && m.where === 'final')
        .reduce((sum, { atoms }) => sum + atoms, 0n);
      const out = BigInt(refunded) + BigInt(price) - lost;
      if (BigInt(refunded) > 0n && out > final) {
        const what = JSON.stringify({
          seed,
          life,
          asset,
          refunded,
          price,
          lost: String(lost),
          final: String(final),
        });
        throw new Error(`${what}\n${told.join('\n')}`);
      }
    }
  }
});

/** What a settlement took as its price and the chain no longer holds for good: of that nothing is asked here. */
async function lostOf(id: string, moved: readonly Moved[]): Promise<bigint> {
  const taken = await dataSource.query<{ id: string }[]>(
    `SELECT t->>'id' AS id FROM settlement, jsonb_array_elements(transfers) t WHERE intent_id = $1`,
    [id],
  );
  return moved
    .filter((m) => m.where !== 'final' && taken.some((one) => one.id === m.id))
    .reduce((sum, { atoms }) => sum + atoms, 0n);
}
