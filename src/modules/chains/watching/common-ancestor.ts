import type { Cursor } from '../data/ledger.types.js';
import { InconsistentNode, NoCommonAncestor } from '../node.errors.js';
import { type ChainBlock, mustBeChained } from './must-be-chained.js';

/** All that is asked of a node here. */
export interface ChainSource {
  /** `null` where it has no block (yet). */
  header(height: number): Promise<ChainBlock | null>;
  /** Whole. */
  blocks(fromHeight: number, toHeight: number): Promise<readonly ChainBlock[]>;
}

/** Most reorganisations are a block or two deep, so the first look is small and the next ones grow. */
const FIRST_LOOK = 4;
const LARGEST_LOOK = 64;

/**
 * The highest of our blocks that is on the node's chain. What the node says of the blocks above it must be one chain, up
 * to its tip or the block after ours, which it must tell whole: one that is silent about blocks, or lies about a header,
 * has reorganised nothing.
 * @param stored what was scanned, highest first
 * @param latest the node's newest block
 * @throws InconsistentNode
 * @throws NoCommonAncestor when there is none: rather closed than sure of the wrong chain
 */
export async function commonAncestor(
  node: ChainSource,
  stored: readonly Cursor[],
  latest: Cursor,
): Promise<ChainBlock> {
  const witness = await wholeBlock(node, stored, latest);
  let look = FIRST_LOOK;
  let above: ChainBlock | null = witness;
  /** The highest that it tells: it may have gone on since it announced its tip. */
  let highest = witness.height;
  for (let at = 0; at < stored.length; look = Math.min(LARGEST_LOOK, look * 2)) {
    const part = stored.slice(at, at + look);
    const headers = await Promise.all(part.map(({ height }) => node.header(height)));
    for (const [i, { height, hash }] of part.entries()) {
      const header: ChainBlock | null = headers[i] ?? null;
      if (header === null && height <= highest)
        throw new InconsistentNode(`the node has no block ${height}, below the tip that it announced`);
      if (header?.hash === hash && height > witness.height)
        throw new InconsistentNode(
          `the node still tells our block ${height}, above the tip that it announced`,
        );
      if (header) highest = Math.max(highest, height);
      if (header && height === witness.height) mustBeSame(witness, header);
      if (header && above?.height === height + 1) mustBeChained([header, above]);
      if (header?.hash === hash) return header;
      above = header;
    }
    at += part.length;
  }
  const [newest, lowest] = [stored[0]?.height, stored.at(-1)?.height];
  throw new NoCommonAncestor(
    `the node shares none of the ${stored.length} blocks from ${lowest} to ${newest} that were scanned: it is on ` +
      'another chain, or the chain was started anew. Nothing is credited until an operator has looked: `chain show`.',
  );
}

/** Of the node's chain the highest that is not above the block after ours. */
async function wholeBlock(node: ChainSource, stored: readonly Cursor[], latest: Cursor): Promise<ChainBlock> {
  const height = Math.min(latest.height, (stored[0]?.height ?? latest.height) + 1);
  const [block] = await node.blocks(height, height);
  if (!block) throw new InconsistentNode('the node answered no blocks');
  if (height === latest.height) mustBeSame(block, latest);
  return block;
}

function mustBeSame({ hash }: ChainBlock, other: Cursor): void {
  if (other.hash !== hash) throw new InconsistentNode('the node answers from two chains at once');
}
