import { NO_SHARED_BLOCK } from '../chains.types.js';
import type { BlockPoint, Cursor } from '../data/ledger.types.js';
import { NoCommonAncestor } from '../node.errors.js';

/** All that is asked of a node here: `null` where it has no block (yet). */
export interface HeaderSource {
  header(height: number): Promise<BlockPoint | null>;
}

/** Most reorganisations are a block or two deep, so the first look is small and the next ones grow. */
const FIRST_LOOK = 4;
const LARGEST_LOOK = 64;

/**
 * The highest of our blocks that is on the node's chain.
 * @param stored what was scanned, highest first
 * @throws NoCommonAncestor when there is none: rather closed than sure of the wrong chain
 */
export async function commonAncestor(node: HeaderSource, stored: readonly Cursor[]): Promise<BlockPoint> {
  let look = FIRST_LOOK;
  for (let at = 0; at < stored.length; look = Math.min(LARGEST_LOOK, look * 2)) {
    const part = stored.slice(at, at + look);
    const headers = await Promise.all(part.map(({ height }) => node.header(height)));
    const ancestor = headers.find((header, i) => header !== null && header.hash === part[i]?.hash);
    if (ancestor) return ancestor;
    at += part.length;
  }
  const [highest, lowest] = [stored[0]?.height, stored.at(-1)?.height];
  throw new NoCommonAncestor(
    `${NO_SHARED_BLOCK} ${stored.length} blocks from ${lowest} to ${highest} that were scanned: it is on ` +
      'another chain, or the chain was started anew. Nothing is credited until an operator has looked: `chain show`.',
  );
}
