import { ANYBODYS } from '../../../../src/database/by.js';
import { FactsService } from '../../../../src/modules/chains/facts.service.js';
import { BuyerActionsService } from '../../../../src/modules/intents/checkout/buyer-actions.service.js';
import { IntentsService } from '../../../../src/modules/intents/lifecycle/intents.service.js';
import { StatusWriter } from '../../../../src/modules/intents/lifecycle/status-writer.js';
import { ReviewsService } from '../../../../src/modules/intents/review/reviews.service.js';
import { Retention } from '../../../../src/platform/retention/retention.js';
import type { Command } from '../../../model/commands.js';
import { lookAt } from '../../../model/look.js';
import type { NetworkName } from '../../../model/reference.js';
import { Stage } from '../../../model/stage.js';
import { World } from '../../../model/world.js';
import { by } from '../../../support/intents/by.js';
import { applyAllChanges } from '../../../support/intents/decided.js';
import { eventually } from '../../../support/servers/receiver.js';

/** From the block that holds it to the last that counts as deeper, as the watcher has it. */
const UNTIL_FINAL = 100;

let stage: Stage;
let world: World;
let id: string;

beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage.close());
afterEach(() => jest.restoreAllMocks());

const of = <Service>(service: abstract new (...values: never[]) => Service): Service =>
  stage.app.get<Service>(service, { strict: false });

/** An intent of CHF 10, for which the buyer is to pay this. */
async function picked(asset: 'USDC' | 'BTC' = 'USDC'): Promise<void> {
  const network: NetworkName = asset === 'BTC' ? 'bitcoin' : 'ethereum';
  await stage.reset();
  await stage.advance(1_000);
  world = new World(stage, [network]);
  await world.watch();
  const request = { amountMinor: 1_000n, currency: 'CHF', title: null, idempotencyKey: null } as const;
  const { intent } = await of(IntentsService).create(stage.merchants[0]!, { ...request, returnUrl: null });
  ({ id } = intent);
  await of(BuyerActionsService).pick(id, network, asset);
  const [quote] = await stage.dataSource.query<[{ address: string; atoms: string }]>(
    'SELECT watched_address AS address, amount_atoms AS atoms FROM quote WHERE intent_id = $1',
    [id],
  );
  const { address } = quote;
  const place = { asset, address, atoms: BigInt(quote.atoms), key: null, issuedMs: stage.clock.nowMs };
  world.places.push(place);
}

const pay = (percent: number, asset: 'USDC' | 'USDT' = 'USDC'): Command => ({
  do: 'pay',
  asset,
  percents: [percent],
  to: 'quote',
  from: 'buyer',
});
const block: Command = { do: 'blocks', count: 1 };

/** The watcher looks after it. @returns whether the intent is to be decided then */
async function watched(command: Command): Promise<boolean> {
  await stage.advance(1_000);
  await world.act(command);
  await world.watch();
  return (await of(FactsService).changes(100)).some(({ subject }) => subject === id);
}

/** The same, and it is decided where it is to be. */
async function after(command: Command): Promise<boolean> {
  const isWoken = await watched(command);
  await applyAllChanges(stage);
  return isWoken;
}

/** By so many blocks. @returns at how many of them the intent was decided */
async function deeper(blocks: number): Promise<number> {
  let decisions = 0;
  for (let i = 0; i < blocks; i += 1) if (await after(block)) decisions += 1;
  return decisions;
}

async function settled(percent = 100): Promise<void> {
  await after(pay(percent));
  await deeper(2);
  expect((await seen()).status).toBe('settled');
}

const seen = () => lookAt(stage.dataSource, id);
const toldReasons = async () => (await seen()).money.map(({ told }) => told.reason);
const rests = () =>
  stage.dataSource
    .query<unknown[]>('SELECT FROM fact_rest WHERE subject = $1', [id])
    .then((rows) => rows.length);

describe('once a payment is settled and nothing of it is open', () => {
  it('blocks on top have it decided no more, until it is final and after that', async () => {
    await picked();
    await settled();
    const applied = jest.spyOn(of(StatusWriter), 'applyChange');
    expect(await deeper(UNTIL_FINAL + 20)).toBeLessThanOrEqual(1);
    expect(applied.mock.calls.length).toBeLessThanOrEqual(1);
  });

  it('that it rests is remembered until its money is final', async () => {
    await picked();
    await settled();
    await of(Retention).run();
    expect(await rests()).toBe(1);
    await deeper(UNTIL_FINAL);
    expect(await of(Retention).run()).toMatchObject({ fact_rest: 1 });
    expect(await rests()).toBe(0);
    expect(await deeper(1)).toBe(0);
  });

  it('it is decided at once where its money leaves the chain, at each block until it is back, and then', async () => {
    await picked();
    await settled();
    await deeper(1);
    expect(await after({ do: 'fork-evm', depth: 5, keep: 'none' })).toBe(true);
    expect(await seen()).toMatchObject({ status: 'settled', undone: true });
    expect(await rests()).toBe(0);
    expect(await after({ do: 'back' })).toBe(true);
    expect((await seen()).undone).toBe(false);
    expect(await deeper(5)).toBe(0);
    expect(await after({ do: 'fork-evm', depth: 7, keep: 'none' })).toBe(true);
    expect((await seen()).undone).toBe(true);
    expect(await deeper(3)).toBe(3);
  });

  it('it is decided once where its money left and came back before anybody decided, and rests again', async () => {
    await picked();
    await settled();
    await deeper(1);
    await watched({ do: 'fork-evm', depth: 5, keep: 'none' });
    expect(await after({ do: 'back' })).toBe(true);
    expect((await seen()).undone).toBe(false);
    expect(await deeper(3)).toBe(0);
    await after({ do: 'fork-evm', depth: 6, keep: 'none' });
    expect((await seen()).undone).toBe(true);
  });

  it('it is decided where its money moves to another block', async () => {
    await picked();
    await settled();
    expect(await after({ do: 'fork-evm', depth: 4, keep: 'all' })).toBe(true);
    expect(await seen()).toMatchObject({ status: 'settled', undone: false });
    expect(await deeper(5)).toBe(0);
  });
});

it('what took the place of money that rested is looked for, also while nobody decides', async () => {
  await picked();
  await settled();
  await watched({ do: 'fork-evm', depth: 4, keep: 'replaced' });
  for (let i = 0; i < 3; i += 1) await watched(block);
  expect(await rests()).toBe(1);
  expect((await seen()).transfers.map(({ state }) => state)).toEqual(['replaced']);
  await applyAllChanges(stage);
  expect(await seen()).toMatchObject({ status: 'settled', undone: true });
});

describe('what somebody waits for, or has to decide about, is told at each block', () => {
  it('money beside the price', async () => {
    await picked();
    await settled();
    expect(await after(pay(50))).toBe(true);
    expect(await deeper(6)).toBe(6);
    expect(await seen()).toMatchObject({ reason: 'after-settlement', asked: true });
    expect(await deeper(3)).toBe(3);
    expect(await rests()).toBe(0);
  });

  it('also where a person has dismissed it', async () => {
    await picked();
    await settled();
    await after(pay(50));
    await of(ReviewsService).dismiss({ whose: ANYBODYS, id, by: by('ann') }, { note: 'no' });
    expect(await toldReasons()).toEqual([]);
    await deeper(6);
    expect(await toldReasons()).toEqual(['after-settlement']);
  });

  it('money of another kind', async () => {
    await picked();
    await settled();
    await after(pay(50, 'USDT'));
    expect(await deeper(8)).toBe(8);
    expect(await seen()).toMatchObject({ reason: 'other-asset', asked: true });
    expect(await toldReasons()).toEqual(['other-asset']);
  });

  it('an excess, until it is as deep as all that came, and no longer', async () => {
    await picked();
    await settled(2_000);
    expect(await deeper(2)).toBe(2);
    expect(await toldReasons()).toEqual([]);
    await deeper(1);
    expect(await toldReasons()).toEqual(['excess']);
    await deeper(1);
    expect(await deeper(4)).toBe(0);
  });

  it('an excess that was sent back, where it leaves the chain after that', async () => {
    await picked();
    await settled(200);
    await deeper(UNTIL_FINAL);
    const refund = { amount: '12.5', asset: 'USDC', network: 'ethereum', txid: null };
    await of(ReviewsService).refund({ whose: ANYBODYS, id, by: by('ann') }, { note: 'back', refund });
    await deeper(1);
    const alerts = () =>
      stage.dataSource.query<{ kind: string }[]>(
        'SELECT kind FROM alert WHERE subject = $1 AND resolved_at IS NULL ORDER BY kind',
        [id],
      );
    expect(await alerts()).toEqual([]);
    world.evm.disconnect(UNTIL_FINAL + 4);
    expect(await after(block)).toBe(true);
    expect((await alerts()).map(({ kind }) => kind)).toEqual([
      'refund-beyond-money',
      'reorganised-after-settlement',
    ]);
  });
});

describe('what comes while a decision is under way', () => {
  /** A decision that stands once, between what it has read and that it is acknowledged, or between that and its commit. */
  async function standing(where: 'before' | 'after'): Promise<{ goOn(): Promise<void> }> {
    const facts = of(FactsService);
    const acknowledge = facts.acknowledge.bind(facts);
    const [change] = await facts.changes(1);
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    let done = Promise.resolve();
    await new Promise<void>((reached, fails) => {
      jest.spyOn(facts, 'acknowledge').mockImplementationOnce(async (...given) => {
        if (where === 'after') await acknowledge(...given);
        reached();
        await released;
        if (where === 'before') await acknowledge(...given);
      });
      done = of(StatusWriter).applyChange(change!);
      done.catch(fails);
    });
    return {
      goOn: () => {
        release();
        return done;
      },
    };
  }
  it('and is committed before it, is decided next, and nothing rests', async () => {
    await picked();
    await after(pay(100));
    await deeper(1);
    await watched(block);
    const decision = await standing('before');
    await watched(pay(50));
    await decision.goOn();
    expect((await seen()).status).toBe('settled');
    expect(await rests()).toBe(0);
    await applyAllChanges(stage);
    expect((await seen()).queued).toHaveLength(1);
    expect(await deeper(4)).toBe(4);
  });

  it('and waits for its commit, is decided next, and wakes it at each block', async () => {
    await picked();
    await after(pay(100));
    await deeper(1);
    await watched(block);
    const decision = await standing('after');
    const late = watched(pay(50));
    await eventually(
      () =>
        stage.dataSource.query<{ waiting: number }[]>(
          `SELECT count(*)::int AS waiting FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        ),
      ([row]) => row!.waiting > 0,
    );
    await decision.goOn();
    expect((await seen()).status).toBe('settled');
    expect(await late).toBe(true);
    await applyAllChanges(stage);
    expect((await seen()).queued).toHaveLength(1);
    expect(await rests()).toBe(0);
    expect(await deeper(4)).toBe(4);
  });

  it('and takes its money away, is decided next', async () => {
    await picked();
    await after(pay(100));
    await deeper(1);
    await watched(block);
    const decision = await standing('before');
    await watched({ do: 'fork-evm', depth: 4, keep: 'none' });
    await decision.goOn();
    expect(await rests()).toBe(0);
    await applyAllChanges(stage);
    expect(await seen()).toMatchObject({ status: 'settled', undone: true });
  });

  it('and brings its money back, is decided next, at rest or not', async () => {
    await picked();
    await settled();
    await deeper(1);
    expect(await rests()).toBe(1);
    await watched({ do: 'fork-evm', depth: 5, keep: 'none' });
    const decision = await standing('before');
    await watched({ do: 'back' });
    await decision.goOn();
    expect((await seen()).undone).toBe(true);
    await applyAllChanges(stage);
    expect((await seen()).undone).toBe(false);
  });
});

it('money that waits in no block wakes a settled payment with time, also where it rested before', async () => {
  await picked('BTC');
  const send: Command = { do: 'send', coins: [0], percents: [100], to: 'quote' };
  const mine = (what: 'pool' | 'nothing'): Command => ({ do: 'mine', blocks: 1, what, headerS: 0 });
  await after(send);
  for (let i = 0; i < 6; i += 1) await after(mine('pool'));
  expect((await seen()).status).toBe('settled');
  expect(await after(mine('pool'))).toBe(false);
  expect(await after({ do: 'fork', depth: 7, what: 'nothing', headerS: 0 })).toBe(true);
  expect((await seen()).undone).toBe(true);
  expect(await after(mine('nothing'))).toBe(true);
  await after(mine('pool'));
  expect((await seen()).undone).toBe(false);
  expect(await after(mine('nothing'))).toBe(false);
});
