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
  private readonly patience = new Patience(0);
  private together = MOST_TOGETHER;
  /** What was told, by the block's hash and the address. */
  private readonly kept = new Map<string, ReadonlyMap<string, bigint>>();

  constructor(private readonly node: Pick<EvmNode, 'balances'>) {}

  /** Whatever else is asked of them. @returns `null` where it is refused, or late */
  ask<T>(question: () => Promise<T>): Promise<T | null> {
    return this.patience.look(question);
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
    const answers: (Answer | null)[] = asked.map(() => null);
    const asking = asked.map(async (one, i) => {
      answers[i] = this.keptOf(one) ?? (await this.answer(one));
    });
    await orLate(Promise.all(asking), mostMs, () => null);
    const isLate = answers.includes(null);
    const told = this.judged(paired(asked, answers));
    if (told.length === this.together) this.together = Math.min(MOST_TOGETHER, this.together + 1);
    else if (answers.some((answer) => answer === null || answer === 'not-now'))
      this.together = Math.max(1, Math.floor(asked.length / 2));
    return { told, isLate };
  }

  private async answer(asked: BalancesAsked): Promise<Answer> {
    try {
      const told = await this.node.balances(asked.addresses, asked.block.hash);
      if (told) this.keep(asked, told);
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
    for (const [{ block }, answer] of all) {
      if (answer === 'gone') this.horizon.refused(block.height);
      else if (answer !== null && answer !== 'not-now') this.horizon.told(block.height);
    }
    const told: BalancesTold[] = [];
    for (const [{ block }, answer] of all) {
      if (answer === null || answer === 'not-now') break;
      if (answer === 'gone' && !this.horizon.hides(block.height)) break;
      told.push(answer === 'gone' ? null : answer);
    }
    return told;
  }
}
