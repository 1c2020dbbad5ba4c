/** Mines a block at a time, again and again, until it is stopped; may be paused. */
export class Miner {
  private readonly timer: NodeJS.Timeout;
  private paused = false;
  private mining: Promise<unknown> | undefined;

  /** @param mine asks the node for one block; where it fails, the next comes in its time */
  constructor(
    private readonly mine: () => Promise<unknown>,
    everyMs: number,
  ) {
    this.timer = setInterval(() => this.next(), everyMs);
    this.timer.unref();
    // At once too: a node whose tip is a day old takes itself for one that is still downloading.
    this.next();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** No block is mined while `work` runs but those that it asks for. One at a time: the caller sees to it. */
  async whilePaused<Result>(work: () => Promise<Result>): Promise<Result> {
    this.paused = true;
    try {
      await this.mining;
      return await work();
    } finally {
      this.paused = false;
    }
  }

  private next(): void {
    if (this.paused || this.mining) return;
    this.mining = this.mine()
      .catch(() => undefined)
      .finally(() => (this.mining = undefined));
  }
}
