/** So long, and so often, a node says of a block that it does not tell its state, before that is believed. */
const REPEATED_MS = 10_000;
const REPEATED_TIMES = 3;

interface Refusal {
  readonly sinceMs: number;
  times: number;
}

/**
 * How far back a node tells states. Behind one address stand several nodes, of which one may keep less than the others, and
 * an error of a node's own may mean anything: a state counts as told no more only once that is repeated of the block, or of a
 * newer one, and nothing as old is told meanwhile.
 */
export class Horizon {
  /** By height. */
  private readonly refusals = new Map<number, Refusal>();

  told(height: number): void {
    this.drop((refused) => refused >= height);
  }

  refused(height: number): void {
    const refusal = this.refusals.get(height) ?? { sinceMs: performance.now(), times: 0 };
    refusal.times += 1;
    this.refusals.set(height, refusal);
    // What is older is hidden by this one.
    if (isRepeated(refusal)) this.drop((refused) => refused < height);
  }

  hides(height: number): boolean {
    return [...this.refusals].some(([refused, refusal]) => refused >= height && isRepeated(refusal));
  }

  private drop(isDone: (height: number) => boolean): void {
    for (const height of this.refusals.keys()) if (isDone(height)) this.refusals.delete(height);
  }
}

function isRepeated({ sinceMs, times }: Refusal): boolean {
  return times >= REPEATED_TIMES && performance.now() - sinceMs >= REPEATED_MS;
}
