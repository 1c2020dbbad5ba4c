import fc from 'fast-check';
import { DataSource } from 'typeorm';
import { ANYBODYS } from '../../../../src/database/by.js';
import { BuyerActionsService } from '../../../../src/modules/intents/checkout/buyer-actions.service.js';
import { IntentsService } from '../../../../src/modules/intents/lifecycle/intents.service.js';
import { ReviewsService } from '../../../../src/modules/intents/review/reviews.service.js';
import { MerchantsService } from '../../../../src/modules/merchants/merchants.service.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database/database.js';
import { by } from '../../../support/intents/by.js';
import { applyAllChanges, sweepAll } from '../../../support/intents/decided.js';
import { Model, type ModelRules } from '../../../support/intents/model.js';
import { Money, standAtTip } from '../../../support/intents/money.js';
import { SILENT_CHAIN } from '../../../support/nodes/wallet.js';
import { runsOf, seedOf } from '../../../support/run/seed.js';
import { Service } from '../../../support/service/service.js';

/**
 * Random lives of an intent, step by step beside the reference model of `test/support/intents/model.ts`. A short run in every CI;
 * `npm run prove:money` does 5,000. A failure
 * prints its seed, which `MODEL_SEED` replays, and the shortest sequence that still fails.
 */
const RUNS = runsOf('MODEL_RUNS', 250);
const SEED = seedOf('MODEL_SEED', 'MODEL_RUNS');
/** Far more than a loaded machine takes for one sequence. */
const RUN_LIMIT_MS = 5_000;
const MAX_COMMANDS = 25;
const TIP = 1_000;

let database: TestDatabase;
let service: Service;
let dataSource: DataSource;
let money: Money;
/** A merchant for each set of standing rules. */
const merchants = new Map<ModelRules, string>();

const RULES: readonly ModelRules[] = [
  { seenLate: false, shortPercent: 0, late: false },
  { seenLate: true, shortPercent: 0, late: false },
  { seenLate: true, shortPercent: 50, late: false },
  { seenLate: true, shortPercent: 50, late: true },
];

beforeAll(async () => {
  database = await createTestDatabase();
  await standAtTip(database.url, TIP);
  dataSource = await new DataSource({ type: 'postgres', url: database.url }).initialize();
  await start();
  for (const rules of RULES) {
    const { merchantId } = await service.shop();
    await service.app.get(MerchantsService).set(
      merchantId,
      {
        acceptSeenLate: rules.seenLate,
        acceptShortBps: rules.shortPercent * 100,
        acceptLateMinutes: rules.late ? 60 : 0,
        acceptLateMoveBps: rules.late ? 100 : 0,
      },
      by('test'),
    );
    merchants.set(rules, merchantId);
  }
});
afterAll(async () => {
  await service.stop();
  await dataSource.destroy();
  await database.drop();
});

/** The chain is written by hand below; no node answers, and the cursor says that none is missed. */
async function start(): Promise<void> {
  service = await Service.start({ databaseUrl: database.url, chain: SILENT_CHAIN });
  money = new Money(service, dataSource);
}

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
      punctual: !model.lapsed,
      counts: !model.ended && !model.lapsed,
      confirmations,
      presence: 'there',
      covered: false,
    });
    real.ids.push(await money.record(real.id, { percent, blockHeight: TIP + 1 - confirmations }));
  });
}

const NEW = { confirmations: 1, presence: 'there', covered: false } as const;

/** Mined inside the window, and recorded only after it. */
function receiveSeenLate(percent: number, confirmations: number): Command {
  return command(`see ${percent} % late with ${confirmations} confirmations`, async (model, real) => {
    if (!model.lapsed) return;
    model.transfers.push({ ...NEW, percent, confirmations, punctual: true, counts: !model.ended });
    const blockHeight = TIP + 1 - confirmations;
    real.ids.push(await money.record(real.id, { percent, blockHeight, blockTime: 'i.expires_at' }));
  });
}

/** The service stops, something happens, and another instance of it starts on the same database. */
function whileDown({ name, run }: Command): Command {
  return command(`${name}, while the service restarts`, async (model, real) => {
    await service.stop();
    await run(model, real);
    await start();
  });
}

/** The window ends in the very instant in which a punctual transfer is recorded. */
function receiveAtTheEnd(percent: number): Command {
  return command(`receive ${percent} % in the last instant`, async (model, real) => {
    if (model.ended || model.lapsed) return;
    model.transfers.push({ ...NEW, percent, punctual: true, counts: true });
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
          facts AS (UPDATE transfer SET first_seen_at = first_seen_at - by, block_time = block_time - by, block_hash = block_hash || 'b'
                     FROM shift WHERE subject = $1)
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
const sweep = command('sweep', () => sweepAll(service));
const cancelByBuyer = command('the buyer cancels', async (model, real) => {
  const outcome = await service.app.get(BuyerActionsService).cancel(real.id);
  expect(outcome === 'cancelled').toBe(model.mayCancel.buyer || model.status === 'cancelled');
  if (model.mayCancel.buyer) model.go('cancelled');
});
const cancelByMerchant = command('the merchant cancels', async (model, real) => {
  const done = await service.app
    .get(IntentsService)
    .cancel({ whose: ANYBODYS, id: real.id, by: by('ann') }, 'cancelled-by-operator')
    .then(
      () => true,
      () => false,
    );
  expect(done).toBe(model.mayCancel.merchant || model.status === 'cancelled');
  if (model.mayCancel.merchant) model.go('cancelled');
});
const accept = command('the merchant accepts', async (model, real) => {
  const reviews = service.app.get(ReviewsService);
  const entry = await reviews.show(ANYBODYS, real.id).catch(() => null);
  const done = await reviews
    .accept(
      { whose: ANYBODYS, id: real.id, by: by('ann') },
      { reason: 'yes', seen: entry?.acceptable?.transferIds },
    )
    .then(
      () => true,
      () => false,
    );
  expect(done).toBe(model.mayAccept);
  if (done) model.settle(model.acceptable);
});
const dismiss = command('the merchant dismisses', async (model, real) => {
  const done = await service.app
    .get(ReviewsService)
    .dismiss({ whose: ANYBODYS, id: real.id, by: by('ann') }, { note: 'no' })
    .then(
      () => true,
      () => false,
    );
  expect(done).toBe(model.queued);
  if (done) for (const transfer of model.open) transfer.covered = true;
});

const received = fc
  .tuple(fc.constantFrom(20, 50, 100, 120), fc.constantFrom(1, 3))
  .map(([percent, confirmations]) => receive(percent, confirmations));
const seenLate = fc
  .tuple(fc.constantFrom(50, 100), fc.constantFrom(1, 3))
  .map(([percent, confirmations]) => receiveSeenLate(percent, confirmations));
const atTheEnd = fc.constantFrom(50, 100).map(receiveAtTheEnd);

/** A restart takes as long as fifty of the others: few of them in a short run, hundreds in a long one. */
const anyCommand = fc.oneof(
  { weight: 80, arbitrary: received },
  { weight: 20, arbitrary: atTheEnd },
  { weight: 20, arbitrary: seenLate },
  { weight: 50, arbitrary: deepen },
  { weight: 40, arbitrary: vanish },
  { weight: 25, arbitrary: comeBack },
  { weight: 20, arbitrary: giveUp },
  { weight: 20, arbitrary: replace },
  { weight: 40, arbitrary: fc.constant(lapse) },
  {
    weight: 60,
    arbitrary: fc.constantFrom(sweep, cancelByBuyer, cancelByMerchant, accept, dismiss),
  },
  { weight: 2, arbitrary: fc.oneof(received, atTheEnd, seenLate, vanish, fc.constant(lapse)).map(whileDown) },
);

it(
  'never disagrees with the reference model',
  async () => {
    const sequences = fc.array(anyCommand, { maxLength: MAX_COMMANDS });
    const life = fc.asyncProperty(fc.constantFrom(...RULES), sequences, compare);
    await fc.assert(life, { numRuns: RUNS, seed: SEED, verbose: 1 });
  },
  60_000 + RUNS * RUN_LIMIT_MS,
);

async function compare(rules: ModelRules, commands: readonly Command[]): Promise<void> {
  const model = new Model(rules);
  const real = new Real(await money.picked(merchants.get(rules)!));
  const told: string[] = [];
  for (const { name, run } of commands) {
    told.push(name);
    await run(model, real);
    model.look();
    await applyAllChanges(service);
    const seen = await look(real.id);
    const { status, walk, queued, undone } = model;
    const expected = { status, walk, queued, undone, asked: model.asked ?? seen.asked };
    if (JSON.stringify(seen) !== JSON.stringify(expected)) {
      throw new Error(
        `by the rules ${JSON.stringify(rules)} after ${told.join(', ')}:\n` +
          `the service says ${JSON.stringify(seen)}\nthe model says   ${JSON.stringify(expected)}`,
      );
    }
  }
}

/** Everything that the model knows, as the service has it. */
async function look(id: string) {
  const status = await money.status(id);
  const walk = await money.walkOf(id);
  const queued = await service.app
    .get(ReviewsService)
    .show(ANYBODYS, id)
    .then(
      () => true,
      () => false,
    );
  const alerts = await dataSource.query<{ kind: string }[]>(
    'SELECT kind FROM alert WHERE subject = $1 AND resolved_at IS NULL',
    [id],
  );
  const isRaised = (wanted: string) => alerts.some(({ kind }) => kind === wanted);
  return {
    status,
    walk,
    queued,
    undone: isRaised('reorganised-after-settlement'),
    asked: isRaised('review-entry'),
  };
}
