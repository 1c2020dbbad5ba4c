import type { Answer } from '../domain/sources/answer.js';

/** How often a source is asked, and how soon after its first failure; the waits grow from there. */
export interface Pace {
  readonly everyMs: number;
  readonly retryMs: number;
}

/** Often enough that one lost answer makes no price old, where a source allows it; after a failure BTCPay's policy. */
export const BRISK: Pace = { everyMs: 30_000, retryMs: 5_000 };

/** One public source of prices. */
export interface PriceSource {
  readonly name: string;
  readonly pace: Pace;
  /**
   * Asks about every pair that it was made for.
   * @throws SourceError when nothing was answered; what is merely missing is missing from the answers
   */
  ask(signal: AbortSignal): Promise<readonly Answer[]>;
}

/** Several requests of one source: those that fail do not spoil the others, unless all fail. */
export async function gather(requests: readonly Promise<readonly Answer[]>[]): Promise<readonly Answer[]> {
  const settled = await Promise.allSettled(requests);
  const failed = settled.find((result) => result.status === 'rejected');
  if (failed && settled.every((result) => result.status === 'rejected')) throw failed.reason;
  return settled.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
}
