import type { Family } from '../../../config/config.types.js';
import type { Term } from '../data/fenced.statement.js';
import type { LedgerRepository } from '../data/ledger.repository.js';
import type { Cursor } from '../data/ledger.types.js';
import { InconsistentNode } from '../node.errors.js';
import { type ChainSource, commonAncestor } from './common-ancestor.js';

export interface Rewound {
  readonly depthBlocks: number;
  /** Transfers that stand nowhere until they are found again. */
  readonly orphaned: number;
}

/**
 * Walks back to the last block that the node shares with us.
 * @returns `null` when another watcher moved the cursor meanwhile
 * @throws NoCommonAncestor, InconsistentNode
 */
export async function rewind(
  ledger: LedgerRepository,
  node: ChainSource,
  term: Term,
  family: Family,
  cursor: Cursor,
  latest: Cursor,
): Promise<Rewound | null> {
  const stored = await ledger.storedBlocks(term.network, cursor.height);
  const ancestor = await commonAncestor(node, stored, latest);
  // The node changed its mind between two questions, or another watcher was faster: look again.
  if (ancestor.height === cursor.height)
    throw new InconsistentNode('the node answers from two chains at once');
  const orphaned = await ledger.rewind(term, family, cursor, ancestor);
  return orphaned === null ? null : { depthBlocks: cursor.height - ancestor.height, orphaned };
}
