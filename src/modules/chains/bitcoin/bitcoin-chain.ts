import type { NetworkConfig } from '../../../config/config.types.js';
import { entryAt } from '../../../kernel/lookups.js';
import type { Term } from '../data/fenced.statement.js';
import type { LedgerRepository } from '../data/ledger.repository.js';
import type { BlockPoint, Cursor, Tips } from '../data/ledger.types.js';
import { NATIVE } from '../domain/asset-key.js';
import { type BitcoinNetwork, bitcoinNetwork } from '../domain/bitcoin-network.js';
import { InconsistentNode } from '../node.errors.js';
import { ChainFollower } from '../watching/chain-follower.js';
import type { Finds, FollowedChain, Seen } from '../watching/followed-chain.types.js';
import type { AnsweredChain } from '../watching/identity.js';
import type { Watcher } from '../watching/watcher.types.js';
import type { BitcoinBlock, BitcoinNode, BitcoinTip } from './bitcoin-node.types.js';
import { conflictsIn } from './conflicts.js';
import type { SpendsRepository } from './data/spends.repository.js';
import { MempoolReader } from './mempool-reader.js';
import { OwnPayments } from './own-payments.js';

/** Eight of Bitcoin's blocks are up to 80 MB of JSON, and eight steps a second still catch up a day in seconds. */
const BLOCKS_AT_ONCE = 8;
/** Reorganisations are seldom deeper than one, and each block is read whole. */
const FIRST_BLOCKS = 6;
/** Deeper than this a transfer's depth is no longer followed: Bitcoin itself lets a coinbase be spent there. */
const FINAL_DEPTH = 100;
const ASSET_KEYS = [NATIVE];

type Asked = BitcoinTip & AnsweredChain;

interface BitcoinSeen extends Seen {
  readonly latest: BitcoinTip;
}

/** Follows one Bitcoin-like network, block by block and in the mempool, on a node without a wallet. */
export function bitcoinWatcher(
  network: NetworkConfig,
  node: BitcoinNode,
  ledger: LedgerRepository,
  spends: SpendsRepository,
): Watcher {
  return new ChainFollower(network, ledger, new BitcoinChain(network, node, ledger, spends));
}

class BitcoinChain implements FollowedChain<Asked, BitcoinSeen, BitcoinBlock> {
  private readonly bitcoin: BitcoinNetwork;
  private readonly own: OwnPayments;
  private readonly mempool: MempoolReader;
  /** In which the mempool was read. */
  private term: string | null = null;

  constructor(
    private readonly network: NetworkConfig,
    readonly headers: BitcoinNode,
    ledger: LedgerRepository,
    private readonly spends: SpendsRepository,
  ) {
    this.bitcoin = bitcoinNetwork(network);
    this.own = new OwnPayments(this.bitcoin, ledger);
    this.mempool = new MempoolReader(this.bitcoin, headers, this.own, spends);
  }

  async ask(): Promise<Asked> {
    return { ...(await this.headers.tip(this.bitcoin.prefix)), chainId: null };
  }

  /** Within another term somebody else may have taken what was read by us for replaced, and it may wait again. */
  see({ number }: Term, latest: Asked): Promise<BitcoinSeen> {
    if (number !== this.term) this.mempool.forget();
    this.term = number;
    return Promise.resolve({ latest });
  }

  /**
   * Not on a tip that is years old: starting there would mean to scan what the node still has to download. Some blocks
   * below it, for a reorganisation right after to walk back in.
   */
  async start({ latest }: BitcoinSeen) {
    if (latest.isDownloading) return null;
    const height = Math.max(0, latest.height - FIRST_BLOCKS);
    const at = await this.headers.header(height);
    if (!at) throw new InconsistentNode(`the node has no block ${height}, below the tip that it announced`);
    return { at, tips: toTips(latest, at), assetKeys: ASSET_KEYS };
  }

  blocksAbove(height: number, { latest }: BitcoinSeen): Promise<BitcoinBlock[]> {
    return this.headers.blocks(height + 1, Math.min(height + BLOCKS_AT_ONCE, latest.height));
  }

  find(_term: Term, cursor: Cursor, { latest }: BitcoinSeen, blocks: readonly BitcoinBlock[]) {
    return blocks.length > 0 ? this.inBlocks(blocks, latest) : this.atTip(cursor, latest);
  }

  reorganised(): void {
    this.mempool.forget();
  }

  /** The mempool has yet to be read at this tip, so whatever waits there is still unseen. */
  private async inBlocks(blocks: readonly BitcoinBlock[], latest: BitcoinTip): Promise<Finds> {
    const { id: network, family } = this.network;
    const last = entryAt(blocks, -1);
    const { transfers, spending } = await this.own.inBlocks(blocks);
    const outstanding = await this.spends.outstanding(network);
    const write = {
      network,
      family,
      spending,
      conflicts: conflictsIn(blocks, outstanding),
      confirmationDepth: this.bitcoin.confirmationDepth,
    };
    return {
      transfers,
      collections: [],
      assetKeys: ASSET_KEYS,
      sight: 'partial',
      tips: toTips(latest, last),
      alongside: (tx) => this.spends.writeBlocks(tx, write),
    };
  }

  /** What waits for a block, and what no longer does. */
  private async atTip(cursor: Cursor, latest: BitcoinTip): Promise<Finds | null> {
    const tips = toTips(latest, cursor);
    const nothing = { transfers: [], collections: [], assetKeys: ASSET_KEYS, tips };
    if (latest.isDownloading || !latest.isMempoolLoaded) return { ...nothing, sight: 'blind' };
    const seen = await this.mempool.read(cursor);
    return (
      seen && {
        ...nothing,
        sight: seen.sight,
        alongside: seen.write,
        written: seen.remember,
      }
    );
  }
}

/**
 * A node that knows more headers than blocks is behind: the difference is the lag, and it does not count as synced.
 * @param read the last block that was read: depth is counted from there
 */
function toTips({ height, headerHeight }: BitcoinTip, read: Pick<BlockPoint, 'height'>): Tips {
  const finalHeight = Math.max(-1, read.height - FINAL_DEPTH);
  return {
    nodeHeight: Math.max(height, headerHeight),
    safeHeight: finalHeight,
    finalizedHeight: finalHeight,
  };
}
