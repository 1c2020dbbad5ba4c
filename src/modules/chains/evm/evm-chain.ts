import type { NetworkConfig } from '../../../config/config.types.js';
import type { BalancesRepository } from '../data/balances/balances.repository.js';
import type { Term } from '../data/fenced.statement.js';
import { KEPT_BLOCKS, type LedgerRepository } from '../data/ledger.repository.js';
import type { Alongside, ChainIdentity, Cursor, WatchedCursor } from '../data/ledger.types.js';
import { InconsistentNode } from '../node.errors.js';
import { ChainFollower } from '../watching/chain-follower.js';
import type { Finds, FollowedChain, Seen } from '../watching/followed-chain.types.js';
import { mustBeItsChain } from '../watching/identity.js';
import { OurBlocks } from '../watching/our-blocks.js';
import type { Watcher } from '../watching/watcher.types.js';
import { AssetCatchUp } from './asset-catch-up.js';
import { AssetViews } from './asset-view.js';
import { BlockBudget } from './block-budget.js';
import { collectedCoin, directValue } from './coin/direct-value.js';
import { type InternalFinds, InternalValue } from './coin/internal-value.js';
import { Names } from './coin/names.js';
import { Finality } from './finality.js';
import { firstHeight } from './first-height.js';
import type { EvmBlock, EvmHeader, EvmNode, EvmTips } from './node/evm-node.types.js';
import { replacedOrphans } from './replaced.js';
import { TokensDivided } from './token-decimals.js';

/** Follows one EVM network block by block. */
export function evmWatcher(
  network: NetworkConfig,
  node: EvmNode,
  ledger: LedgerRepository,
  balances: BalancesRepository,
  names = new Names(),
): Watcher {
  return new ChainFollower(network, ledger, new EvmChain(network, node, ledger, balances, names));
}

interface EvmSeen extends Seen {
  readonly latest: EvmHeader;
  readonly told: EvmTips;
}

class EvmChain implements FollowedChain<ChainIdentity, EvmSeen, EvmBlock> {
  private readonly views: AssetViews;
  private readonly behind: AssetCatchUp;
  private readonly internal: InternalValue | null;
  private readonly finality: Finality;
  private readonly budget = new BlockBudget();
  /** What the node said that it serves; `null` until it is asked. */
  private identity: ChainIdentity | null = null;
  private readonly tokens: TokensDivided;

  constructor(
    private readonly network: NetworkConfig,
    readonly headers: EvmNode,
    private readonly ledger: LedgerRepository,
    private readonly balances: BalancesRepository,
    names: Names,
  ) {
    this.views = new AssetViews(network.assets, headers);
    this.tokens = new TokensDivided(network, headers);
    this.behind = new AssetCatchUp(network, headers, ledger, this.views);
    const coin = network.assets.find(({ contract }) => contract === null);
    this.internal = coin ? new InternalValue(network, coin.symbol, headers, balances, names) : null;
    this.finality = new Finality(network, headers, () => ledger.now());
  }

  /** Its first block is asked for once, until a step fails; its id with every look at the tip. */
  async ask(): Promise<ChainIdentity> {
    return (this.identity ??= await this.headers.identity());
  }

  async see(term: Term, asked: ChainIdentity, cursor: WatchedCursor | null): Promise<EvmSeen> {
    const told = await this.headers.tips(cursor?.knownTags);
    mustBeItsChain(this.network, { ...asked, chainId: told.chainId }, cursor);
    // A node that is still behind may not have what stands at its contract by now.
    if (told.latest.height >= (cursor?.height ?? 0)) await this.tokens.mustBeAsConfigured();
    const learned = told.knownTags.filter((tag) => !cursor?.knownTags.includes(tag));
    if (cursor && learned.length > 0) await this.ledger.knowTags(term, learned);
    return { latest: told.latest, told };
  }

  /** Some blocks before the tip: a reorganisation right after needs blocks to walk back in. */
  async start({ told }: EvmSeen) {
    const height = firstHeight(told, KEPT_BLOCKS);
    const at = await this.headers.header(height);
    if (!at) throw new InconsistentNode(`the node has no block ${height}, below the tip that it announced`);
    const finalizedHeight = told.finalizedHeight ?? -1;
    const tips = { nodeHeight: told.latest.height, safeHeight: finalizedHeight, finalizedHeight };
    return { at, tips, assetKeys: this.views.keys(() => true) };
  }

  blocksAbove(height: number, { latest }: EvmSeen): Promise<EvmBlock[]> {
    const toHeight = Math.min(height + this.budget.take(), latest.height);
    return this.headers.blocks(height + 1, toHeight);
  }

  async find(term: Term, cursor: WatchedCursor, seen: EvmSeen, blocks: readonly EvmBlock[]): Promise<Finds> {
    const view = this.views.current(cursor);
    const to = blocks.at(-1) ?? seen.latest;
    const ours = new OurBlocks(this.ledger, this.network.id, blocks);
    const tips = await this.finality.of(seen.told, cursor, ours);
    const common = {
      tips,
      assetKeys: view.keys,
      sight: 'whole' as const,
      written: async ({ orphans }: { readonly orphans: boolean }) => {
        this.budget.spent();
        if (orphans && to.height === seen.latest.height) await this.markReplaced(term, to);
      },
    };
    if (blocks.length === 0 && !this.internal?.isBehind) return { ...common, transfers: [], collections: [] };
    const { network, headers, ledger } = this;
    const direct = await directValue(network, headers, ledger, view, blocks);
    if (!this.internal || !this.views.hasCoin(view)) return { ...common, ...direct };
    const coins = await collectedCoin(network, headers, ledger, view, blocks);
    const { transfers } = direct;
    const step = { from: cursor, blocks, transfers, collections: coins, blindFrom: cursor.coinBlindFrom };
    const internal = await this.internal.in(step);
    return {
      ...common,
      transfers: [...transfers, ...internal.transfers],
      collections: [...direct.collections, ...coins],
      alongside: this.alongside(cursor, internal),
    };
  }

  /** @returns whether there may be more to do at once */
  async catchUp(term: Term, before: WatchedCursor): Promise<boolean> {
    if (!this.views.behind(before)) return false;
    const cursor = await this.ledger.cursor(this.network.id);
    return cursor !== null && this.behind.some(term, cursor);
  }

  reorganised(): void {
    this.finality.forget();
  }

  /** Another node may be there when it comes back: what this one told need not be of our chain. */
  failed(): void {
    this.budget.failed();
    this.identity = null;
    this.finality.forget();
  }

  /** Nothing to write is the common case, and costs no statement. */
  private alongside(
    { coinBlindFrom, coinUnwatched }: WatchedCursor,
    { blindFrom, unwatched, baselines, spendings }: InternalFinds,
  ): Alongside | undefined {
    const isSame = blindFrom === coinBlindFrom && unwatched === coinUnwatched;
    const sight = isSame ? null : { blindFrom, unwatched };
    if (isSame && baselines.length === 0 && spendings.length === 0) return undefined;
    return (tx) => this.balances.write(tx, this.network.id, baselines, sight, spendings);
  }

  private async markReplaced(term: Term, at: Cursor): Promise<void> {
    const { id, confirmationDepth } = this.network;
    const orphans = await this.ledger.orphans(id, confirmationDepth);
    const replaced = await replacedOrphans(this.headers, orphans, at.height, (heights) =>
      this.ledger.storedAt(id, heights),
    );
    if (replaced.length > 0) await this.ledger.markReplaced(term, at, replaced);
  }
}
