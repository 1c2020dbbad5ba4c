import { Rest } from '../node/rest.js';

/** While traces make coin late it is closed for every merchant: no longer than this in one time of rest. */
export const MOST_BEHIND_MS = 30_000;
/** Half of the 128 blocks whose states a node must keep: beyond them coin would stand in later blocks than it came in. */
const MOST_BEHIND_BLOCKS = 64;
/** Names are left alone for so long: whoever makes traces slow, for the price of dust, closes the coin for 5 % of it. */
const REST_MS = 600_000;

/**
 * Who paid, by the traces, is what coin can do without: the amount and its block are told by balances. Anybody can make
 * traces slower than blocks come, so names are given up where coin would not catch up with them.
 */
export class Names {
  private readonly rest = new Rest();
  private behindMs = 0;
  private countedFromMs = 0;
  private behindAtMs: number | null = null;

  constructor(private readonly mostBehindMs = MOST_BEHIND_MS) {}

  get areSought(): boolean {
    return !this.rest.isOn;
  }

  /**
   * After each step.
   * @param behindBlocks it had no time for so many; none where something was not told, which no trace can help
   * @returns whether names are given up now
   */
  note(behindBlocks: number): boolean {
    const nowMs = performance.now();
    if (nowMs - this.countedFromMs >= REST_MS) [this.behindMs, this.countedFromMs] = [0, nowMs];
    if (this.behindAtMs !== null) this.behindMs += nowMs - this.behindAtMs;
    this.behindAtMs = behindBlocks > 0 ? nowMs : null;
    const isTooLate = this.behindMs >= this.mostBehindMs || behindBlocks > MOST_BEHIND_BLOCKS;
    if (behindBlocks === 0 || !isTooLate || !this.areSought) return false;
    this.rest.begin(REST_MS);
    this.behindMs = 0;
    return true;
  }
}
