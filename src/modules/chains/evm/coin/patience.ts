import { orLate } from '../../../../platform/deadline.js';
import { Rest, SLOW_MS } from '../node/rest.js';

/** How long a refusal that may pass holds up the network, its tokens too, before the coin alone is closed for it. */
export const HELD_UP_MS = 10_000;

class Late extends Error {}

/** What a step would rather wait for, and can do without: a node that refuses it for good must not halt a network. */
export class Patience {
  private sinceMs: number | null = null;
  private readonly rest = new Rest();

  /** @param heldUpMs for how long a refusal is the step's failure: not at all where the coin is closed already */
  constructor(private readonly heldUpMs: number) {}

  /** @returns `null` once it has been refused for too long, or is late; until then its failure is the step's */
  async look<T>(ask: () => Promise<T>): Promise<T | null> {
    if (this.rest.isOn) {
      this.rest.tryAside(() => ask().then(() => true));
      return null;
    }
    const beganMs = performance.now();
    try {
      const answer = await orLate(ask(), SLOW_MS, () => {
        throw new Late();
      });
      this.sinceMs = null;
      return answer;
    } catch (error) {
      this.sinceMs ??= beganMs;
      if (error instanceof Late) this.rest.begin();
      else if (performance.now() - this.sinceMs < this.heldUpMs) throw error;
      return null;
    }
  }
}
