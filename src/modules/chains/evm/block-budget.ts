const FIRST_BLOCKS = 10;
const MOST_BLOCKS = 50;

/** How many full blocks one step reads: as many as fit into the node's and our limits, found by trying. */
export class BlockBudget {
  private size = FIRST_BLOCKS;

  get blocks(): number {
    return this.size;
  }

  /** A failure may mean that the answer was too large, so less is asked for the next time. */
  async spend<T>(read: () => Promise<T>): Promise<T> {
    try {
      const result = await read();
      this.size = Math.min(MOST_BLOCKS, this.size * 2);
      return result;
    } catch (error) {
      this.size = Math.max(1, Math.floor(this.size / 2));
      throw error;
    }
  }
}
