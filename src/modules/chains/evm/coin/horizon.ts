/** So long, and so often, a node says of states as deep as this that it does not tell them, before that is believed. */
const REPEATED_MS = 10_000;
const REPEATED_TIMES = 3;
/** The first and the newest are enough to tell. */
const MOST_REFUSALS = 100;

interface Refusal {
  readonly depth: number;
  readonly atMs: number;
}

/**
 * How far back a node tells states, by their depth below the newest block: while blocks come it keeps the same number.
 * Behind one address stand several nodes, of which one may keep less than the others, and an error of a node's own may mean
 * anything: a state counts as told no more only once that is repeated, of it or of newer ones, and nothing as deep is told
 * meanwhile.
 */
export class Horizon {
  /** Oldest first. */
  private refusals: Refusal[] = [];

  told(depth: number): void {
    this.refusals = this.refusals.filter((refusal) => refusal.depth > depth);
  }

  /** Once in a look, of the newest that was refused. */
  refused(depth: number): void {
    const atMs = performance.now();
    if (this.refusals.length >= MOST_REFUSALS) this.refusals.splice(REPEATED_TIMES, 1);
    this.refusals.push({ depth, atMs });
  }

  /** All is told, or believed to be gone: whatever is refused from now on has to be repeated anew. */
  forget(): void {
    this.refusals = [];
  }

  hides(depth: number): boolean {
    const [oldest, ...later] = this.refusals.filter((refusal) => refusal.depth <= depth);
    if (!oldest || later.length + 1 < REPEATED_TIMES) return false;
    return performance.now() - oldest.atMs >= REPEATED_MS;
  }
}
