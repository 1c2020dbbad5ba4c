import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import type { NetworkConfig } from '../../../src/config/config.types.js';
import { NetworkHealthService } from '../../../src/modules/chains/network-health.service.js';
import { ReconciliationService } from '../../../src/modules/chains/reconciliation/reconciliation.service.js';
import { IntentsService } from '../../../src/modules/intents/lifecycle/intents.service.js';
import { choose } from '../../support/checkout/choose.js';
import { Money } from '../../support/intents/money.js';
import { ORDER } from '../../support/intents/order.js';
import { seededRandom } from '../../support/random.js';
import { eventually } from '../../support/servers/receiver.js';
import type { Service } from '../../support/service/service.js';
import { presentTerm } from '../term.js';
import type { HostileNode } from './hostile-node.js';
import { describeRule, type Rule } from './hostile-plan.js';

export type Random = () => number;
export const pickOf = <T>(random: Random, from: readonly T[]): T => from[Math.floor(random() * from.length)]!;

/** A real chain that honest buyers pay on, and the hostile node through which the service sees it. */
export interface HostileWorld {
  readonly network: NetworkConfig;
  readonly node: HostileNode;
  mine(blocks: number): Promise<unknown>;
  height(): Promise<number>;
  pay(asset: string, address: string, atoms: bigint, random: Random): Promise<void>;
  /** What the chain itself says that an address was paid, in blocks. */
  paid(asset: string, address: string): Promise<bigint>;
  /** Where deposit addresses have no keys. */
  readonly keyless?: KeylessWallet | undefined;
  /** How many blocks, its own included, a block needs to have a depth. */
  blocksFor(depth: string): number;
  /** A random plan of the faults at which a single node can be caught. */
  plan(random: Random): Rule[];
  /** Turns the last blocks over. */
  turn?(random: Random): Promise<void>;
}

export interface KeylessWallet {
  /** The one address that they pay out to. */
  readonly destination: string;
  /** Has a deposit address pay out all of an asset that lies there. */
  collect(asset: string, salt: string): Promise<void>;
  /** What the chain itself says that an address paid out, in blocks. */
  collected(asset: string, address: string): Promise<bigint>;
}

type Payment = 'exact' | 'short' | 'topped up' | 'double' | 'late';
const PAYMENTS: readonly Payment[] = ['exact', 'exact', 'short', 'topped up', 'double', 'late'];
const AMOUNTS_MINOR = [1_000n, 20_000n, 200_000n];
const TICKS = 10;
const TICK_MS = 250;
/** The longest wait of a watcher that has failed often, and a look. */
const CATCH_UP_MS = 60_000;
const COMPARED_EVERY_MS = 5_000;
/**
 * A late payment is in no block that says that it began before. Blocks have whole seconds, and `anvil_reorg` sets the
 * chain's clock back to the block from which it goes on, which a loaded machine has mined seconds ago.
 */
const LATE_MS = -60_000;
const SAID_AFTER = 2;

interface Row {
  readonly id: string;
  readonly status: string;
  readonly address: string;
  readonly asset: string;
  readonly quoted: string;
  readonly depth: string;
  readonly received: string;
  /** Of an address without a key. */
  readonly salt: string | null;
  readonly collected: string;
  readonly settled_at: Date | null;
  readonly heights: number[] | null;
}

/** One life: honest payments on one network, while its node follows a random plan and after it became honest. */
export class HostileLife {
  readonly problems: string[] = [];
  /** How often the node could not be seen, and it was looked whether that is said. */
  judged = 0;
  readonly rules: readonly Rule[];
  private readonly random: Random;
  private readonly kinds = new Map<string, Payment>();
  /** When the chain got to a height, at the earliest. */
  private readonly grown: { readonly height: number; readonly at: number }[] = [];
  private readonly dataSource: DataSource;

  constructor(
    private readonly service: Service,
    private readonly merchantId: string,
    private readonly world: HostileWorld,
    private readonly seed: number,
  ) {
    this.random = seededRandom(seed);
    this.rules = world.plan(this.random);
    this.dataSource = service.app.get(DataSource);
  }

  get description(): string {
    return `seed ${this.seed} on ${this.world.network.id}: ${[...this.kinds.values()].join(', ')}; ${this.rules.map(describeRule).join(' | ')}`;
  }

  async live(): Promise<void> {
    const { world, random } = this;
    world.node.honest();
    await this.isOpen();
    for (let i = 0; i < 3; i += 1) await this.create(pickOf(random, PAYMENTS));
    world.node.plan(this.rules, this.seed);
    const burst = random() < 0.4 ? 3 + Math.floor(random() * (TICKS - 4)) : -1;
    const turned = random() < 0.4 ? 5 : -1;
    const due = await this.payments();
    for (let tick = 0; tick < TICKS; tick += 1) {
      for (const payment of due.filter(({ at }) => at === tick)) await payment.pay();
      await this.mine(tick === burst ? 135 : 1);
      if (tick === turned) await world.turn?.(random);
      await sleep(TICK_MS);
      await this.judgeSettled();
      await this.judgeSaid();
    }
    world.node.honest();
    await this.end();
  }

  private async create(kind: Payment): Promise<void> {
    const { service, merchantId, world, random } = this;
    const amountMinor = pickOf(random, AMOUNTS_MINOR);
    const request = { ...ORDER, amountMinor };
    const { intent } = await service.app.get(IntentsService).create(merchantId, request);
    const { id: network, assets } = world.network;
    const { symbol } = pickOf(random, assets);
    await choose(service, intent.id, network, symbol);
    if (kind === 'late') await new Money(service).endWindowIn(intent.id, LATE_MS);
    this.kinds.set(intent.id, kind);
  }

  private async payments(): Promise<{ at: number; pay: () => Promise<void> }[]> {
    const { world, random } = this;
    return (await this.rows()).flatMap(({ id, asset, address, quoted, salt }) => {
      const whole = BigInt(quoted);
      const half = whole / 2n;
      const parts: Readonly<Record<Payment, readonly bigint[]>> = {
        exact: [whole],
        late: [whole],
        short: [half],
        double: [whole, whole],
        'topped up': [half, whole - half],
      };
      const paid = parts[this.kinds.get(id)!].map((atoms) => ({
        at: Math.floor(random() * TICKS),
        pay: () => world.pay(asset, address, atoms, random),
      }));
      if (salt === null || !world.keyless) return paid;
      const { keyless } = world;
      // Before the money, between two parts of it, or behind it: anybody may call the contract at any time.
      const at = Math.floor(random() * TICKS);
      return [...paid, { at, pay: () => keyless.collect(asset, salt) }];
    });
  }

  private async mine(blocks: number): Promise<void> {
    const height = (await this.world.height()) + blocks;
    this.grown.push({ height, at: Date.now() });
    await this.world.mine(blocks);
  }

  /** Whatever is settled rests on blocks that had the depth by then, as the honest node has it. */
  private async judgeSettled(): Promise<void> {
    for (const { id, depth, heights, settled_at: at } of await this.rows()) {
      if (!at || !heights) continue;
      const needed = Math.max(...heights) + this.world.blocksFor(depth) - 1;
      const reached = this.grown.find(({ height }) => height >= needed);
      if (reached && reached.at <= at.getTime()) continue;
      this.problems.push(`${id} (${this.kinds.get(id)}) settled before ${depth} was reached`);
    }
  }

  /**
   * A chain that is not seen is said: from its second failure in a row on everybody can read why. Not after the first,
   * whose writing may be under way.
   */
  private async judgeSaid(): Promise<void> {
    const health = this.service.app.get(NetworkHealthService);
    const { id } = this.world.network;
    const failures = () => health.watchers().find(({ network }) => network === id)!.failures;
    const before = failures();
    const { reason } = (await health.all()).find(({ network }) => network === id)!;
    if (before < SAID_AFTER || failures() < before) return;
    this.judged += 1;
    if (reason === null) this.problems.push(`nothing says that ${before} looks in a row have failed`);
  }

  private async end(): Promise<void> {
    const { world } = this;
    await this.mine(world.blocksFor('finalized') + 1);
    const deadlineMs = performance.now() + CATCH_UP_MS;
    let wrong = await this.wrong();
    let comparedMs = performance.now();
    while (wrong.length > 0 && performance.now() < deadlineMs) {
      await this.mine(1);
      await sleep(TICK_MS);
      // What came and went between two looks, of which a node told neither, only the comparison finds.
      if (world.keyless && performance.now() - comparedMs > COMPARED_EVERY_MS) {
        await this.compare().catch(() => undefined);
        comparedMs = performance.now();
      }
      wrong = await this.wrong();
    }
    await this.judgeSettled();
    this.problems.push(...wrong);
  }

  /** Now, whenever the job would: that waits for minutes after a node that did not answer. */
  private async compare(): Promise<void> {
    const { id } = this.world.network;
    await this.dataSource.query('UPDATE reconciliation SET recent_at = NULL WHERE network = $1', [id]);
    const reconciliation = this.service.app.get(ReconciliationService, { strict: false });
    await reconciliation.step(await presentTerm(this.dataSource, id));
  }

  private async wrong(): Promise<string[]> {
    const wrong: string[] = [];
    for (const { id, status, asset, address, received, collected } of await this.rows()) {
      const kind = this.kinds.get(id)!;
      const paid = await this.world.paid(asset, address);
      if (paid !== BigInt(received))
        wrong.push(`${id} (${kind}) was paid ${paid} ${asset}, recorded ${received}`);
      const paidOut = (await this.world.keyless?.collected(asset, address)) ?? 0n;
      if (paidOut !== BigInt(collected))
        wrong.push(`${id} (${kind}) paid out ${paidOut} ${asset}, recorded ${collected}`);
      const expected = kind === 'short' ? ['pending'] : kind === 'late' ? ['expired'] : ['settled'];
      if (!expected.includes(status)) wrong.push(`${id} (${kind}) is ${status}`);
    }
    return wrong;
  }

  private isOpen(): Promise<unknown> {
    const look = async () => {
      const health = await this.service.app.get(NetworkHealthService).all();
      const own = health.find(({ network }) => network === this.world.network.id)!;
      // Only once the last is seen: blocks in a row would outrun a loaded machine.
      if (own.height === (await this.world.height())) await this.mine(1);
      return own;
    };
    return eventually(
      look,
      ({ state, height, nodeHeight }) => state === 'open' && height === nodeHeight,
      CATCH_UP_MS,
    );
  }

  private rows(): Promise<Row[]> {
    return this.dataSource.query<Row[]>(
      `SELECT i.id, i.status, q.watched_address AS address, q.asset, q.amount_atoms AS quoted,
              q.settlement_depth AS depth, i.settled_at,
              (SELECT coalesce(sum(t.amount_atoms), 0) FROM transfer t
                WHERE t.network = q.network AND t.address = q.watched_address AND t.asset = q.asset
                  AND t.state = 'included')::text AS received,
              (SELECT salt FROM address a WHERE a.address = q.watched_address) AS salt,
              (SELECT coalesce(sum(c.amount_atoms), 0) FROM collection c
                WHERE c.network = q.network AND c.address = q.watched_address
                  AND c.asset = q.asset)::text AS collected,
              (SELECT array_agg((t->>'blockHeight')::int) FROM settlement s, jsonb_array_elements(s.transfers) t
                WHERE s.intent_id = i.id) AS heights
       FROM intent i JOIN quote q ON q.id = i.quote_id WHERE i.id = ANY ($1) ORDER BY i.id`,
      [[...this.kinds.keys()]],
    );
  }
}
