import { setTimeout as sleep } from 'node:timers/promises';
import { refusalOf } from './refusals.js';

/** One slow method must not hold up a network: what the watcher can do without gets no longer. */
const DEADLINE_MS = 3_000;
/** After a method did not answer in time it is left alone for this long, or every step would wait for it again. */
const PAUSE_MS = 60_000;
/** What is not offered may be by tomorrow's node, or was refused by one of many behind a URL: not asked at every step. */
const NOT_OFFERED_MS = 600_000;

/**
 * The calls that the watcher can do without, and what it does instead:
 * - `eth_getBlockReceipts`: the receipts of the transactions, one by one.
 * - `debug_traceBlockByHash`, `trace_block`: what balances tell names no transaction; the amount is the same.
 * - `eth_getTransactionCount`, and whether a transaction was mined: nothing counts as replaced until it is told.
 * - `eth_getTransactionByHash`: what replaces a refund's transaction is found only from the merchant's own address.
 *
 * Every other call is required: what it does not answer fails the step, which is tried again and moves nothing.
 */
export class OptionalCalls {
  private readonly pausedUntilMs = new Map<string, number>();

  /** @returns `null` where the node does not offer the method, refuses it now, or takes too long */
  async ask<T>(method: string, request: () => Promise<T>): Promise<T | null> {
    if (performance.now() < (this.pausedUntilMs.get(method) ?? 0)) return null;
    const answer = request().catch((error: unknown) => {
      if (refusalOf(error) === 'not-offered') this.pause(method, NOT_OFFERED_MS);
      return null;
    });
    const outcome = await Promise.race([answer, sleep(DEADLINE_MS, 'late' as const, { ref: false })]);
    if (outcome !== 'late') return outcome;
    this.pause(method, PAUSE_MS);
    return null;
  }

  private pause(method: string, ms: number): void {
    this.pausedUntilMs.set(method, performance.now() + ms);
  }
}
