import { orLate } from '../../../../platform/deadline.js';
import { refusalOf } from './refusals.js';
import { Rest, SLOW_MS } from './rest.js';

/** What is not offered may be by tomorrow's node, or was refused by one of many behind a URL: not asked at every step. */
const NOT_OFFERED_MS = 600_000;

/**
 * The calls that the watcher can do without, and what it does instead:
 * - `eth_getBlockReceipts`: the receipts of the transactions, one by one.
 * - `debug_traceBlockByHash`, `trace_block`: what balances tell names no transaction; the amount is the same. What is
 *   answered in time, of more blocks than a step has time for, is asked for in the next steps (`walkBlocks`), and not at
 *   all where coin would stay behind (`Names`).
 * - `eth_getTransactionCount`, and whether a transaction was mined: nothing counts as replaced until it is told.
 * - `eth_call` for a token's decimals: they are as configured until it is told.
 * - `eth_getTransactionByHash`: what replaces a refund's transaction is found only from the merchant's own address.
 *
 * What is told in two ways is required in either (`either`): the receipts of single transactions, by
 * `eth_getTransactionReceipt` or among those of their block.
 *
 * `eth_call` tells what addresses hold: without it the coin alone is closed, and what came is looked for once it is told
 * (`Patience`, `PastBlocks`).
 *
 * Every other call is required: what it does not answer fails the step, which is tried again and moves nothing.
 */
export class OptionalCalls {
  private readonly rests = new Map<string, Rest>();

  /** @returns `null` where the node does not offer the method, refuses it now, or takes too long */
  async ask<T>(method: string, request: () => Promise<T>): Promise<T | null> {
    const rest = this.restOf(method);
    if (rest.isOn) return null;
    const answer = request().catch((error: unknown) => {
      if (refusalOf(error) === 'not-offered') rest.begin(NOT_OFFERED_MS);
      return null;
    });
    const outcome = await orLate(answer, SLOW_MS, () => 'late' as const);
    if (outcome !== 'late') return outcome;
    rest.begin();
    return null;
  }

  /**
   * What two methods tell alike. The other is asked where the first does not answer in time, or at all; while the first
   * rests, they change places.
   * @throws what the first method fails of, where neither tells
   */
  async either<T>(method: string, request: () => Promise<T>, other: () => Promise<T>): Promise<T> {
    const rest = this.restOf(method);
    const isResting = rest.isOn;
    const answer = isResting ? other() : request();
    const outcome = await orLate(Promise.allSettled([answer]), SLOW_MS, () => 'late' as const);
    if (outcome !== 'late' && outcome[0].status === 'fulfilled') return outcome[0].value;
    if (!isResting && outcome === 'late') rest.begin();
    const [asked, instead] = isResting ? [request(), answer] : [answer, other()];
    return Promise.any([asked, instead]).catch(() => asked);
  }

  private restOf(method: string): Rest {
    const rest = this.rests.get(method) ?? new Rest();
    this.rests.set(method, rest);
    return rest;
  }
}
