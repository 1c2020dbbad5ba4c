import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { paired } from '../../../../kernel/lookups.js';
import { orLate } from '../../../../platform/deadline.js';
import type { Cursor } from '../../data/ledger.types.js';
import type { EvmNode } from '../node/evm-node.types.js';
import { maySoonAnswer } from '../node/refusals.js';
import { Rest, SLOW_MS } from '../node/rest.js';
import { Horizon } from './horizon.js';
import { Patience } from './patience.js';

/** So many blocks are asked about at once, so that a backlog is not one call after another. */
export const MOST_TOGETHER = 16;

/** Of so many blocks what was told is kept, where an older one was not: some nodes tell only of the newest few. */
const MOST_KEPT = 2 * MOST_TOGETHER;

/** For so long, and so often, it is asked whether there is a newer block. */
const NEWER_WITHIN_MS = 1_000;
const NEWER_EVERY_MS = 100;

/** What these addresses held after a block. */
export interface BalancesAsked {
  readonly block: Cursor;
  readonly addresses: readonly string[];
}

/** In the order of the addresses; `null` where the node tells that block's state no more. */
export type BalancesTold = readonly bigint[] | null;

/** `gone` is what a node says of a state that it tells no more, which is believed once it is repeated. */
type Answer = readonly bigint[] | 'gone' | 'not-now';

/**
 * What a node tells of blocks before the newest, of which only coin is asked: it fails towards a closed coin and holds up a
 * network for no longer than a call that a node need not offer. What is not told in that time, or refused, is asked again in
 * a later step. A node that answers fewer at once is asked for fewer, and what it told is kept.
 */
export class PastBlocks {
  private readonly rest = new Rest();
  private readonly horizon = new Horizon();
  private readonly others = { blocks: new Patience(0), receipts: new Patience(0) };
  private together = MOST_TOGETHER;
  private readTogether = MOST_TOGETHER;
  /** What was told, by the block's hash and the address. */
  private readonly kept = new Map<string, ReadonlyMap<string, bigint>>();

  /** The height of the newest block that a step knows of. The node may be ahead of it, and of older ones it tells for sure. */
  newest = 0;

  constructor(private readonly node: Pick<EvmNode, 'balances' | 'hasBlock'>) {}

  /**
   * Whatever else is asked of blocks, of so many at once as are answered in time.
   * @returns what is told of the first of them; `null` where it is refused, or late
   */
  async first<T>(
    heights: readonly number[],
    question: (some: readonly number[]) => Promise<T>,
  ): Promise<{ readonly some: readonly number[]; readonly told: T } | null> {
    const some = heights.slice(0, this.readTogether);
    const told = await this.ask('blocks', () => question(some));
    this.readTogether = told === null ? half(some) : Math.min(MOST_TOGETHER, this.readTogether + 1);
    return told === null ? null : { some, told };
  }

  /** @returns `null` where it is refused, or late */
  ask<T>(what: 'blocks' | 'receipts', question: () => Promise<T>): Promise<T | null> {
    return this.others[what].look(question);
  }

  /**
   * What was told of a block, unless that is the newest: then what is told once the node has a newer one, or again where it
   * has none for a second. Nodes answer for their newest block out of the state of the one that they are adding, for some
   * milliseconds.
   * @returns `null` where that is refused, or late, or keeps changing
   */
  async sure(asked: BalancesAsked, told: readonly bigint[]): Promise<BalancesTold> {
    if (asked.block.height < this.newest) return told;
    const untilMs = performance.now() + SLOW_MS;
    for (let before = told; performance.now() < untilMs;) {
      const hasNewer = await this.hasNewer(asked.block.height);
      const again = await orLate(this.answer(asked), SLOW_MS, () => 'not-now' as const);
      if (again === 'gone') return this.isNewestAloneTold() ? told : null;
      if (again === 'not-now') return null;
      if (hasNewer || isDeepStrictEqual(again, before)) return again;
      before = again;
    }
    return null;
  }

  /** Of a node that tells no state but its newest there is no other answer. */
  private isNewestAloneTold(): boolean {
    this.horizon.refused(0);
    return this.horizon.hides(0);
  }

  /** Whether a block above comes within a second. */
  private async hasNewer(height: number): Promise<boolean> {
    const untilMs = performance.now() + NEWER_WITHIN_MS;
    while (performance.now() < untilMs) {
      if (await this.ask('blocks', () => this.node.hasBlock(height + 1))) return true;
      await sleep(NEWER_EVERY_MS);
    }
    return false;
  }

  /** Nothing is left to ask for now. */
  settled(): void {
    this.horizon.forget();
    this.kept.clear();
  }

  /** @returns of the first of them, as far as the node tells within so long */
  async balances(all: readonly BalancesAsked[], mostMs = SLOW_MS): Promise<BalancesTold[]> {
    if (all.length === 0) return [];
    if (this.rest.isOn) {
      this.rest.tryAside(
        async () => (await this.askTogether(all.slice(0, this.together), SLOW_MS)).told.length > 0,
      );
      return [];
    }
    const untilMs = performance.now() + mostMs;
    const told: BalancesTold[] = [];
    while (told.length < all.length && performance.now() < untilMs) {
      const asked = all.slice(told.length, told.length + this.together);
      const answers = await this.askTogether(asked, untilMs - performance.now());
      told.push(...answers.told);
      // What was given little time is not late.
      if (answers.isLate && told.length === 0 && mostMs > SLOW_MS / 2) this.rest.begin();
      if (answers.told.length < asked.length) break;
    }
    return told;
  }

  /** Of the first of them, what was answered within so long. */
  private async askTogether(
    asked: readonly BalancesAsked[],
    mostMs: number,
  ): Promise<{ readonly told: BalancesTold[]; readonly isLate: boolean }> {
    const answers: (Answer | null)[] = asked.map((one) => this.keptOf(one));
    const said: [BalancesAsked, Answer][] = [];
    const asking = asked.map(async (one, i) => {
      if (answers[i]) return;
      const answer = await this.answer(one);
      answers[i] = answer;
      said.push([one, answer]);
    });
    await orLate(Promise.all(asking), mostMs, () => null);
    this.learn(said);
    const isLate = answers.includes(null);
    const told = this.judged(paired(asked, answers));
    if (told.length === this.together) this.together = Math.min(MOST_TOGETHER, this.together + 1);
    // What was given little time is not late.
    else if (answers.includes('not-now') || (isLate && mostMs > SLOW_MS / 2)) this.together = half(asked);
    return { told, isLate };
  }

  private async answer(asked: BalancesAsked): Promise<Answer> {
    try {
      const isOlder = asked.block.height < this.newest;
      const told = await this.node.balances(asked.addresses, asked.block.hash);
      if (told && isOlder) this.keep(asked, told);
      return told ?? 'gone';
    } catch (error) {
      return maySoonAnswer(error) ? 'not-now' : 'gone';
    }
  }

  private keep({ block, addresses }: BalancesAsked, told: readonly bigint[]): void {
    const [oldest] = this.kept.keys();
    if (oldest !== undefined && this.kept.size >= MOST_KEPT) this.kept.delete(oldest);
    this.kept.set(block.hash, new Map(paired(addresses, told)));
  }

  /** `null` unless all of it was. */
  private keptOf({ block, addresses }: BalancesAsked): readonly bigint[] | null {
    const told = this.kept.get(block.hash);
    const balances = addresses.flatMap((address) => told?.get(address) ?? []);
    return balances.length === addresses.length ? balances : null;
  }

  private judged(all: readonly [BalancesAsked, Answer | null][]): BalancesTold[] {
    const told: BalancesTold[] = [];
    for (const [{ block }, answer] of all) {
      if (answer === null || answer === 'not-now') break;
      if (answer === 'gone' && !this.horizon.hides(this.newest - block.height)) break;
      told.push(answer === 'gone' ? null : answer);
    }
    return told;
  }

  /** Of what was said just now. */
  private learn(all: readonly (readonly [BalancesAsked, Answer])[]): void {
    const depthsOf = (isMeant: (answer: Answer) => boolean) =>
      all.filter(([, answer]) => isMeant(answer)).map(([{ block }]) => this.newest - block.height);
    const gone = depthsOf((answer) => answer === 'gone');
    if (gone.length > 0) this.horizon.refused(Math.min(...gone));
    for (const depth of depthsOf((answer) => typeof answer !== 'string')) this.horizon.told(depth);
  }
}

function half(of: readonly unknown[]): number {
  return Math.max(1, Math.floor(of.length / 2));
}
