import type { Depth } from '../../../config/config.types.js';
import type { Cursor, Orphan, Tips } from '../data/ledger.types.js';
import type { EvmNode } from './node/evm-node.types.js';

/**
 * Which missing transfers can never come back: their own transaction pays their address otherwise at the
 * confirmation depth; or their sender's nonce is used up there, every block up to there was scanned without finding them, and the node
 * has their transaction in no block.
 * @param confirmed the block that has the confirmation depth, as we scanned it: asked by its hash, because by its
 *   height a node that has just reorganised would answer for another chain
 * @returns ids of transfers
 */
export async function replacedOrphans(
  node: EvmNode,
  orphans: readonly Orphan[],
  confirmed: Cursor,
): Promise<string[]> {
  const again = orphans.filter(({ againHeight }) => againHeight !== null && againHeight <= confirmed.height);
  const gone = orphans.filter(({ againHeight }) => againHeight === null);
  const senders = [...new Set(gone.flatMap(({ account }) => account?.sender ?? []))];
  const counts = await Promise.all(senders.map((sender) => node.noncesUsed(sender, confirmed.hash)));
  const used = new Map(senders.map((sender, i) => [sender, counts[i] ?? 0]));
  const overtaken = gone.filter(({ account }) => account && account.nonce < (used.get(account.sender) ?? 0));
  // Asked last: had the chain turned meanwhile, our own transaction would be what used the nonce.
  const mined = await Promise.all(overtaken.map(({ txid }) => node.isMined(txid)));
  return [...again, ...overtaken.filter((_, i) => mined[i] === false)].map(({ id }) => id);
}

/** The height that has the confirmation depth. */
export function confirmedHeight(depth: Depth, tips: Tips): number {
  if (depth === 'safe') return tips.safeHeight;
  if (depth === 'finalized') return tips.finalizedHeight;
  return tips.nodeHeight - Math.max(1, depth) + 1;
}
