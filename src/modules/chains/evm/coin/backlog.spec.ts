import { Logger } from '@nestjs/common';
import { RpcRequestError } from 'viem';
import { PRESETS } from '../../../../config/networks.js';
import type {
  BalancesRepository,
  PassedBlock,
  WatchedBalance,
} from '../../data/balances/balances.repository.js';
import type { FoundTransfer } from '../../data/ledger.types.js';
import type { EvmBlock, EvmNode } from '../node/evm-node.types.js';
import { InternalValue } from './internal-value.js';

// A node that had not told balances for hours does again, in its own way: how long the coin stays closed, by a clock that is ours.

const KEPT_BLOCKS = 1_024;
const STEP_MS = 1_000;
const OUTAGE_BLOCKS = 300;
const MOST_STEP_MS = 10_000;

const refusal = (code: number) =>
  new RpcRequestError({ body: {}, error: { code, message: 'no' }, url: 'http://node' });
const LIMIT = refusal(-32005);
const INTERNAL = refusal(-32603);

type Told = 'told' | 'gone' | Error;

beforeAll(() => Logger.overrideLogger(false));
beforeEach(() => {
  jest.useFakeTimers({ now: 0 });
});
afterEach(() => {
  jest.useRealTimers();
});
afterAll(() => Logger.overrideLogger(undefined as never));

const hashOf = (height: number) => `0x${height}`;
const after = (ms: number) =>
  ms > 0 ? new Promise<void>((done) => setTimeout(done, ms)) : Promise.resolve();

/** A chain, its node and the ledger, as the coin's watcher sees them. */
class Simulation {
  tip = 3;
  cursor = 3;
  blindFrom: number | null = null;
  tells: (height: number) => Told = () => 'told';
  readMs = 0;
  hasHeaders = true;
  readonly tookMs: number[] = [];
  readonly transfers: FoundTransfer[] = [];
  private readonly paid: { readonly address: string; readonly height: number; readonly atoms: bigint }[] = [];
  private readonly watched = new Map<string, number | null>();
  private readonly baselines = new Map<string, { readonly height: number; readonly atoms: bigint }>();
  private busyUntilMs = 0;
  private coin = this.watcher();

  /** @param reference the last block before it was issued; `null` where that has been looked into */
  watch(address: string, reference: number | null): void {
    this.watched.set(address, reference);
    if (reference === null) this.baselines.set(address, { height: this.tip - 1, atoms: 0n });
  }

  pay(address: string, height: number): void {
    this.paid.push({ address, height, atoms: 1n });
  }

  restart(): void {
    this.coin = this.watcher();
  }

  /** As a step of the watcher does, if there is anything to look at. */
  async step(): Promise<void> {
    const blocks = this.blocks(this.cursor + 1, this.tip);
    if (blocks.length === 0 && !this.coin.isBehind) return;
    const beganMs = performance.now();
    const from = { height: this.cursor, hash: hashOf(this.cursor) };
    let isDone = false;
    const looked = this.coin
      .in({ from, blocks, transfers: [], collections: [], blindFrom: this.blindFrom })
      .then(
        (finds) => {
          this.transfers.push(...finds.transfers);
          for (const { address, height, unexplainedAtoms: atoms } of finds.baselines)
            this.baselines.set(address, { height, atoms });
          [this.blindFrom, this.cursor] = [finds.blindFrom, this.tip];
        },
        () => undefined,
      );
    void looked.then(() => (isDone = true));
    for (let i = 0; i < 50 && !isDone; i += 1) await jest.advanceTimersByTimeAsync(0);
    while (!isDone) await jest.advanceTimersByTimeAsync(10);
    this.tookMs.push(performance.now() - beganMs);
  }

  /** The node tells nothing, and what is paid in the meantime is not seen. */
  async outage(blocks: number): Promise<void> {
    const { tells } = this;
    this.tells = () => LIMIT;
    await this.step();
    for (let mined = 0; mined < blocks; mined += 20) {
      await jest.advanceTimersByTimeAsync(11_000);
      this.tip += 20;
      await this.step();
    }
    expect(this.blindFrom).not.toBeNull();
    this.tells = tells;
    this.tookMs.length = 0;
  }

  /** @returns after how many seconds all was looked into */
  async reopens(
    blockMs: number,
    withinS: number,
    each: () => void = () => undefined,
    stepMs = STEP_MS,
  ): Promise<number> {
    const [beganMs, began] = [performance.now(), this.tip];
    const passedMs = () => performance.now() - beganMs;
    while (passedMs() < withinS * 1_000) {
      await jest.advanceTimersByTimeAsync(stepMs);
      this.tip = began + Math.floor(passedMs() / blockMs);
      each();
      await this.step();
      if (this.blindFrom === null && this.cursor === this.tip) return passedMs() / 1_000;
    }
    return Infinity;
  }

  credits(): (readonly [address: string, height: number])[] {
    return this.transfers.map(({ address, block }) => [address, block.height] as const);
  }

  private watcher(): InternalValue {
    const node: Partial<EvmNode> = {
      balances: async (addresses, hash) => {
        const told = this.tells(Number(hash.slice(2)));
        await after(0);
        if (told instanceof Error) throw told;
        return told === 'gone'
          ? null
          : addresses.map((address) => this.heldAt(address, Number(hash.slice(2))));
      },
      // One after the other, as over a slow line.
      blocks: async (from, to) => {
        this.busyUntilMs = Math.max(this.busyUntilMs, performance.now()) + this.readMs * (to - from + 1);
        await after(this.busyUntilMs - performance.now());
        return this.blocks(from, to);
      },
      header: (height) => Promise.resolve(this.hasHeaders ? this.blocks(height, height)[0]! : null),
      hasBlock: (height) => Promise.resolve(height <= this.tip),
      internalCalls: () => Promise.resolve(null),
      receipts: () => Promise.resolve([]),
    };
    const repository: Partial<BalancesRepository> = {
      watched: () =>
        Promise.resolve({ unwatched: 0, balances: [...this.watched].map((of) => this.balance(of)) }),
      passed: (_, above) => {
        const first = Math.max(above, this.cursor - KEPT_BLOCKS) + 1;
        const passed = new Map<number, PassedBlock>();
        for (let height = first; height <= this.cursor; height += 1)
          passed.set(height, { hash: hashOf(height), spenders: [] });
        return Promise.resolve(passed);
      },
      movements: (_, of, above) =>
        Promise.resolve(
          this.transfers.flatMap(({ address, block, amountAtoms: atoms }) =>
            block.height > above && of.some((one) => one.address === address)
              ? [{ address, height: block.height, atoms }]
              : [],
          ),
        ),
    };
    const network = { ...PRESETS[0]!, rpcUrl: 'http://node' };
    return new InternalValue(network, 'ETH', node as EvmNode, repository as BalancesRepository);
  }

  private balance([address, reference]: readonly [string, number | null]): WatchedBalance {
    const known = this.transfers.filter((transfer) => transfer.address === address);
    const sum = (of: readonly FoundTransfer[]) => of.reduce((all, { amountAtoms }) => all + amountAtoms, 0n);
    const baseline = this.baselines.get(address);
    return {
      address,
      subject: address,
      isForwarder: false,
      knownAtoms: sum(known),
      knownBeforeAtoms: sum(known.filter(({ block }) => reference !== null && block.height <= reference)),
      unexplainedAtoms: baseline?.atoms ?? null,
      baselineHeight: baseline?.height ?? null,
      reference: baseline || reference === null ? null : { height: reference, hash: hashOf(reference) },
    };
  }

  private heldAt(address: string, height: number): bigint {
    return this.paid.reduce(
      (sum, one) => (one.address === address && one.height <= height ? sum + one.atoms : sum),
      0n,
    );
  }

  private blocks(from: number, to: number): EvmBlock[] {
    return Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => {
      const height = from + i;
      const common = { parentHash: hashOf(height - 1), time: new Date(height), logsBloom: '0x' as const };
      return { height, hash: hashOf(height), ...common, transactions: [], listed: [] };
    });
  }
}

/** Of a node that keeps the states of so many blocks. */
const keeping =
  (simulation: Simulation, states: number, beyond: Told = 'gone') =>
  (height: number): Told =>
    height > simulation.tip - states ? 'told' : beyond;

/** The same numbers in each run. */
function chances(): () => number {
  let state = 7;
  return () => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
}

describe('coin that came while balances were not told', () => {
  it.each([
    ['12 s', 12_000],
    ['2 s', 2_000],
    ['a quarter of a second', 250],
  ])('is looked into where the node keeps 128 states and a block takes %s', async (_, blockMs) => {
    const simulation = new Simulation();
    simulation.watch('a', null);
    simulation.tells = keeping(simulation, 128);
    simulation.pay('a', 10);
    await simulation.outage(OUTAGE_BLOCKS);
    expect(await simulation.reopens(blockMs, 600)).toBeLessThan(180);
    expect(simulation.credits()).toHaveLength(1);
  });

  it('is looked into where the node keeps 128 states and is asked twice a minute', async () => {
    const simulation = new Simulation();
    simulation.watch('a', null);
    simulation.tells = keeping(simulation, 128);
    simulation.pay('a', 10);
    await simulation.outage(OUTAGE_BLOCKS);
    expect(await simulation.reopens(12_000, 3_600, undefined, 31_000)).toBeLessThan(1_800);
    expect(simulation.credits()).toHaveLength(1);
  });

  it('is looked into where one in twenty answers is a limit besides', async () => {
    const simulation = new Simulation();
    const chance = chances();
    const keeps = keeping(simulation, 128);
    simulation.watch('a', null);
    simulation.tells = (height) => (height !== simulation.tip && chance() < 0.05 ? LIMIT : keeps(height));
    simulation.pay('a', 10);
    await simulation.outage(OUTAGE_BLOCKS);
    expect(await simulation.reopens(12_000, 3_600)).toBeLessThan(1_800);
    expect(simulation.credits()).toHaveLength(1);
  });

  it('is looked into where each of its blocks is read slowly', async () => {
    const simulation = new Simulation();
    simulation.watch('a', null);
    const heights = Array.from({ length: 40 }, (_, i) => 5 + i);
    for (const height of heights) simulation.pay('a', height);
    await simulation.outage(60);
    simulation.readMs = 250;
    expect(await simulation.reopens(12_000, 600)).toBeLessThan(120);
    expect(simulation.credits()).toEqual(heights.map((height) => ['a', height]));
    expect(Math.max(...simulation.tookMs)).toBeLessThan(MOST_STEP_MS);
  });

  it('is looked into where each new block pays another address, and only eight states are kept', async () => {
    const simulation = new Simulation();
    simulation.watch('a', null);
    simulation.tells = keeping(simulation, 8, INTERNAL);
    simulation.pay('a', 5);
    await simulation.outage(20);
    let last = simulation.tip;
    const paid: (readonly [string, number])[] = [];
    const payAnother = () => {
      if (simulation.tip === last) return;
      last = simulation.tip;
      simulation.watch(`n${last}`, null);
      simulation.pay(`n${last}`, last);
      paid.push([`n${last}`, last]);
    };
    expect(await simulation.reopens(2_000, 600, payAnother)).toBeLessThan(60);
    expect(simulation.credits()).toEqual(expect.arrayContaining(paid));
  });

  it('is looked into without another block, when the first look after a restart was refused', async () => {
    const simulation = new Simulation();
    simulation.watch('a', null);
    simulation.pay('a', 6);
    await simulation.outage(20);
    simulation.restart();
    simulation.tells = () => LIMIT;
    await simulation.step();
    simulation.tells = () => 'told';
    await simulation.step();
    expect([simulation.blindFrom, simulation.credits()]).toEqual([null, [['a', 6]]]);
  });

  it('waits, and holds up nothing, where a node has no header of the block before an address was issued', async () => {
    const simulation = new Simulation();
    simulation.watch('a', 3);
    simulation.pay('a', 2);
    simulation.hasHeaders = false;
    simulation.tip = 20;
    await simulation.step();
    expect([simulation.cursor, simulation.blindFrom, simulation.credits()]).toEqual([20, 3, []]);
    simulation.hasHeaders = true;
    await simulation.step();
    expect([simulation.blindFrom, simulation.credits()]).toEqual([null, [['a', 3]]]);
  });
});
