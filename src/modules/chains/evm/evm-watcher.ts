import { Logger } from '@nestjs/common';
import type { NetworkConfig } from '../../../config/config.types.js';
import { countedBlocks } from '../../../config/depths.js';
import type { BalancesRepository } from '../data/balances.repository.js';
import { KEPT_BLOCKS, type LedgerRepository } from '../data/ledger.repository.js';
import type { Cursor, FoundTransfer, Tips } from '../data/ledger.types.js';
import { freshForMs, stuckAfterS } from '../domain/network-state.js';
import { BlockBudget } from './block-budget.js';
import { candidates, credits, evmAssets, recipients, type EvmAssets } from './credits.js';
import { firstHeight, toTips, type EvmBlock, type EvmHeader, type EvmNode } from './evm-node.types.js';
import { InternalValue, type InternalFinds } from './internal-value.js';
import { InconsistentNode, WrongChain } from '../watching/node-failure.js';
import { rewind } from '../watching/rewind.js';
import type { StepEnd, Watcher } from '../watching/watcher.types.js';
import { confirmedHeight, replacedOrphans } from './replaced.js';
import { TransferLogs } from './transfer-logs.js';

/** What some blocks brought: by logs and top-level values, and by what balances tell besides. */
interface Finds {
  readonly transfers: readonly FoundTransfer[];
  readonly internal: InternalFinds;
}

const NOTHING: Finds = { transfers: [], internal: { transfers: [], baselines: [] } };

/** Follows one EVM network block by block. */
export class EvmWatcher implements Watcher {
  private readonly logger = new Logger(EvmWatcher.name);
  private readonly assets: EvmAssets;
  private readonly logs: TransferLogs;
  private readonly internal: InternalValue | null;
  private readonly budget = new BlockBudget();
  private chainChecked = false;
  readonly counts = { blocks: 0, transfers: 0, reorganisations: 0 };

  constructor(
    private readonly network: NetworkConfig,
    private readonly node: EvmNode,
    private readonly ledger: LedgerRepository,
    private readonly balances: BalancesRepository,
  ) {
    this.assets = evmAssets(network.assets);
    const { coin } = this.assets;
    this.internal = coin === null ? null : new InternalValue(network, coin, node, balances);
    this.logs = new TransferLogs(node, [...this.assets.tokens.keys()]);
  }

  async step(): Promise<StepEnd> {
    try {
      if (!this.chainChecked) await this.checkChain();
      return await this.follow();
    } catch (error) {
      // Behind the same URL may be another node when it comes back.
      this.chainChecked = false;
      throw error;
    }
  }

  private async checkChain(): Promise<void> {
    const answered = await this.node.chainId();
    if (answered !== this.network.chainId) {
      throw new WrongChain(
        `the node of ${this.network.id} serves chain ${answered}, not ${this.network.chainId}: it is not watched`,
      );
    }
    this.chainChecked = true;
  }

  private async follow(): Promise<StepEnd> {
    const seen = await this.node.tips();
    const { latest } = seen;
    const tips = toTips(seen);
    const cursor = await this.ledger.cursor(this.network.id);
    if (!cursor) return this.begin(tips);
    if (latest.height < cursor.height) return this.wait(cursor, latest);
    if (latest.height > cursor.height) return this.scan(cursor, latest, tips);
    return latest.hash === cursor.hash
      ? this.commit(cursor, latest, [], NOTHING, tips)
      : this.reorganise(cursor);
  }

  /**
   * No address of ours existed before the first start, so older blocks hold nothing to find. It begins some blocks
   * before the tip all the same: a reorganisation right after needs blocks to walk back in.
   */
  private async begin(tips: Tips): Promise<StepEnd> {
    const height = firstHeight(tips, KEPT_BLOCKS);
    if (await this.ledger.anyAddress(this.network.family)) {
      this.logger.warn(
        `${this.network.id} is new here and is watched from block ${height}; addresses of its family were ` +
          'issued earlier, and what they received on it before that block is not seen',
      );
    }
    const start = await this.node.header(height);
    if (!start)
      throw new InconsistentNode(`the node has no block ${height}, below the tip that it announced`);
    await this.ledger.begin(this.network.id, start, tips);
    return 'more';
  }

  /** The node's tip is below our cursor: it lags if its tip is a block of ours, else the chain was reorganised. */
  private async wait(cursor: Cursor, latest: EvmHeader): Promise<StepEnd> {
    const [ours] = await this.ledger.storedBlocks(this.network.id, latest.height);
    if (ours?.height === latest.height && ours.hash !== latest.hash) return this.reorganise(cursor);
    await this.ledger.observeNode(this.network.id, latest.height);
    return 'waiting';
  }

  private async scan(cursor: Cursor, latest: EvmHeader, tips: Tips): Promise<StepEnd> {
    const fromHeight = cursor.height + 1;
    const toHeight = Math.min(cursor.height + this.budget.blocks, latest.height);
    const blocks = await this.budget.spend(() => this.node.blocks(fromHeight, toHeight));
    const [first] = blocks;
    if (!first) throw new InconsistentNode('the node answered no blocks');
    if (first.parentHash !== cursor.hash) return this.reorganise(cursor);
    mustBeChained(blocks);
    return this.commit(cursor, latest, blocks, await this.find(cursor, blocks), tips);
  }

  private async find(cursor: Cursor, blocks: readonly EvmBlock[]): Promise<Finds> {
    const transfers = await this.credited(blocks);
    return { transfers, internal: (await this.internal?.in(cursor, blocks, transfers)) ?? NOTHING.internal };
  }

  private async credited(blocks: readonly EvmBlock[]): Promise<FoundTransfer[]> {
    const logs = await this.logs.of(blocks);
    const owners = await this.ledger.owners(this.network.family, recipients(blocks, logs, this.assets));
    if (owners.size === 0) return [];
    const paying = candidates(blocks, logs, this.assets, owners);
    const receipts = await this.node.receipts(paying.map(({ transaction }) => transaction.txid));
    return paying.flatMap((candidate, i) => credits(candidate, receipts[i]!, this.assets, owners));
  }

  private async commit(
    from: Cursor,
    latest: EvmHeader,
    blocks: readonly EvmBlock[],
    { transfers: direct, internal }: Finds,
    tips: Tips,
  ): Promise<StepEnd> {
    const to = blocks.at(-1) ?? latest;
    const { id: network, family } = this.network;
    const transfers = [...direct, ...internal.transfers];
    const isQuiet = internal.transfers.length + internal.baselines.length === 0;
    const advanced = await this.ledger.advance({
      ...{ network, family, from, to, blocks, transfers, tips },
      maxTipAgeS: stuckAfterS(this.network),
      blindAfterMs: freshForMs(this.network),
      countedBlocks: countedBlocks(this.network),
      ...(isQuiet
        ? {}
        : { alongside: (tx) => this.balances.write(tx, network, internal.transfers, internal.baselines) }),
    });
    if (!advanced) return 'more';
    this.counts.blocks += blocks.length;
    this.counts.transfers += transfers.length;
    if (to.height < latest.height) return 'more';
    if (advanced.orphans) await this.markReplaced(to, tips);
    return advanced.synced ? 'synced' : 'waiting';
  }

  private async markReplaced(at: Cursor, tips: Tips): Promise<void> {
    const { id, confirmationDepth } = this.network;
    const height = confirmedHeight(confirmationDepth, tips);
    const [confirmed] = await this.ledger.storedBlocks(id, height);
    if (confirmed?.height !== height) return;
    const replaced = await replacedOrphans(this.node, await this.ledger.orphans(id), confirmed);
    if (replaced.length > 0) await this.ledger.markReplaced(id, at, replaced);
  }

  private async reorganise(cursor: Cursor): Promise<StepEnd> {
    const rewound = await rewind(this.ledger, this.node, this.network.id, cursor);
    if (!rewound) return 'more';
    this.counts.reorganisations += 1;
    this.logger.warn(
      `${this.network.id}: ${rewound.depthBlocks} blocks were reorganised, ${rewound.orphaned} transfers are missing now`,
    );
    return 'more';
  }
}

function mustBeChained(blocks: readonly EvmBlock[]): void {
  blocks.forEach((block, i) => {
    const parent = blocks[i - 1];
    if (parent && block.parentHash !== parent.hash) {
      throw new InconsistentNode(`block ${block.height} does not follow the block before it`);
    }
  });
}
