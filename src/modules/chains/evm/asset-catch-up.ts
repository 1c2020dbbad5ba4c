import { Logger } from '@nestjs/common';
import type { NetworkConfig } from '../../../config/config.types.js';
import { entryAt } from '../../../kernel/lookups.js';
import { LeaseLost, type Term } from '../data/fenced.statement.js';
import type { LedgerRepository } from '../data/ledger.repository.js';
import type { FoundCollection, FoundTransfer, WatchedCursor } from '../data/ledger.types.js';
import { InconsistentNode } from '../node.errors.js';
import { mustBeChained } from '../watching/must-be-chained.js';
import { describeFailure } from '../watching/node-failure.js';
import { OurBlocks } from '../watching/our-blocks.js';
import type { AssetViews, Behind } from './asset-view.js';
import { BlockBudget } from './block-budget.js';
import { collectedCoin, directValue } from './coin/direct-value.js';
import type { EvmBlock, EvmNode } from './node/evm-node.types.js';

/** After a failure: what is behind stays closed, and must not slow down what is not. */
const PAUSE_MS = 30_000;

/** What is behind, and what was found above it in blocks that are one chain, up to `last`. */
interface Found extends Behind {
  readonly last: EvmBlock;
  readonly transfers: readonly FoundTransfer[];
  readonly collections: readonly FoundCollection[];
}

/**
 * Searches the blocks that the cursor has passed without looking for an asset, as under a leader with an older list
 * (ADR 31). It never moves the cursor, so everything else goes on.
 */
export class AssetCatchUp {
  private readonly logger = new Logger(AssetCatchUp.name);
  private readonly budget = new BlockBudget();
  private notBeforeMs = 0;
  /** In memory: whoever takes over searches again. */
  private found: Found | null = null;

  constructor(
    private readonly network: NetworkConfig,
    private readonly node: EvmNode,
    private readonly ledger: LedgerRepository,
    private readonly views: AssetViews,
  ) {}

  /** @returns whether there may be more to do at once */
  async some(term: Term, cursor: WatchedCursor): Promise<boolean> {
    const behind = this.views.behind(cursor);
    if (!behind || performance.now() < this.notBeforeMs) return false;
    try {
      await this.search(term, cursor, behind);
      this.budget.spent();
      return true;
    } catch (error) {
      this.budget.failed();
      if (error instanceof LeaseLost) throw error;
      this.notBeforeMs = performance.now() + PAUSE_MS;
      const { id, rpcUrl, secondRpcUrl } = this.network;
      const reason = describeFailure(error, rpcUrl, secondRpcUrl);
      this.logger.warn(`${id}: ${behind.keys.join(', ')} cannot be caught up at the moment: ${reason}`);
      return false;
    }
  }

  /** Nothing is written before a block is reached that the watcher has read: only then these are known to be of our chain. */
  private async search(term: Term, cursor: WatchedCursor, behind: Behind): Promise<void> {
    const before = this.foundAbove(behind, cursor);
    const top = before?.last.height ?? behind.height;
    const toHeight = Math.min(top + this.budget.take(), cursor.height);
    const blocks = await this.node.blocks(top + 1, toHeight);
    const isJoined = await this.isOneChain(before, blocks);
    const found = await this.findIn(blocks, behind, before);
    // Where the cursor or the assets have moved meanwhile, the same blocks are read again.
    if (!isJoined) this.found = found;
    else if (await this.write(term, cursor, found)) this.found = null;
  }

  /**
   * @returns whether the last of these is one that the watcher has read
   * @throws InconsistentNode where they are not one chain with what was found before, or with ours: nobody can say which of
   * them were another's, and all are read again
   */
  private async isOneChain(before: Found | null, blocks: readonly EvmBlock[]): Promise<boolean> {
    try {
      mustBeChained(before ? [before.last, ...blocks] : blocks);
      return (await new OurBlocks(this.ledger, this.network.id).holding([entryAt(blocks, -1)])).size > 0;
    } catch (error) {
      if (error instanceof InconsistentNode) this.found = null;
      throw error;
    }
  }

  /** What earlier steps have found; `null` where it was of something else, or was given up by a reorganisation. */
  private foundAbove({ keys, height }: Behind, cursor: WatchedCursor): Found | null {
    const { found } = this;
    const isIt = found?.height === height && found.keys.join() === keys.join();
    return isIt && found.last.height < cursor.height ? found : null;
  }

  private async findIn(blocks: readonly EvmBlock[], behind: Behind, before: Found | null): Promise<Found> {
    const { network, node, ledger } = this;
    const view = this.views.of(behind.keys);
    const { transfers, collections } = await directValue(network, node, ledger, view, blocks);
    const paidOut = await collectedCoin(network, node, ledger, view, blocks);
    return {
      ...behind,
      last: entryAt(blocks, -1),
      transfers: [...(before?.transfers ?? []), ...transfers],
      collections: [...(before?.collections ?? []), ...collections, ...paidOut],
    };
  }

  private write(
    term: Term,
    { height, hash }: WatchedCursor,
    { keys: assetKeys, height: fromHeight, last, transfers, collections }: Found,
  ): Promise<boolean> {
    const { family } = this.network;
    const at = { height, hash };
    const toHeight = last.height;
    return this.ledger.cover(term, { family, at, assetKeys, fromHeight, toHeight, transfers, collections });
  }
}
