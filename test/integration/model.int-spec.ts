import fc from 'fast-check';
import { DataSource } from 'typeorm';
import { BuyerActionsService } from '../../src/modules/intents/buyer-actions.service.js';
import { IntentsJobs } from '../../src/modules/intents/intents.jobs.js';
import { IntentsService } from '../../src/modules/intents/intents.service.js';
import { ReviewsService } from '../../src/modules/intents/reviews.service.js';
import { MerchantsService } from '../../src/modules/merchants/merchants.service.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { Model } from '../support/model.js';
import { Money, standAtTip } from '../support/money.js';
import { Service } from '../support/service.js';

/** A short run in every CI; `MODEL_RUNS=5000 npx jest model` for a long one. */
const RUNS = Number(process.env['MODEL_RUNS'] ?? 400);
const MAX_COMMANDS = 25;
const TIP = 1_000;

let database: TestDatabase;
let service: Service;
let dataSource: DataSource;
let money: Money;
let merchantId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  await standAtTip(database.url, TIP);
  // The chain is written by hand below; no node answers, and the cursor says that none is missed.
  const token = (digit: string) => ({ address: `0x${digit.repeat(40)}` });
  const chain = { rpcUrl: 'http://127.0.0.1:9', tokens: { USDC: token('1'), USDT: token('2') } };
  service = await Service.start({ databaseUrl: database.url, chain });
  dataSource = service.app.get(DataSource);
  money = new Money(service);
  ({ merchantId } = await service.shop());
  await service.app.get(MerchantsService).set(merchantId, { acceptSeenLate: false });
});
afterAll(async () => {
  await service.stop();
  await database.drop();
});

/** The service's side of the comparison: one intent and the ids of its transfers, in the model's order. */
class Real {
  readonly ids: string[] = [];

  constructor(readonly id: string) {}

  async change(set: string, index: number): Promise<void> {
    await money.change(this.id, this.ids[index]!, set);
  }
}

/** As the ledger does it: what is no longer in a block keeps the earliest sign of it. */
const UNBLOCKED = `first_seen_at = least(first_seen_at, block_time), block_height = NULL, block_hash = NULL, block_time = NULL`;
const GONE = `state = 'replaced', ${UNBLOCKED}, missing_since = NULL`;
const MISSING = (ago: string) =>
  `state = 'orphaned', ${UNBLOCKED},
   missing_since = (SELECT synced_at FROM chain_cursor WHERE network = 'ethereum') - interval '${ago}'`;
const INCLUDED = (confirmations: number) =>
  `state = 'included', block_height = ${TIP + 1 - confirmations}, block_hash = '0xb', block_time = coalesce(block_time, first_seen_at), missing_since = NULL`;

type Step = (model: Model, real: Real) => Promise<void>;
interface Command {
  readonly name: string;
  readonly run: Step;
}

const command = (name: string, run: Step): Command => ({ name, run });

function receive(percent: number, confirmations: number): Command {
  return command(`receive ${percent} % with ${confirmations} confirmations`, async (model, real) => {
    model.transfers.push({
      percent,
      counts: !model.ended && !model.lapsed,
      confirmations,
      presence: 'there',
      covered: false,
    });
    real.ids.push(await money.record(real.id, { percent, blockHeight: TIP + 1 - confirmations }));
  });
}

/** The window ends in the very instant in which a punctual transfer is recorded. */
function receiveAtTheEnd(percent: number): Command {
  return command(`receive ${percent} % in the last instant`, async (model, real) => {
    if (model.ended || model.lapsed) return;
    model.transfers.push({ percent, counts: true, confirmations: 1, presence: 'there', covered: false });
    model.lapsed = true;
    await dataSource.transaction(async (tx) => {
      await shiftPastTheEnd(real, tx);
      real.ids.push(
        await money.record(real.id, { percent, blockHeight: TIP, blockTime: 'i.expires_at' }, tx),
      );
    });
  });
}

/** Everything that has happened moves into the past, so that the window ended a millisecond ago. */
async function shiftPastTheEnd(real: Real, on: Pick<DataSource, 'query'>): Promise<void> {
  await on.query(
    `WITH shift AS (SELECT expires_at - clock_timestamp() + interval '1 ms' AS by FROM intent WHERE id = $1),
          facts AS (UPDATE transfer SET first_seen_at = first_seen_at - by, block_time = block_time - by FROM shift WHERE subject = $1)
     UPDATE intent SET created_at = created_at - by, expires_at = expires_at - by FROM shift WHERE id = $1`,
    [real.id],
  );
}

const onTransfer = (name: string, run: (model: Model, real: Real, index: number) => Promise<void>) =>
  fc.nat(3).map((index) =>
    command(`${name} transfer ${index}`, async (model, real) => {
      if (index < model.transfers.length) await run(model, real, index);
    }),
  );

const deepen = onTransfer('deepen', async (model, real, index) => {
  const transfer = model.transfers[index]!;
  if (transfer.presence !== 'there') return;
  transfer.confirmations = 3;
  await real.change(INCLUDED(3), index);
});
const vanish = onTransfer('lose', async (model, real, index) => {
  const transfer = model.transfers[index]!;
  if (transfer.presence !== 'there') return;
  transfer.presence = 'missing';
  await real.change(MISSING('0 s'), index);
});
const giveUp = onTransfer('give up', async (model, real, index) => {
  const transfer = model.transfers[index]!;
  if (transfer.presence !== 'missing') return;
  transfer.presence = 'gone';
  await real.change(MISSING('10 min'), index);
});
const replace = onTransfer('replace', async (model, real, index) => {
  const transfer = model.transfers[index]!;
  if (transfer.presence !== 'missing') return;
  transfer.presence = 'gone';
  await real.change(GONE, index);
});
const comeBack = onTransfer('return', async (model, real, index) => {
  const transfer = model.transfers[index]!;
  if (transfer.presence !== 'missing') return;
  transfer.presence = 'there';
  await real.change(INCLUDED(transfer.confirmations), index);
});

const lapse = command('the window ends', async (model, real) => {
  if (model.lapsed) return;
  model.lapsed = true;
  await shiftPastTheEnd(real, dataSource);
});
const sweep = command('sweep', () =>
  service.app
    .get(IntentsJobs)
    .sweep()
    .then(() => undefined),
);
const cancelByBuyer = command('the buyer cancels', async (model, real) => {
  const outcome = await service.app.get(BuyerActionsService).cancel(real.id);
  expect(outcome === 'cancelled').toBe(model.mayCancel.buyer || model.status === 'cancelled');
  if (model.mayCancel.buyer) model.go('cancelled');
});
const cancelByMerchant = command('the merchant cancels', async (model, real) => {
  const done = await service.app
    .get(IntentsService)
    .cancel(real.id)
    .then(
      () => true,
      () => false,
    );
  expect(done).toBe(model.mayCancel.merchant || model.status === 'cancelled');
  if (model.mayCancel.merchant) model.go('cancelled');
});
const accept = command('the merchant accepts', async (model, real) => {
  const done = await service.app
    .get(ReviewsService)
    .accept(real.id, 'ann', 'yes')
    .then(
      () => true,
      () => false,
    );
  expect(done).toBe(model.mayAccept);
  if (done) model.settle(model.open);
});
const dismiss = command('the merchant dismisses', async (model, real) => {
  const done = await service.app
    .get(ReviewsService)
    .dismiss(real.id, 'ann', 'no')
    .then(
      () => true,
      () => false,
    );
  expect(done).toBe(model.queued);
  if (done) for (const transfer of model.open) transfer.covered = true;
});

const anyCommand = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom(20, 50, 100, 120), fc.constantFrom(1, 3))
      .map(([p, c]) => receive(p, c)),
  },
  { weight: 1, arbitrary: fc.constantFrom(50, 100).map(receiveAtTheEnd) },
  { weight: 2, arbitrary: deepen },
  { weight: 2, arbitrary: vanish },
  { weight: 1, arbitrary: comeBack },
  { weight: 1, arbitrary: giveUp },
  { weight: 1, arbitrary: replace },
  { weight: 2, arbitrary: fc.constant(lapse) },
  { weight: 3, arbitrary: fc.constantFrom(sweep, cancelByBuyer, cancelByMerchant, accept, dismiss) },
);

it('never disagrees with the reference model', async () => {
  const sequences = fc.array(anyCommand, { maxLength: MAX_COMMANDS });
  await fc.assert(
    fc.asyncProperty(sequences, async (commands) => {
      const model = new Model();
      const real = new Real(await money.picked(merchantId));
      const told: string[] = [];
      for (const { name, run } of commands) {
        told.push(name);
        await run(model, real);
        model.look();
        await service.app.get(IntentsJobs).applyChanges();
        const seen = {
          status: await money.status(real.id),
          walk: await money.walkOf(real.id),
          queued: await isQueued(real.id),
        };
        const expected = { status: model.status, walk: model.walk, queued: model.queued };
        if (JSON.stringify(seen) !== JSON.stringify(expected)) {
          throw new Error(
            `after ${told.join(', ')}:\nthe service says ${JSON.stringify(seen)}\nthe model says   ${JSON.stringify(expected)}`,
          );
        }
      }
    }),
    { numRuns: RUNS, verbose: 1 },
  );
});

async function isQueued(id: string): Promise<boolean> {
  return service.app
    .get(ReviewsService)
    .show(id)
    .then(
      () => true,
      () => false,
    );
}
