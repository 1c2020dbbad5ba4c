import type { Cursor, Orphan } from '../data/ledger.types.js';
import type { EvmNode } from './node/evm-node.types.js';

/**
 * Which missing transfers can never come back: their own transaction pays their address otherwise at the depth that
 * decides; or their sender's nonce is used up there, every block up to there was scanned without finding them, and the
 * node has their transaction in no block. Nonces are asked of blocks below the newest: of that a node may count those of
 * the block that it is adding, before it tells that block's receipts.
 * @param newest the height of the node's newest block
 * @param storedAt blocks as we scanned them: asked by their hashes, because by its height a node that has just
 *   reorganised would answer for another chain
 * @returns ids of transfers
 */
export async function replacedOrphans(
  node: EvmNode,
  orphans: readonly Orphan[],
  newest: number,
  storedAt: (heights: readonly number[]) => Promise<readonly Cursor[]>,
): Promise<string[]> {
  const again = orphans.filter(
    ({ againHeight, decidedHeight }) => againHeight !== null && againHeight <= decidedHeight,
  );
  const gone = orphans.filter(({ againHeight, account }) => againHeight === null && account !== null);
  const askedAt = ({ decidedHeight }: Orphan) => Math.min(decidedHeight, newest - 1);
  const heights = [...new Set(gone.map(askedAt))];
  const blocks = heights.length > 0 ? await storedAt(heights) : [];
  const overtaken = await Promise.all(
    blocks.map(({ height, hash }) =>
      overtakenAt(
        node,
        gone.filter((orphan) => askedAt(orphan) === height),
        hash,
      ),
    ),
  );
  const unmined = overtaken.flat();
  // Asked last: had the chain turned meanwhile, our own transaction would be what used the nonce.
  const mined = await Promise.all(unmined.map(({ txid }) => node.isMined(txid)));
  return [...again, ...unmined.filter((_, i) => mined[i] === false)].map(({ id }) => id);
}

/** Those whose nonce was used up by the end of the block. */
async function overtakenAt(node: EvmNode, orphans: readonly Orphan[], hash: string): Promise<Orphan[]> {
  const senders = [...new Set(orphans.flatMap(({ account }) => account?.sender ?? []))];
  const counts = await Promise.all(senders.map((sender) => node.noncesUsed(sender, hash)));
  const used = new Map(senders.map((sender, i) => [sender, counts[i] ?? 0]));
  return orphans.filter(({ account }) => account && account.nonce < (used.get(account.sender) ?? 0));
}
