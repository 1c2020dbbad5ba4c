import { ANYBODYS } from '../../src/database/by.js';
import { BuyerActionsService } from '../../src/modules/intents/checkout/buyer-actions.service.js';
import { IntentsService } from '../../src/modules/intents/lifecycle/intents.service.js';
import { StatusWriter } from '../../src/modules/intents/lifecycle/status-writer.js';
import { ReviewsService } from '../../src/modules/intents/review/reviews.service.js';
import { by } from '../support/intents/by.js';
import { applyAllChanges, sweepAll, sweepAllOverdue } from '../support/intents/decided.js';
import { attacksOn } from './attacks.js';
import type { Command, Life, Wait } from './commands.js';
import { lookAt, type Seen } from './look.js';
import {
  ModelChains,
  type ModelDepth,
  ModelIntent,
  type ModelQuote,
  type MoneyTold,
  type NetworkName,
  RULES,
} from './reference.js';
import { coinKeyOf, type Stage } from './stage.js';
import { type Place, World } from './world.js';

const WINDOW_MS = 15 * 60_000;
/** No chain stands still for longer: a block is what tells the service that a grace time has ended. */
const BLOCKS_AFTER_MS = 10 * 60_000;

interface PickedRow {
  readonly address: string;
  readonly atoms: string;
  readonly depth: string;
  readonly tiers: readonly string[];
  readonly index: number;
}

/** One intent in both worlds. */
interface Pair {
  readonly id: string;
  readonly model: ModelIntent;
  readonly places: Place[];
}

/** Runs a life in the service and in the model, and compares the two after each thing that somebody does. */
export class LifeRun {
  private readonly chains: ModelChains;
  private readonly world: World;
  private readonly pairs: Pair[] = [];
  private readonly told: string[] = [];
  private passed = false;

  private constructor(
    private readonly stage: Stage,
    private readonly life: Life,
  ) {
    this.chains = new ModelChains(RULES[life.rules]!.confirmationDepth);
    const picks = life.commands.flatMap((command) =>
      command.do === 'pick' ? [networkOf(command.asset)] : [],
    );
    this.world = new World(stage, [...new Set(picks)]);
  }

  static async of(stage: Stage, life: Life): Promise<void> {
    await stage.reset();
    await stage.advance(1_000);
    await new LifeRun(stage, life).run();
  }

  private async run(): Promise<void> {
    await this.watch();
    this.pairs.push(await this.create(this.world.places));
    if (this.life.sibling) {
      this.pairs.push(await this.create(this.world.siblingPlaces));
      const first = this.life.commands.find((command) => command.do === 'pick');
      if (first) await this.pick(this.pairs[1]!, first.asset);
    }
    for (const command of this.life.commands) {
      this.told.push(JSON.stringify(command));
      await this.act(command);
      await this.compare();
    }
    this.told.push('the end');
    await this.world.settleDown();
    await this.compare();
    await this.pass(WINDOW_MS);
    await this.compare();
    const broken = await this.stage.broken();
    if (broken.length > 0) this.fail(`broken invariants: ${broken.join('; ')}`);
  }

  private async create(places: Place[]): Promise<Pair> {
    const request = { currency: 'CHF', title: null, idempotencyKey: null, returnUrl: null } as const;
    const amountMinor = this.life.amount === 'small' ? 1_000n : 200_000n;
    const merchantId = this.stage.merchants[this.life.rules]!;
    const { intent } = await this.of(IntentsService).create(merchantId, { ...request, amountMinor });
    const model = new ModelIntent(
      this.chains,
      RULES[this.life.rules]!,
      Date.parse(intent.expiresAt),
      amountMinor,
    );
    return { id: intent.id, model, places };
  }

  private of<Service>(service: abstract new (...values: never[]) => Service): Service {
    return this.stage.app.get<Service>(service, { strict: false });
  }

  private async act(command: Command): Promise<void> {
    const [main] = this.pairs;
    if (!main) return;
    switch (command.do) {
      case 'pick':
        return this.pick(main, command.asset);
      case 'wait':
        return this.wait(command.until, main.model.expiresMs);
      case 'sweep':
        return sweepAll(this.stage);
      case 'cancel':
        return this.cancel(main, command.by);
      case 'accept': {
        const found = main.model.queued ? main.model.acceptable : null;
        const reviews = this.of(ReviewsService);
        const entry = await reviews.show(ANYBODYS, main.id).catch(() => null);
        const final = entry?.acceptable?.transferIds;
        const done = await succeeds(
          reviews.accept({ whose: ANYBODYS, id: main.id, by: by('ann') }, { reason: 'yes', seen: final }),
        );
        if (done !== (found !== null)) this.fail(`accept: the service ${done ? 'does it' : 'refuses'}`);
        if (found) main.model.settle(found.quote, found.transfers, this.stage.clock.nowMs);
        return;
      }
      case 'dismiss': {
        const done = await succeeds(
          this.of(ReviewsService).dismiss({ whose: ANYBODYS, id: main.id, by: by('ann') }, { note: 'no' }),
        );
        if (done !== main.model.queued) this.fail(`dismiss: the service ${done ? 'does it' : 'refuses'}`);
        if (done) main.model.dismiss();
        return;
      }
      default:
        return this.world.act(command);
    }
  }

  private async pick({ id, model, places }: Pair, asset: string): Promise<void> {
    const network = networkOf(asset);
    const isSame = model.picked?.asset === asset;
    const outcome = await this.of(BuyerActionsService).pick(id, network, asset);
    if (outcome !== 'picked' || isSame) return;
    const again = model.quotes.find((quote) => quote.asset === asset);
    // Coming back to the quote that is shown because it was paid is no switch.
    if (!model.mayPick && again) return;
    if (!model.mayPick) this.fail(`the buyer could switch to ${asset}`);
    if (again) return model.pick(again);
    const [row] = await this.stage.dataSource.query<[PickedRow]>(
      `SELECT q.watched_address AS address, amount_atoms AS atoms, settlement_depth AS depth, settlement_depths AS tiers, derivation_index AS index
       FROM quote q JOIN address a ON a.family = q.family AND a.address = q.watched_address
       WHERE intent_id = $1 AND asset = $2`,
      [id, asset],
    );
    const { address, depth } = row;
    const atoms = BigInt(row.atoms);
    const depthOf = (text: string): ModelDepth => (text === 'finalized' ? text : Number(text));
    const [settlementDepth, tiers] = [depthOf(depth), row.tiers.map(depthOf)];
    const quote: ModelQuote = { network, asset, address, atoms, settlementDepth, tiers };
    model.pick(quote);
    const key = network === 'bitcoin' ? coinKeyOf(this.stage.merchants[this.life.rules]!, row.index) : null;
    places.push({ asset, address, atoms, key, issuedMs: this.stage.clock.nowMs });
  }

  private async cancel({ id, model }: Pair, who: 'buyer' | 'merchant'): Promise<void> {
    const done =
      who === 'buyer'
        ? (await this.of(BuyerActionsService).cancel(id)) === 'cancelled'
        : await succeeds(
            this.of(IntentsService).cancel(
              { whose: ANYBODYS, id: id, by: by('ann') },
              'cancelled-by-operator',
            ),
          );
    const expected = model.mayCancel[who] || model.status === 'cancelled';
    if (done !== expected) this.fail(`cancel by the ${who}: the service ${done ? 'does it' : 'refuses'}`);
    if (model.mayCancel[who]) model.go('cancelled');
  }

  private async wait(until: Wait, expiresMs: number): Promise<void> {
    const { nowMs } = this.stage.clock;
    const ms = {
      second: 1_000,
      'near-the-end': expiresMs - 1_000 - nowMs,
      'the-end': expiresMs - nowMs,
      'past-the-end': expiresMs + 1_000 - nowMs,
      'ten-minutes': 600_000,
      'two-hours': 7_200_000,
      'a-day': 86_400_000,
    }[until];
    if (ms > 0) await this.pass(ms);
  }

  /** Whoever watches has looked all the time, and nothing has happened. */
  private async pass(ms: number): Promise<void> {
    this.passed = true;
    await this.stage.advance(ms);
    for (const network of ['bitcoin', 'ethereum'] as const) {
      if (!this.world.sees(network)) continue;
      await this.stage.dataSource.query(
        'UPDATE chain_cursor SET synced_at = clock_timestamp() WHERE network = $1',
        [network],
      );
      this.chains.quiet(network, ms, this.stage.clock.nowMs, true);
    }
    if (ms >= BLOCKS_AFTER_MS) this.world.goOn();
  }

  private async watch(): Promise<void> {
    for (const sight of await this.world.watch()) this.chains.see(sight);
  }

  private async compare(): Promise<void> {
    await this.watch();
    const before = this.pairs.map(({ model }) => model.status);
    await applyAllChanges(this.stage);
    if (this.passed) await sweepAll(this.stage);
    if (this.passed) await sweepAllOverdue(this.stage);
    this.passed = false;
    for (const { model } of this.pairs) model.look(this.stage.clock.nowMs);
    for (const [i, { id, model }] of this.pairs.entries()) {
      const seen = await lookAt(this.stage.dataSource, id);
      const attack = attacksOn(this.world, seen, model, before[i]!);
      if (attack) this.fail(attack);
      const expected = expectation(model);
      if (JSON.stringify(comparable(seen)) !== JSON.stringify(expected)) {
        this.fail(
          `the service says ${JSON.stringify(comparable(seen))}\nthe model says   ${JSON.stringify(expected)}`,
        );
      }
      await this.decideAtRest(id, seen);
    }
  }

  /** Of what rests, which no block wakes, a decision would have nothing to say, however deep it is by now. */
  private async decideAtRest(id: string, seen: Seen): Promise<void> {
    const { dataSource } = this.stage;
    const resting = await dataSource.query<unknown[]>('SELECT FROM fact_rest WHERE subject = $1', [id]);
    if (resting.length === 0) return;
    await this.of(StatusWriter).decideAnew(id);
    const again = await lookAt(dataSource, id);
    if (JSON.stringify(again) !== JSON.stringify(seen))
      this.fail(`it rested, and was to become ${JSON.stringify(again)}\nfrom ${JSON.stringify(seen)}`);
  }

  private fail(what: string): never {
    const { rules, amount, sibling } = this.life;
    throw new Error(`${what}\nlife ${JSON.stringify({ rules, amount, sibling })}\n${this.told.join('\n')}`);
  }
}

function networkOf(asset: string): NetworkName {
  return asset === 'BTC' ? 'bitcoin' : 'ethereum';
}

function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}

const keysOf = (transfers: readonly { readonly key: string }[]) => transfers.map(({ key }) => key).sort();

function expectation(model: ModelIntent) {
  return {
    status: model.status,
    walk: model.walk,
    queued: model.ended ? keysOf(model.open) : [],
    settledBy: keysOf(model.settledBy),
    undone: model.ended && model.undone,
    reason: model.reason,
    announced: [...model.announced]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, told]) => moneyOf(key, told)),
    excess: model.excessAtoms.toString(),
  };
}

function comparable({ status, walk, queued, settledBy, undone, reason, money }: Seen) {
  const excess = money.filter(({ told }) => told.reason === 'excess');
  return {
    status,
    walk,
    queued,
    settledBy: settledBy.map(({ key }) => key),
    undone,
    reason,
    announced: money.filter((one) => !excess.includes(one)).map(({ key, told }) => moneyOf(key, told)),
    excess: excess.reduce((sum, { atoms }) => sum + BigInt(atoms), 0n).toString(),
  };
}

/** In one order of fields. */
function moneyOf(key: string, { reason, network, asset, amount, txid }: MoneyTold) {
  return { key, reason, network, asset, amount, txid };
}
