import type { LedgerRepository } from '../data/ledger.repository.js';
import type { Cursor } from '../data/ledger.types.js';
import { InconsistentNode } from '../node.errors.js';
import { OurBlocks } from '../watching/our-blocks.js';
import type { AgreedBlock } from './reconciliation.types.js';

/**
 * What is compared is compared at a block that node and watcher know as the same.
 * @param told the node's block of this height
 * @param isAlwaysKept whether the watcher keeps it but for a while after an upgrade or a rewind by hand; what has just begun
 *   to be watched may keep less than a depth
 * @returns `null` where it should be kept, and is not yet
 * @throws InconsistentNode where it has none, or another than the watcher has read
 */
export async function agreedBlockOf(
  ledger: LedgerRepository,
  network: string,
  height: number,
  told: Cursor | null,
  isAlwaysKept: boolean,
): Promise<AgreedBlock | null> {
  if (!told) throw new InconsistentNode(`the node has no block ${height}, which the watcher has read`);
  const held = await new OurBlocks(ledger, network).holding([told]);
  if (isAlwaysKept && !held.has(height)) return null;
  return { height: told.height, hash: told.hash };
}
