import { bech32 } from '@scure/base';
import fc from 'fast-check';
import { wireText } from '../../src/kernel/crypto-amount.js';
import { BitcoinSearch } from '../../src/modules/chains/outgoing/bitcoin-search.js';
import { OutgoingService } from '../../src/modules/chains/outgoing/outgoing.service.js';
import { BuyerActionsService } from '../../src/modules/intents/checkout/buyer-actions.service.js';
import { IntentsService } from '../../src/modules/intents/lifecycle/intents.service.js';
import { RefundsJobs } from '../../src/modules/intents/review/refunds.jobs.js';
import { RefundsService } from '../../src/modules/intents/review/refunds.service.js';
import { by } from '../support/intents/by.js';
import { applyAllChanges, sweepAll } from '../support/intents/decided.js';
import { type CoinTransaction, hashOf } from './nodes/scripted-bitcoin.js';
import { coinKeyOf, type Stage } from './stage.js';
import { World } from './world.js';

/** What somebody does about refunds of one payment, or about the chain on which they are made. */
export type RefundCommand =
  | { readonly do: 'blind' | 'see'; readonly network: 'bitcoin' }
  | { readonly do: 'stall'; readonly network: 'bitcoin'; readonly afterCalls: number }
  | { readonly do: 'wake' | 'restart' }
  | { readonly do: 'ask' | 'pay'; readonly home: number; readonly hidden?: boolean }
  | { readonly do: 'mine'; readonly blocks: number; readonly what: Mined }
  | { readonly do: 'fork'; readonly depth: number; readonly longer: number; readonly what: Mined }
  | { readonly do: 'name'; readonly nth: number; readonly payment: number }
  | { readonly do: 'withdraw'; readonly nth: number; readonly sure: boolean }
  | { readonly do: 'follow' }
  /** The node keeps so many blocks, and none before. */
  | { readonly do: 'prune'; readonly kept: number };
type Mined = 'pool' | 'nothing' | 'hidden';

const nth = fc.nat(3);
const home = fc.nat(1);
const what = fc.constantFrom<Mined>('pool', 'pool', 'nothing', 'hidden');
const network = fc.constant('bitcoin' as const);

export const refundCommands: fc.Arbitrary<RefundCommand[]> = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.record({ do: fc.constant('ask' as const), home }) },
      {
        weight: 4,
        arbitrary: fc.record({
          do: fc.constant('pay' as const),
          home,
          hidden: fc.constantFrom(false, false, true),
        }),
      },
      {
        weight: 5,
        arbitrary: fc.record({
          do: fc.constant('mine' as const),
          blocks: fc.integer({ min: 1, max: 4 }),
          what,
        }),
      },
      {
        weight: 4,
        arbitrary: fc.record({
          do: fc.constant('fork' as const),
          depth: fc.integer({ min: 1, max: 8 }),
          longer: fc.integer({ min: 1, max: 3 }),
          what,
        }),
      },
      { weight: 5, arbitrary: fc.record({ do: fc.constant('follow' as const) }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constant('name' as const), nth, payment: nth }) },
      {
        weight: 2,
        arbitrary: fc.record({ do: fc.constant('prune' as const), kept: fc.integer({ min: 1, max: 4 }) }),
      },
      { weight: 2, arbitrary: fc.record({ do: fc.constant('withdraw' as const), nth, sure: fc.boolean() }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('blind' as const, 'see' as const), network }) },
      {
        weight: 1,
        arbitrary: fc.record({
          do: fc.constant('stall' as const),
          network,
          afterCalls: fc.integer({ min: 1, max: 6 }),
        }),
      },
      { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('wake' as const, 'restart' as const) }) },
    ),
    { maxLength: 25 },
  )
  .map((commands) => [{ do: 'ask', home: 0 }, ...commands]);

/** Two buyers' wallets: refunds of the same amount to the same address stand beside each other. */
const HOMES = [1, 2].map((byte) =>
  bech32.encode('bcrt', [0, ...bech32.toWords(new Uint8Array(20).fill(byte))]),
);
const MOST_REFUNDS = 4;
/** Deeper than any money has to be. */
const DEEP = 8;
const MOST_ROUNDS = 30;
const PAST_THE_WINDOW_MS = 16 * 60_000;
const REFUSED_MS = 11 * 60_000;

interface Row {
  readonly id: string;
  readonly state: string;
  readonly address: string;
  readonly atoms: string;
  readonly txid: string | null;
  readonly output: string | null;
  readonly height: number | null;
  readonly hash: string | null;
  readonly undone: boolean;
  /** It is looked for no more, which its merchant has been told (`broken`). */
  readonly ended: boolean;
}

/**
 * Refunds of late money on a scripted chain, by what blocks hold in the end, whatever was given up before: one that is
 * paid is known to be, and none is that is not.
 */
export class RefundRun {
  private readonly world: World;
  private readonly payments: CoinTransaction[] = [];
  private readonly hidden: CoinTransaction[] = [];
  /** By refund, the last block that cannot hold its payment: the cursor's when it was asked, or a fork's below that. */
  private readonly askedAt = new Map<string, number>();
  private merchantId = '';
  private intentId = '';
  private atoms = 0n;
  /** No fork goes below it: what is refunded stays. */
  private paidAt = 0;

  private constructor(private readonly stage: Stage) {
    this.world = new World(stage, ['bitcoin']);
    const search = new BitcoinSearch(stage.networks.bitcoin);
    // It makes one that asks the configured node.
    Reflect.set(search, 'node', this.world.bitcoin);
    Reflect.set(stage.app.get(OutgoingService, { strict: false }), 'nodes', new Map([['bitcoin', search]]));
  }

  static async of(stage: Stage, commands: readonly RefundCommand[]): Promise<void> {
    await stage.reset();
    await stage.advance(1_000);
    const run = new RefundRun(stage);
    await run.late();
    for (const command of commands) {
      await run.act(command);
      await run.world.watch();
    }
    await run.world.settleDown();
    run.mine(DEEP, 'nothing');
    await run.world.watch();
    for (let round = 0; (await run.follow()) || round < 3; round += 1)
      if (round > MOST_ROUNDS) throw new Error('refunds are looked for without an end');
    // What a pruned node refuses for so long is given up, and said.
    await stage.advance(REFUSED_MS);
    run.mine(1, 'nothing');
    await run.world.watch();
    await run.follow();
    await run.judge();
  }

  private of<Service>(service: abstract new (...values: never[]) => Service): Service {
    return this.stage.app.get<Service>(service, { strict: false });
  }

  /** An expired intent whose price came late and is final. */
  private async late(): Promise<void> {
    const { world, stage } = this;
    this.merchantId = stage.merchants[0]!;
    const request = { currency: 'CHF', title: null, idempotencyKey: null, returnUrl: null } as const;
    const { intent } = await this.of(IntentsService).create(this.merchantId, {
      ...request,
      amountMinor: 1_000n,
    });
    this.intentId = intent.id;
    await world.watch();
    await this.of(BuyerActionsService).pick(intent.id, 'bitcoin', 'BTC');
    const [quote] = await stage.dataSource.query<[{ address: string; atoms: string; index: number }]>(
      `SELECT q.watched_address AS address, amount_atoms AS atoms, derivation_index AS index
         FROM quote q JOIN address a ON a.family = q.family AND a.address = q.watched_address WHERE intent_id = $1`,
      [intent.id],
    );
    const { address, index } = quote;
    const atoms = BigInt(quote.atoms);
    this.atoms = atoms / 10n;
    const key = coinKeyOf(this.merchantId, index);
    world.places.push({ asset: 'BTC', address, atoms, key, issuedMs: stage.clock.nowMs });
    await stage.advance(PAST_THE_WINDOW_MS);
    await stage.dataSource.query('UPDATE chain_cursor SET synced_at = clock_timestamp()');
    await sweepAll(this.stage);
    await world.act({ do: 'send', coins: [0], percents: [100], to: 'quote' });
    this.mine(1, 'pool');
    this.paidAt = world.bitcoin.height;
    this.mine(DEEP, 'nothing');
    await world.watch();
    await this.follow();
  }

  private async act(command: RefundCommand): Promise<void> {
    switch (command.do) {
      case 'ask':
        return this.ask(command.home);
      case 'pay':
        return this.pay(command.home, command.hidden ?? false);
      case 'mine':
        return this.mine(command.blocks, command.what);
      case 'fork':
        return this.fork(command.depth, command.longer, command.what);
      case 'prune': {
        const { bitcoin } = this.world;
        bitcoin.prunedBelow = Math.max(bitcoin.prunedBelow, bitcoin.height - command.kept + 1);
        return;
      }
      case 'follow':
        await this.follow();
        return;
      case 'name': {
        const [id, payment] = [[...this.askedAt.keys()][command.nth], this.payments[command.payment]];
        if (id && payment) await refused(this.of(RefundsService).send(this.about(id), payment.txid));
        return;
      }
      case 'withdraw': {
        const id = [...this.askedAt.keys()][command.nth];
        if (id) await refused(this.of(RefundsService).withdraw(this.about(id), command.sure));
        return;
      }
      default:
        return this.world.act(command);
    }
  }

  private about(id: string) {
    return { whose: this.merchantId, id, by: by('ann') };
  }

  private async ask(to: number): Promise<void> {
    if (this.askedAt.size === MOST_REFUNDS) return;
    const amount = wireText({ atoms: this.atoms, decimals: 8 });
    const wish = { network: null, asset: null, amount, address: HOMES[to]!, note: 'late' };
    const [{ height }] = await this.stage.dataSource.query<[{ height: string }]>(
      'SELECT height FROM chain_cursor',
    );
    const { id } = await this.of(RefundsService).ask(this.merchantId, this.intentId, wish, by('ann'));
    this.askedAt.set(id, Math.min(Number(height), this.world.bitcoin.height));
  }

  private pay(to: number, hidden: boolean): void {
    const number = this.payments.length;
    const spends = [`coin${100 + number}:0`];
    const pays = [{ address: HOMES[to]!, atoms: this.atoms }];
    const payment = { txid: hashOf(`refund ${number}`), spends, pays, inputKeys: [`02${hashOf('wallet')}`] };
    this.payments.push(payment);
    if (hidden) this.hidden.push(payment);
    else this.world.bitcoin.broadcast(payment);
  }

  private mine(blocks: number, taken: Mined): void {
    const { bitcoin } = this.world;
    for (let block = 0; block < blocks; block += 1) {
      const held = { pool: [...bitcoin.pool.values()], nothing: [], hidden: this.hidden }[taken];
      bitcoin.mine(block === 0 ? held : [], this.stage.clock.nowMs);
    }
    this.world.stir('bitcoin');
  }

  private fork(depth: number, longer: number, taken: Mined): void {
    const { bitcoin } = this.world;
    const given = Math.min(depth, bitcoin.height - this.paidAt);
    if (given < 1) return;
    bitcoin.disconnect(given);
    for (const [id, height] of this.askedAt) this.askedAt.set(id, Math.min(height, bitcoin.height));
    this.mine(given + longer, taken);
  }

  /** @returns whether there is more to look at */
  private async follow(): Promise<boolean> {
    await applyAllChanges(this.stage);
    return this.of(RefundsJobs).follow();
  }

  private async judge(): Promise<void> {
    const rows = await this.stage.dataSource.query<Row[]>(
      `SELECT id, state, address, atoms::text AS atoms, txid, output, block_height::int AS height, block_hash AS hash,
              undone_at IS NOT NULL AS undone, search_ended_at IS NOT NULL AS ended FROM refund`,
    );
    const { chain, prunedBelow } = this.world.bitcoin;
    const held = chain.flatMap(({ height, hash, transactions }) =>
      transactions.flatMap(({ txid, pays }) =>
        pays.map(({ address, atoms }, n) => ({
          height,
          hash,
          txid,
          output: `out:${n}`,
          address,
          atoms: `${atoms}`,
        })),
      ),
    );
    const is = (row: Row, { address, atoms }: (typeof held)[number]) =>
      row.address === address && row.atoms === atoms;
    const isAfter = (row: Row, { height }: (typeof held)[number]) => height > this.askedAt.get(row.id)!;
    const isHeld = (row: Row) =>
      held.some(
        (one) =>
          is(row, one) &&
          isAfter(row, one) &&
          one.hash === row.hash &&
          one.txid === row.txid &&
          one.output === row.output,
      );
    const ofRow = ({ txid, output }: Pick<Row, 'txid' | 'output'>) => `${txid} ${output}`;
    const movements = new Map<string, string>();
    for (const row of rows.filter(({ output }) => output !== null)) {
      if (movements.has(ofRow(row))) throw new Error('one movement pays two refunds');
      movements.set(ofRow(row), row.id);
    }
    for (const row of rows) {
      const isPaid = row.state === 'final' && !row.undone;
      if (row.state === 'seen') throw new Error(`${row.id} is deep and not final`);
      if (isPaid && !isHeld(row)) throw new Error(`${row.id} is final, and no block holds it`);
      if (row.ended && prunedBelow === 0) throw new Error(`${row.id} is looked for no more, and could be`);
      if (isPaid || row.ended || row.state === 'withdrawn') continue;
      const isFree = (one: (typeof held)[number]) => (movements.get(ofRow(one)) ?? row.id) === row.id;
      const unused = held.find((one) => is(row, one) && isAfter(row, one) && isFree(one));
      if (unused)
        throw new Error(`${row.id} is ${row.state}, and block ${unused.height} pays it by ${unused.txid}`);
    }
    const broken = await this.stage.broken();
    if (broken.length > 0) throw new Error(`broken invariants: ${broken.join('; ')}`);
  }
}

/** What a person may not do now is refused, and changes nothing. */
async function refused(work: Promise<unknown>): Promise<void> {
  await work.catch(() => undefined);
}
