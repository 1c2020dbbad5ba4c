import type { BlockPoint } from '../data/ledger.types.js';
import { InconsistentNode } from '../node.errors.js';

export interface ChainBlock extends BlockPoint {
  readonly parentHash: string;
}

/** @throws InconsistentNode unless each block follows the one before it */
export function mustBeChained(blocks: readonly ChainBlock[]): void {
  blocks.forEach((block, i) => {
    const parent = blocks[i - 1];
    if (parent && block.parentHash !== parent.hash) {
      throw new InconsistentNode(`block ${block.height} does not follow the block before it`);
    }
  });
}
