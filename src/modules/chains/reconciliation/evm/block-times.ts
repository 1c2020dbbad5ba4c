import { InconsistentNode } from '../../node.errors.js';
import { firstBlockAt } from '../first-block.js';
import type { AgreedBlock } from '../reconciliation.types.js';
import type { EvmHistory } from './history.js';

const MOST_KNOWN = 10_000;

/**
 * When blocks of a chain were made: a bisection asks for the same ones again and again. What is remembered by height stands
 * below a block by whose hash it is known that the chain is still the same; a reorganisation may go deeper than what was final.
 */
export class BlockTimes {
  private readonly known = new Map<number, Date>();
  private below: AgreedBlock | null = null;

  constructor(private readonly history: Pick<EvmHistory, 'block'>) {}

  /** Whatever is asked for from now on is on the chain of this block, and not above it. */
  async upTo(at: AgreedBlock, signal?: AbortSignal): Promise<void> {
    const { below } = this;
    const isSame =
      below === null ||
      below.hash === at.hash ||
      (below.height < at.height && (await this.history.block(below.height, signal))?.hash === below.hash);
    if (!isSame) this.known.clear();
    this.below = at;
  }

  /**
   * As `firstBlockAt`. One false time leads a bisection to its own block or to the one after it, so the blocks around
   * what was found must have followed each other.
   * @throws InconsistentNode
   */
  async firstAt(tip: number, sinceMs: number, signal?: AbortSignal): Promise<number> {
    const first = await firstBlockAt((height) => this.of(height, signal), tip, sinceMs);
    let before: Date | null = null;
    for (let height = Math.max(0, first - 2); height <= Math.min(tip, first + 1); height += 1) {
      const time = await this.of(height, signal);
      if (before && time && time < before) {
        this.known.clear();
        throw new InconsistentNode(`the node's block ${height} is older than the one before it`);
      }
      before = time ?? before;
    }
    return first;
  }

  /** `null` where the node has no such block, or has it no longer. */
  async of(height: number, signal?: AbortSignal): Promise<Date | null> {
    const known = this.known.get(height);
    if (known) return known;
    const time = (await this.history.block(height, signal))?.time ?? null;
    if (this.known.size >= MOST_KNOWN) this.known.clear();
    if (time) this.known.set(height, time);
    return time;
  }
}
