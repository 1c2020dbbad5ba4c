import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { DataSource } from 'typeorm';
import { ANYBODYS } from '../../../../src/database/by.js';
import { BuyerActionsService } from '../../../../src/modules/intents/checkout/buyer-actions.service.js';
import { IntentsService } from '../../../../src/modules/intents/lifecycle/intents.service.js';
import { ReviewsService } from '../../../../src/modules/intents/review/reviews.service.js';
import { MerchantsService } from '../../../../src/modules/merchants/merchants.service.js';
import { by } from '../../../support/intents/by.js';
import { applyAllChanges, sweepAll } from '../../../support/intents/decided.js';
import { Money } from '../../../support/intents/money.js';
import { SILENT_CHAIN } from '../../../support/nodes/wallet.js';
import { runsOf, seedOf } from '../../../support/run/seed.js';
import { eventually } from '../../../support/servers/receiver.js';
import { Service } from '../../../support/service/service.js';

/**
 * The last instant of a window, with everybody at once. A short run in every CI;
 * `npm run prove:money` does 5,000. A failure
 * prints its seed; `EXPIRY_SEED` replays the same rounds, though not the same interleaving.
 */
const ROUNDS = runsOf('EXPIRY_ROUNDS', 300);
const SEED = seedOf('EXPIRY_SEED', 'EXPIRY_ROUNDS');
/** Far more than a loaded machine takes for one round. */
const ROUND_LIMIT_MS = 5_000;

let service: Service;
let dataSource: DataSource;
let money: Money;
let merchantId: string;

beforeAll(async () => {
  // Facts are written by hand; no node answers, and the cursor says that none is missed.
  service = await Service.start({ chain: SILENT_CHAIN, standsAt: 1_000 });
  dataSource = service.app.get(DataSource);
  money = new Money(service);
  ({ merchantId } = await service.shop());
  await service.app.get(MerchantsService).set(merchantId, { acceptSeenLate: false }, by('test'));
});
afterAll(async () => {
  await service.stop();
});

interface Round {
  /** The payment's block, against the last instant of the window. */
  readonly observedMs: number;
  readonly percent: number;
  /** From the moment at which everybody starts until the window ends. */
  readonly endsInMs: number;
  readonly actors: readonly { readonly who: keyof typeof ACTORS; readonly afterMs: number }[];
}

const refused = () => undefined;

const ACTORS = {
  sweeper: () => sweepAll(service),
  reader: (id: string) => money.status(id),
  watcher: async (id: string, { observedMs, percent }: Round) => {
    const blockTime = `i.expires_at + interval '${observedMs} ms'`;
    await money.record(id, { percent, blockTime });
    await applyAllChanges(service);
  },
  buyer: (id: string) => service.app.get(BuyerActionsService).cancel(id),
  merchant: (id: string) =>
    service.app
      .get(IntentsService)
      .cancel({ whose: ANYBODYS, id: id, by: by('ann') }, 'cancelled-by-operator')
      .catch(refused),
  reviewer: (id: string) =>
    service.app
      .get(ReviewsService)
      .accept({ whose: ANYBODYS, id, by: by('ann') }, { reason: 'yes' })
      .catch(refused),
} as const;

const others = fc.constantFrom('sweeper', 'reader', 'buyer', 'merchant', 'reviewer', 'reviewer');
const actor = <Who extends keyof typeof ACTORS>(who: fc.Arbitrary<Who>) =>
  fc.record({ who, afterMs: fc.nat(6) });
const rounds: fc.Arbitrary<Round> = fc.record({
  observedMs: fc.constantFrom(-1, 0, 1),
  percent: fc.constantFrom(60, 100),
  endsInMs: fc.integer({ min: -1, max: 6 }),
  actors: fc
    .tuple(actor(fc.constant('watcher')), fc.array(actor(others), { minLength: 1, maxLength: 5 }))
    .map((parts) => parts.flat()),
});

it(
  'ends every intent in one terminal event, whoever comes first in its last milliseconds',
  async () => {
    const property = fc.asyncProperty(rounds, race);
    // A race does not shrink: the next try interleaves differently.
    await fc.assert(property, { numRuns: ROUNDS, seed: SEED, endOnFailure: true });
  },
  60_000 + ROUNDS * ROUND_LIMIT_MS,
);

async function race(round: Round): Promise<void> {
  const id = await money.picked(merchantId);
  await money.endWindowIn(id, round.endsInMs);
  await Promise.all(
    round.actors.map(async ({ who, afterMs }) => {
      await sleep(afterMs);
      await ACTORS[who](id, round);
    }),
  );
  const told = await eventually(
    async () => {
      await sweepAll(service);
      await applyAllChanges(service);
      return eventsOf(id);
    },
    (events) => TERMINAL.includes(events.at(-1)?.status ?? ''),
  );
  const terminal = told.filter(({ status }) => TERMINAL.includes(status));
  const isAccepted = terminal.at(-1)?.cause === 'accepted-in-review';
  expect(terminal.map(({ status }) => status)).toEqual(
    isAccepted ? ['expired', 'settled'] : [terminal[0]?.status],
  );
  expect(told.map(({ sequence }) => sequence)).toEqual(told.map((_, index) => index + 1));
  expect(await money.status(id)).toBe(told.at(-1)?.status);
  // Too late by a millisecond, or too little, is never settled by the clock alone.
  if (round.percent < 100 || (await isLate(id)))
    expect(told.map(({ cause }) => cause)).not.toContain('deposit-settled');
  await expectMoneyAccountedFor(id);
}

const TERMINAL = ['settled', 'failed', 'expired', 'cancelled'];

/** What the merchant's endpoints are told, in order. */
function eventsOf(id: string): Promise<{ sequence: number; status: string; cause: string }[]> {
  return dataSource.query(
    `SELECT e.sequence, e.body::jsonb #>> '{data,intent,status}' AS status, t.cause
     FROM event e LEFT JOIN transition t ON t.event_id = e.id
     WHERE e.subject = $1 AND e.type = 'payment.status' ORDER BY e.sequence`,
    [id],
  );
}

/**
 * A transfer is as early as it was seen: a watcher that wrote it within the window makes it punctual. In milliseconds,
 * as the service reads and tells every time.
 */
async function isLate(id: string): Promise<boolean> {
  const [row] = await dataSource.query<[{ late: boolean }]>(
    `SELECT date_trunc('milliseconds', least(t.first_seen_at, t.block_time))
            > date_trunc('milliseconds', i.expires_at) AS late
     FROM transfer t JOIN intent i ON i.id = t.subject WHERE i.id = $1`,
    [id],
  );
  return row.late;
}

/** However it ended, the one transfer is in exactly one place: the settlement or the queue. */
async function expectMoneyAccountedFor(id: string): Promise<void> {
  const [row] = await dataSource.query<[{ places: number }]>(
    `SELECT (SELECT count(*) FROM settlement, jsonb_array_elements(transfers) WHERE intent_id = $1)::int
          + (SELECT count(*) FROM review_entry, unnest(transfers) WHERE intent_id = $1)::int AS places`,
    [id],
  );
  expect(row.places).toBe(1);
}
