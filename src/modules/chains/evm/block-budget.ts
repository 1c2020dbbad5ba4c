const FIRST_BLOCKS = 10;
const MOST_BLOCKS = 50;

/** How many full blocks one step takes: as many as fit into the node's limits, the database's and ours, found by trying. */
export class BlockBudget {
  private size = FIRST_BLOCKS;
  private isTaken = false;

  /** For a step that begins. */
  take(): number {
    this.isTaken = true;
    return this.size;
  }

  /** What was taken is read and written. */
  spent(): void {
    if (this.isTaken) this.size = Math.min(MOST_BLOCKS, this.size * 2);
    this.isTaken = false;
  }

  /** It may have been too much to answer, or to write: less is taken the next time. */
  failed(): void {
    if (this.isTaken) this.size = Math.max(1, Math.floor(this.size / 2));
    this.isTaken = false;
  }
}
