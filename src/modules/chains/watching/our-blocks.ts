import type { LedgerRepository } from '../data/ledger.repository.js';
import type { Cursor } from '../data/ledger.types.js';
import { InconsistentNode } from '../node.errors.js';

/**
 * The blocks that were read, each the child of the one before. What a node says of a block is held against them: behind
 * its URL another one may stand than a moment ago, on another chain (ADR 31).
 */
export class OurBlocks {
  /** @param read in this step, and not written yet */
  constructor(
    private readonly ledger: Pick<LedgerRepository, 'storedAt'>,
    private readonly network: string,
    private readonly read: readonly Cursor[] = [],
  ) {}

  /**
   * @returns the heights at which these were read; of what was not read, or is no longer kept, nothing is said
   * @throws InconsistentNode where another block was read at its height
   */
  async holding(told: readonly Cursor[]): Promise<ReadonlySet<number>> {
    const held = new Map(this.read.map(({ height, hash }) => [height, hash]));
    const stored = told.map(({ height }) => height).filter((height) => !held.has(height));
    if (stored.length > 0) {
      for (const { height, hash } of await this.ledger.storedAt(this.network, stored)) held.set(height, hash);
    }
    for (const { height, hash } of told) {
      const ours = held.get(height);
      if (ours === undefined || ours === hash) continue;
      throw new InconsistentNode(`the node calls block ${height} ${hash}, and ${ours} was read there`);
    }
    return new Set(told.map(({ height }) => height).filter((height) => held.has(height)));
  }
}
