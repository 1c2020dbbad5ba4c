/** For so long a node repeats an error of a block before it is taken to say that it keeps that state no more. */
const REPEATED_MS = 10_000;

/**
 * How far back a node tells states, where it does not say so but answers with an error that could mean anything: it repeats
 * that of a block, and meanwhile tells of no block that is as old.
 */
export class Horizon {
  private refusals: { readonly sinceMs: number; lowest: number; lowestTold: number } | null = null;

  told(height: number): void {
    if (!this.refusals) return;
    if (height <= this.refusals.lowest) this.refusals = null;
    else this.refusals.lowestTold = Math.min(this.refusals.lowestTold, height);
  }

  refused(height: number): void {
    this.refusals ??= { sinceMs: performance.now(), lowest: height, lowestTold: Infinity };
    this.refusals.lowest = Math.min(this.refusals.lowest, height);
  }

  hides(height: number): boolean {
    if (!this.refusals || height >= this.refusals.lowestTold) return false;
    return performance.now() - this.refusals.sinceMs >= REPEATED_MS;
  }
}
