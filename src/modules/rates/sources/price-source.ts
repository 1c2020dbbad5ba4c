import { type Pair, pairName } from '../domain/pair.js';
import { type Answer, SourceError } from '../domain/sources/answer.js';
import type { PriceHttp } from './price-http.js';

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

/** A source that needs several requests: those that fail do not spoil the others, unless all fail. */
export abstract class SeveralRequests implements PriceSource {
  abstract readonly name: string;
  abstract readonly pace: Pace;

  constructor(
    protected readonly origin: string,
    protected readonly wanted: readonly Pair[],
    protected readonly http: PriceHttp,
  ) {}

  async ask(signal: AbortSignal): Promise<readonly Answer[]> {
    const settled = await Promise.allSettled(this.requests(signal));
    const failed = settled.find((result) => result.status === 'rejected');
    if (failed && settled.every((result) => result.status === 'rejected')) throw failed.reason;
    return settled.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  }

  protected abstract requests(signal: AbortSignal): readonly Promise<readonly Answer[]>[];
}

/**
 * @param refusals statuses by which the source says that it does not price these pairs
 * @throws SourceError for every other failure
 */
export async function pricedOrNot(
  pairs: readonly Pair[],
  refusals: readonly number[],
  request: Promise<readonly Answer[]>,
): Promise<readonly Answer[]> {
  try {
    return await request;
  } catch (error) {
    if (!(error instanceof SourceError && refusals.some((status) => status === error.httpStatus)))
      throw error;
    return pairs.map((pair) => ({ pair: pairName(pair), price: null, atMs: null }));
  }
}
