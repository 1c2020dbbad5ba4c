import { NO_SHARED_BLOCK } from '../chains.types.js';
import type { Cursor } from '../data/ledger.types.js';
import { InconsistentNode, NoCommonAncestor } from '../node.errors.js';
import { mustBeChained, type ChainBlock } from './must-be-chained.js';

/** All that is asked of a node here: `null` where it has no block (yet). */
export interface HeaderSource {
  header(height: number): Promise<ChainBlock | null>;
}

/** Most reorganisations are a block or two deep, so the first look is small and the next ones grow. */
const FIRST_LOOK = 4;
const LARGEST_LOOK = 64;

/**
 * The highest of our blocks that is on the node's chain. What the node says of the blocks above it must be one chain, up
 * to its tip: one that is silent about blocks, or lies about them, has reorganised nothing.
 * @param stored what was scanned, highest first
 * @param tipHeight the node's newest block, where it is known
 * @throws InconsistentNode
 * @throws NoCommonAncestor when there is none: rather closed than sure of the wrong chain
 */
export async function commonAncestor(
  node: HeaderSource,
  stored: readonly Cursor[],
  tipHeight = -1,
): Promise<ChainBlock> {
  let look = FIRST_LOOK;
  let above: ChainBlock | null = null;
  for (let at = 0; at < stored.length; look = Math.min(LARGEST_LOOK, look * 2)) {
    const part = stored.slice(at, at + look);
    const headers = await Promise.all(part.map(({ height }) => node.header(height)));
    for (const [i, { height, hash }] of part.entries()) {
      const header: ChainBlock | null = headers[i] ?? null;
      if (header === null && height <= tipHeight)
        throw new InconsistentNode(`the node has no block ${height}, below the tip that it announced`);
      if (header && above?.height === height + 1) mustBeChained([header, above]);
      if (header?.hash === hash) return header;
      above = header;
    }
    at += part.length;
  }
  const [highest, lowest] = [stored[0]?.height, stored.at(-1)?.height];
  throw new NoCommonAncestor(
    `${NO_SHARED_BLOCK} ${stored.length} blocks from ${lowest} to ${highest} that were scanned: it is on ` +
      'another chain, or the chain was started anew. Nothing is credited until an operator has looked: `chain show`.',
  );
}
