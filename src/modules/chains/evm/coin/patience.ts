/** How long a refusal that may pass holds up the network, its tokens too, before the coin alone is closed for it. */
const HELD_UP_MS = 10_000;

/** What a step would rather wait for, and can do without: a node that refuses it for good must not halt a network. */
export class Patience {
  private sinceMs: number | null = null;

  /** @returns `null` once it has been refused for too long; until then its failure is the step's */
  async look<T>(ask: () => Promise<T>): Promise<T | null> {
    try {
      const answer = await ask();
      this.sinceMs = null;
      return answer;
    } catch (error) {
      this.sinceMs ??= performance.now();
      if (performance.now() - this.sinceMs < HELD_UP_MS) throw error;
      return null;
    }
  }
}
