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

  constructor(private readonly history: EvmHistory) {}

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
