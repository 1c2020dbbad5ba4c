import { paired } from '../../../../kernel/lookups.js';
import { orLate } from '../../../../platform/deadline.js';
import type { Cursor } from '../../data/ledger.types.js';
import { NodesDisagree } from '../../node.errors.js';
import type { EvmNode } from '../node/evm-node.types.js';
import { maySoonAnswer } from '../node/refusals.js';
import { Rest, SLOW_MS } from '../node/rest.js';
import { Horizon } from './horizon.js';

/** So many blocks are asked about at once, so that a backlog is not one call after another. */
export const MOST_TOGETHER = 16;

/** What these addresses held after a block. */
export interface BalancesAsked {
  readonly block: Cursor;
  readonly addresses: readonly string[];
}

/** In the order of the addresses; `null` where the node tells that block's state no more. */
export type BalancesTold = readonly bigint[] | null;

type Answer = { readonly told: BalancesTold } | { readonly error: unknown };

/**
 * What addresses held after blocks before the newest. It holds up a network for no longer than a call that a node need not
 * offer: what is not told in that time, or refused for now, is asked again in a later step. A node that answers fewer at
 * once is asked for fewer, and what it told is kept.
 */
export class PastBalances {
  private readonly rest = new Rest();
  private readonly horizon = new Horizon();
  private together = MOST_TOGETHER;

  constructor(private readonly node: Pick<EvmNode, 'balances'>) {}

  /**
   * @returns of the first of them, as far as the node tells for now
   * @throws NodesDisagree
   */
  async of(all: readonly BalancesAsked[]): Promise<BalancesTold[]> {
    if (all.length === 0) return [];
    if (this.rest.isOn) {
      this.rest.tryAside(async () => (await this.ask(all.slice(0, this.together), SLOW_MS)).told.length > 0);
      return [];
    }
    const untilMs = performance.now() + SLOW_MS;
    const told: BalancesTold[] = [];
    while (told.length < all.length) {
      const asked = all.slice(told.length, told.length + this.together);
      const answers = await this.ask(asked, untilMs - performance.now());
      told.push(...answers.told);
      if (answers.isLate && told.length === 0) this.rest.begin();
      if (answers.told.length < asked.length) break;
    }
    return told;
  }

  /** Of the first of them, what was answered within so long. */
  private async ask(
    asked: readonly BalancesAsked[],
    mostMs: number,
  ): Promise<{ readonly told: BalancesTold[]; readonly isLate: boolean }> {
    const answers: (Answer | null)[] = asked.map(() => null);
    const asking = asked.map(async ({ block, addresses }, i) => {
      answers[i] = await this.node.balances(addresses, block.hash).then(
        (told) => ({ told }),
        (error: unknown) => ({ error }),
      );
    });
    await orLate(Promise.all(asking), mostMs, () => null);
    const isLate = answers.includes(null);
    const told = this.judged(paired(asked, answers));
    if (told.length === this.together) this.together = Math.min(MOST_TOGETHER, this.together + 1);
    else if (told.length < asked.length) this.together = Math.max(1, Math.floor(asked.length / 2));
    return { told, isLate };
  }

  private judged(all: readonly [BalancesAsked, Answer | null][]): BalancesTold[] {
    for (const [{ block }, answer] of all) {
      if (answer && 'told' in answer && answer.told) this.horizon.told(block.height);
      if (answer && 'error' in answer && !maySoonAnswer(answer.error)) this.horizon.refused(block.height);
    }
    const told: BalancesTold[] = [];
    for (const [{ block }, answer] of all) {
      if (!answer) break;
      if ('told' in answer) told.push(answer.told);
      else if (answer.error instanceof NodesDisagree) throw answer.error;
      else if (!maySoonAnswer(answer.error) && this.horizon.hides(block.height)) told.push(null);
      else break;
    }
    return told;
  }
}
