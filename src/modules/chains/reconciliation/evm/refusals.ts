import { rpcError } from '../../watching/node-failure.js';

/** A limit would have passed by then: newest addresses are compared every ten minutes. */
const COMPARISONS_FOR_GOOD = 3;
/** So too where what is refused fails a whole turn: that is tried again after half a minute, one, two and four minutes. */
export const TRIES_FOR_GOOD = 5;

/** Passes a look at a state on; `null` where the node has refused it for good. Everything else is thrown. */
export type Told = <T>(look: () => Promise<T | null>) => Promise<T | null>;

/**
 * Nodes say in many words that they keep no old states, and some of these words mean a limit elsewhere. A refusal is
 * thrown, so that whoever asked tries again; one that stands comparison after comparison means that the node does not tell.
 */
export class Refusals {
  /** By what was asked for: in how many comparisons one after the other. */
  private readonly counts = new Map<string, number>();

  /** In how many comparisons it was refused. */
  times(about: string): number {
    return this.counts.get(about) ?? 0;
  }

  /** It was refused once more. @returns `times` */
  again(about: string): number {
    const times = this.times(about) + 1;
    this.counts.set(about, times);
    return times;
  }

  /**
   * @param about one question of one comparison
   * @param tries so many refusals one after the other are for good
   */
  async over<T>(about: string, work: (told: Told) => Promise<T>, tries = COMPARISONS_FOR_GOOD): Promise<T> {
    const count = this.times(about) + 1;
    let isRefused = false;
    try {
      return await work(async (look) => {
        try {
          return await look();
        } catch (error) {
          if (!rpcError(error)) throw error;
          isRefused = true;
          if (count < tries) throw error;
          return null;
        }
      });
    } finally {
      if (isRefused) this.counts.set(about, count);
      else this.counts.delete(about);
    }
  }
}
