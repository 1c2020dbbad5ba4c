import type { LedgerRepository } from '../data/ledger.repository.js';
import type { Cursor } from '../data/ledger.types.js';
import { InconsistentNode } from '../node.errors.js';
import { OurBlocks } from '../watching/our-blocks.js';
import type { AgreedBlock } from './reconciliation.types.js';

/**
 * What is compared is compared at a block that node and watcher know as the same.
 * @param told the node's block of this height
 * @throws InconsistentNode where it has none, or another than the watcher has read
 */
export async function agreedBlockOf(
  ledger: LedgerRepository,
  network: string,
  height: number,
  told: Cursor | null,
): Promise<AgreedBlock> {
  if (!told) throw new InconsistentNode(`the node has no block ${height}, which the watcher has read`);
  await new OurBlocks(ledger, network).holding([told]);
  return { height: told.height, hash: told.hash };
}
