import { Logger } from '@nestjs/common';
import type { NetworkConfig } from '../../../config/config.types.js';
import { countedBlocks } from '../../../config/depths.js';
import type { BalancesRepository } from '../data/balances.repository.js';
import type { Term } from '../data/fenced.js';
import { KEPT_BLOCKS, type LedgerRepository } from '../data/ledger.repository.js';
import type { Advance, ChainIdentity, Cursor, Movements, Tips, WatchedCursor } from '../data/ledger.types.js';
import { freshForMs, stuckAfterS } from '../domain/network-state.js';
import { BlockBudget } from './block-budget.js';
import { AssetCatchUp } from './asset-catch-up.js';
import { AssetViews, type AssetView } from './asset-view.js';
import { collectedCoin, directValue, mustBeChained } from './coin/direct-value.js';
import { firstHeight, type EvmBlock, type EvmHeader, type EvmNode } from './node/evm-node.types.js';
import { Finality } from './finality.js';
import { InternalValue, type InternalFinds } from './coin/internal-value.js';
import { InconsistentNode } from '../watching/node-failure.js';
import { mustBeItsChain } from '../watching/identity.js';
import { rewind } from '../watching/rewind.js';
import type { StepEnd, Watcher } from '../watching/watcher.types.js';
import { confirmedHeight, replacedOrphans } from './replaced.js';

/** What some blocks brought: by logs and top-level values, and by what balances tell besides. */
interface Finds extends Movements {
  readonly internal: InternalFinds | null;
}

const NOTHING: Finds = { transfers: [], collections: [], internal: null };

/** Follows one EVM network block by block. */
export class EvmWatcher implements Watcher {
  private readonly logger = new Logger(EvmWatcher.name);
  private readonly views: AssetViews;
  private readonly catchUp: AssetCatchUp;
  private readonly internal: InternalValue | null;
  private readonly finality: Finality;
  private readonly budget = new BlockBudget();
  /** What the node said that it serves; `null` until it is asked. */
  private chain: ChainIdentity | null = null;
  readonly counts = { blocks: 0, transfers: 0, reorganisations: 0 };

  constructor(
    private readonly network: NetworkConfig,
    private readonly node: EvmNode,
    private readonly ledger: LedgerRepository,
    private readonly balances: BalancesRepository,
  ) {
    this.views = new AssetViews(network.assets, node);
    this.catchUp = new AssetCatchUp(network, node, ledger, this.views);
    const coin = network.assets.find(({ contract }) => contract === null);
    this.internal = coin ? new InternalValue(network, coin.symbol, node, balances) : null;
    this.finality = new Finality(network, node);
  }

  async step(term: Term): Promise<StepEnd> {
    try {
      const chain = (this.chain ??= await this.node.identity());
      const cursor = await this.ledger.cursor(this.network.id);
      mustBeItsChain(this.network, chain, cursor);
      if (cursor?.genesisHash === null) await this.ledger.identify(term, chain);
      const end = await this.follow(term, chain, cursor);
      if (end === 'more' || !cursor) return end;
      return (await this.catchUpAt(term, cursor)) ? 'more' : end;
    } catch (error) {
      // Behind the same URL may be another node when it comes back.
      this.chain = null;
      throw error;
    }
  }

  /** Once nothing is new: what is behind must not make the rest late. */
  private async catchUpAt(term: Term, before: WatchedCursor): Promise<boolean> {
    if (!this.views.behind(before)) return false;
    const cursor = await this.ledger.cursor(this.network.id);
    return cursor !== null && this.catchUp.some(term, cursor);
  }

  private async follow(term: Term, chain: ChainIdentity, cursor: WatchedCursor | null): Promise<StepEnd> {
    const seen = await this.node.tips(cursor?.knownTags);
    const { latest } = seen;
    const tips = await this.finality.of(seen);
    if (!cursor) return this.begin(term, tips, chain);
    const learned = seen.knownTags.filter((tag) => !cursor.knownTags.includes(tag));
    if (learned.length > 0) await this.ledger.knowTags(term, learned);
    if (latest.height < cursor.height) return this.wait(term, cursor, latest);
    if (latest.height > cursor.height) return this.scan(term, cursor, latest, tips);
    return latest.hash === cursor.hash
      ? this.commit(term, cursor, latest, [], NOTHING, tips, this.views.current(cursor))
      : this.reorganise(term, cursor);
  }

  /**
   * No address of ours existed before the first start, so older blocks hold nothing to find. It begins some blocks
   * before the tip all the same: a reorganisation right after needs blocks to walk back in.
   */
  private async begin(term: Term, tips: Tips, chain: ChainIdentity): Promise<StepEnd> {
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
    const keys = this.views.keys(() => true);
    await this.ledger.begin(term, start, tips, chain, keys);
    return 'more';
  }

  /** The node's tip is below our cursor: it lags if its tip is a block of ours, else the chain was reorganised. */
  private async wait(term: Term, cursor: WatchedCursor, latest: EvmHeader): Promise<StepEnd> {
    const [ours] = await this.ledger.storedBlocks(this.network.id, latest.height);
    if (ours?.height === latest.height && ours.hash !== latest.hash) return this.reorganise(term, cursor);
    await this.ledger.observeNode(term, latest.height);
    return 'waiting';
  }

  private async scan(term: Term, cursor: WatchedCursor, latest: EvmHeader, tips: Tips): Promise<StepEnd> {
    const fromHeight = cursor.height + 1;
    const toHeight = Math.min(cursor.height + this.budget.blocks, latest.height);
    const blocks = await this.budget.spend(() => this.node.blocks(fromHeight, toHeight));
    const [first] = blocks;
    if (!first) throw new InconsistentNode('the node answered no blocks');
    if (first.parentHash !== cursor.hash) return this.reorganise(term, cursor);
    mustBeChained(blocks);
    const view = this.views.current(cursor);
    return this.commit(term, cursor, latest, blocks, await this.find(cursor, blocks, view), tips, view);
  }

  private async find(cursor: WatchedCursor, blocks: readonly EvmBlock[], view: AssetView): Promise<Finds> {
    const { transfers, collections } = await directValue(this.network, this.node, this.ledger, view, blocks);
    if (!this.views.hasCoin(view)) return { transfers, collections, internal: null };
    const coins = await collectedCoin(this.network, this.node, this.ledger, view, blocks);
    const internal = await this.internal!.in(cursor, blocks, transfers, cursor.coinBlindFrom, coins);
    return { transfers, collections: [...collections, ...coins], internal };
  }

  private async commit(
    term: Term,
    from: WatchedCursor,
    latest: EvmHeader,
    blocks: readonly EvmBlock[],
    { transfers: direct, collections, internal }: Finds,
    tips: Tips,
    { keys: assetKeys }: AssetView,
  ): Promise<StepEnd> {
    const to = blocks.at(-1) ?? latest;
    const { family } = this.network;
    const transfers = [...direct, ...(internal?.transfers ?? [])];
    const alongside = internal && this.alongside(from, internal);
    const advanced = await this.ledger.advance(term, {
      ...{ family, from, to, blocks, transfers, collections, tips, assetKeys },
      maxTipAgeS: stuckAfterS(this.network),
      blindAfterMs: freshForMs(this.network),
      countedBlocks: countedBlocks(this.network),
      ...(alongside ? { alongside } : {}),
    });
    if (!advanced) return 'more';
    this.counts.blocks += blocks.length;
    this.counts.transfers += transfers.length;
    if (to.height < latest.height) return 'more';
    if (advanced.orphans) await this.markReplaced(term, to, tips);
    return advanced.synced ? 'synced' : 'waiting';
  }

  /** Nothing to write is the common case, and costs no statement. */
  private alongside(
    { coinBlindFrom, coinUnwatched, height: fromHeight }: WatchedCursor,
    finds: InternalFinds,
  ): Advance['alongside'] {
    const sight = { isBlind: finds.isBlind, unwatched: finds.unwatched, fromHeight };
    const isSame = sight.isBlind === (coinBlindFrom !== null) && sight.unwatched === coinUnwatched;
    const { baselines, spendings } = finds;
    if (isSame && baselines.length === 0 && spendings.length === 0) return undefined;
    return (tx) => this.balances.write(tx, this.network.id, baselines, isSame ? null : sight, spendings);
  }

  private async markReplaced(term: Term, at: Cursor, tips: Tips): Promise<void> {
    const { id, confirmationDepth } = this.network;
    const height = confirmedHeight(confirmationDepth, tips);
    const [confirmed] = await this.ledger.storedBlocks(id, height);
    if (confirmed?.height !== height) return;
    const replaced = await replacedOrphans(this.node, await this.ledger.orphans(id), confirmed);
    if (replaced.length > 0) await this.ledger.markReplaced(term, at, replaced);
  }

  private async reorganise(term: Term, cursor: WatchedCursor): Promise<StepEnd> {
    const rewound = await rewind(this.ledger, this.node, term, this.network.family, cursor);
    if (!rewound) return 'more';
    this.counts.reorganisations += 1;
    this.finality.forget();
    this.warnIfFinal(cursor, rewound.depthBlocks);
    this.logger.warn(
      `${this.network.id}: ${rewound.depthBlocks} blocks were reorganised, ${rewound.orphaned} transfers are missing now`,
    );
    return 'more';
  }
  /** A node that gives up what it called final is on another chain than before, or its finality is worth nothing. */
  private warnIfFinal({ height, finalizedHeight }: WatchedCursor, depthBlocks: number): void {
    const ancestor = height - depthBlocks;
    if (ancestor >= finalizedHeight) return;
    this.logger.error(
      `${this.network.id}: the node gave up blocks that it had called final, from ${finalizedHeight} down to ${ancestor}`,
    );
  }
}
