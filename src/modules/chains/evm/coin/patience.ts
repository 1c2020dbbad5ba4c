import { orLate } from '../../../../platform/deadline.js';
import { Rest, SLOW_MS } from '../node/rest.js';

/** How long a refusal that may pass holds up the network, its tokens too, before the coin alone is closed for it. */
const HELD_UP_MS = 10_000;

class Late extends Error {}

/** What a step would rather wait for, and can do without: a node that refuses it for good must not halt a network. */
export class Patience {
  private sinceMs: number | null = null;
  private readonly rest = new Rest();
  private triedMs = -Infinity;

  /**
   * @param mostMs how long one look may take, where not as long as the node's own deadline. The one after a look that was late
   *   may take as long as refusals, or what is slow and no more than that would never be told.
   */
  constructor(private mostMs: number | null = null) {}

  /** Whether it was too slow to be asked for now. */
  get isResting(): boolean {
    return this.rest.isOn;
  }

  /** @returns `null` once it has been refused for too long, or is late; until then its failure is the step's */
  async look<T>(ask: () => Promise<T>): Promise<T | null> {
    if (this.rest.isOn) {
      this.tryAside(ask);
      return null;
    }
    const beganMs = performance.now();
    try {
      const answer = await this.inTime(ask());
      this.sinceMs = null;
      if (this.mostMs !== null && performance.now() - beganMs < SLOW_MS) this.mostMs = SLOW_MS;
      return answer;
    } catch (error) {
      const nowMs = performance.now();
      this.sinceMs ??= beganMs;
      if (error instanceof Late) this.mostMs = HELD_UP_MS;
      else if (nowMs - this.sinceMs < HELD_UP_MS) throw error;
      if (error instanceof Late || nowMs - beganMs >= SLOW_MS) this.rest.begin();
      return null;
    }
  }

  /** Nobody waits for it. A node that answers quickly again has rested enough: the coin is closed as long. */
  private tryAside(ask: () => Promise<unknown>): void {
    const nowMs = performance.now();
    if (nowMs < this.triedMs + SLOW_MS) return;
    this.triedMs = nowMs;
    const answer = ask().then(() => {
      if (performance.now() - nowMs < SLOW_MS) this.rest.end();
    });
    answer.catch(() => undefined);
  }

  private inTime<T>(answer: Promise<T>): Promise<T> {
    if (this.mostMs === null) return answer;
    return orLate(answer, this.mostMs, () => {
      throw new Late();
    });
  }
}
