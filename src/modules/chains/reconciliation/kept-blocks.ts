import type { BitcoinBlock, BitcoinNode } from '../bitcoin/bitcoin-node.types.js';
import { isPruned } from '../bitcoin/core-rpc.js';
import type { Pace } from './pace.js';

/** Blocks of a node that may have thrown its oldest ones away. */
export class KeptBlocks {
  constructor(
    private readonly node: BitcoinNode,
    private readonly pace: Pace,
  ) {}

  /** `null` where it has pruned one of them. */
  async read(fromHeight: number, toHeight: number, signal?: AbortSignal): Promise<BitcoinBlock[] | null> {
    for (let height = fromHeight; height <= toHeight; height += 1) await this.pace.turn(signal);
    try {
      return await this.node.blocks(fromHeight, toHeight);
    } catch (error) {
      if (isPruned(error)) return null;
      throw error;
    }
  }

  /** The first one that it has; behind `last` where it has none of them. */
  async first(from: number, last: number, signal?: AbortSignal): Promise<number> {
    let [low, high] = [from, last + 1];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (await this.read(middle, middle, signal)) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
