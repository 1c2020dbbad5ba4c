import { rpcError } from '../../watching/node-failure.js';

/** A limit would have passed by then: newest addresses are compared every ten minutes. */
const COMPARISONS_FOR_GOOD = 3;

/** Passes a look at a state on; `null` where the node has refused it for good. Everything else is thrown. */
export type Told = <T>(look: () => Promise<T | null>) => Promise<T | null>;

/**
 * Nodes say in many words that they keep no old states, and some of these words mean a limit elsewhere. A refusal is
 * thrown, so that whoever asked tries again; one that stands comparison after comparison means that the node does not tell.
 */
export class Refusals {
  /** By what was asked for: in how many comparisons one after the other. */
  private readonly counts = new Map<string, number>();

  /** @param about one question of one comparison */
  async over<T>(about: string, work: (told: Told) => Promise<T>): Promise<T> {
    const count = (this.counts.get(about) ?? 0) + 1;
    let isRefused = false;
    try {
      return await work(async (look) => {
        try {
          return await look();
        } catch (error) {
          if (!rpcError(error)) throw error;
          isRefused = true;
          if (count < COMPARISONS_FOR_GOOD) throw error;
          return null;
        }
      });
    } finally {
      if (isRefused) this.counts.set(about, count);
      else this.counts.delete(about);
    }
  }
}
