import { Logger } from '@nestjs/common';
import type { NetworkConfig } from '../../../config/config.types.js';
import type { LedgerRepository } from '../data/ledger.repository.js';
import { LeaseLost, type Term } from '../data/fenced.js';
import type { WatchedCursor } from '../data/ledger.types.js';
import { describeFailure } from '../watching/node-failure.js';
import type { AssetViews } from './asset-view.js';
import { BlockBudget } from './block-budget.js';
import { mustBeChained } from '../watching/must-be-chained.js';
import { OurBlocks } from '../watching/our-blocks.js';
import { collectedCoin, directValue } from './coin/direct-value.js';
import type { EvmNode } from './node/evm-node.types.js';

/** After a failure: what is behind stays closed, and must not slow down what is not. */
const PAUSE_MS = 30_000;

/**
 * Searches the blocks that the cursor has passed without looking for an asset, as under a leader with an older list
 * (ADR 31). It never moves the cursor, so everything else goes on.
 */
export class AssetCatchUp {
  private readonly logger = new Logger(AssetCatchUp.name);
  private readonly budget = new BlockBudget();
  private notBeforeMs = 0;

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
      await this.search(term, cursor, behind.keys, behind.height);
      return true;
    } catch (error) {
      if (error instanceof LeaseLost) throw error;
      this.notBeforeMs = performance.now() + PAUSE_MS;
      const { id, rpcUrl, secondRpcUrl } = this.network;
      const reason = describeFailure(error, rpcUrl, secondRpcUrl);
      this.logger.warn(`${id}: ${behind.keys.join(', ')} cannot be caught up at the moment: ${reason}`);
      return false;
    }
  }

  private async search(
    term: Term,
    cursor: WatchedCursor,
    keys: readonly string[],
    fromHeight: number,
  ): Promise<void> {
    const { id: network, family } = this.network;
    const toHeight = Math.min(fromHeight + this.budget.blocks, cursor.height);
    const blocks = await this.budget.spend(() => this.node.blocks(fromHeight + 1, toHeight));
    mustBeChained(blocks);
    const [first, last] = [blocks[0]!, blocks.at(-1)!];
    // What was read up to before is kept: it ties these to our chain, however far below the cursor they are.
    const before = { height: fromHeight, hash: first.parentHash };
    const isOurs = (await new OurBlocks(this.ledger, network).holding([before, last])).size > 0;
    const view = this.views.of(keys);
    const { transfers, collections } = await directValue(this.network, this.node, this.ledger, view, blocks);
    const paidOut = await collectedCoin(this.network, this.node, this.ledger, view, blocks);
    const at = { height: cursor.height, hash: cursor.hash };
    const found = { transfers, collections: [...collections, ...paidOut] };
    const toHash = isOurs ? last.hash : null;
    await this.ledger.cover(term, { family, at, assetKeys: keys, fromHeight, toHeight, toHash, ...found });
  }
}
