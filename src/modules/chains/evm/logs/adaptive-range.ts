const FIRST_BLOCKS = 8;
const MOST_BLOCKS = 2_000;

/**
 * How many blocks to ask logs for at once. Providers' limits differ and are not announced (some count blocks,
 * some results), so it doubles until the first refusal, then halves at each one and grows by single blocks.
 */
export class AdaptiveRange {
  private size = FIRST_BLOCKS;
  private refused = false;

  get blocks(): number {
    return this.size;
  }

  accepted(asked: number): void {
    if (asked < this.size) return;
    this.size = Math.min(MOST_BLOCKS, this.refused ? this.size + 1 : this.size * 2);
  }

  tooLarge(asked: number): void {
    this.refused = true;
    this.size = Math.max(1, Math.floor(asked / 2));
  }
}
