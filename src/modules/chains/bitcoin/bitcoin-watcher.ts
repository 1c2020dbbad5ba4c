import { Logger } from '@nestjs/common';
import type { NetworkConfig } from '../../../config/config.types.js';
import { countedBlocks } from '../../../config/depths.js';
import type { Term } from '../data/fenced.js';
import type { LedgerRepository } from '../data/ledger.repository.js';
import type {
  Alongside,
  BlockPoint,
  ChainIdentity,
  Cursor,
  FoundTransfer,
  Tips,
} from '../data/ledger.types.js';
import { NATIVE } from '../domain/asset-key.js';
import type { SpendsRepository } from '../data/spends.repository.js';
import { freshForMs, stuckAfterS } from '../domain/network-state.js';
import { InconsistentNode } from '../watching/node-failure.js';
import { mustBeItsChain } from '../watching/identity.js';
import { rewind } from '../watching/rewind.js';
import type { StepEnd, Watcher } from '../watching/watcher.types.js';
import type { BitcoinBlock, BitcoinNode, BitcoinTip } from './bitcoin-node.types.js';
import { bitcoinNetwork, type BitcoinNetwork } from './bitcoin-network.js';
import { conflictsIn } from './conflicts.js';
import { MempoolReader } from './mempool-reader.js';
import { OwnPayments } from './own-payments.js';

/** Eight of Bitcoin's blocks are up to 80 MB of JSON, and eight steps a second still catch up a day in seconds. */
const BLOCKS_AT_ONCE = 8;
/** Deeper than this a transfer's depth is no longer followed: Bitcoin itself lets a coinbase be spent there. */
const FINAL_DEPTH = 100;
/** As the age of the tip that still counts as fresh: no tip is that fresh, so the step does not count as synced. */
const NEVER_FRESH_S = -1e9;

/** Follows one Bitcoin-like network, block by block and in the mempool, on a node without a wallet. */
export class BitcoinWatcher implements Watcher {
  private readonly logger = new Logger(BitcoinWatcher.name);
  private readonly bitcoin: BitcoinNetwork;
  private readonly own: OwnPayments;
  private readonly mempool: MempoolReader;
  readonly counts = { blocks: 0, transfers: 0, reorganisations: 0 };

  constructor(
    private readonly network: NetworkConfig,
    private readonly node: BitcoinNode,
    private readonly ledger: LedgerRepository,
    private readonly spends: SpendsRepository,
  ) {
    this.bitcoin = bitcoinNetwork(network);
    this.own = new OwnPayments(this.bitcoin, ledger);
    this.mempool = new MempoolReader(this.bitcoin, node, this.own, spends);
  }

  async step(term: Term): Promise<StepEnd> {
    const tip = await this.node.tip();
    const cursor = await this.ledger.cursor(this.network.id);
    // Asked at every step: behind the same URL may be another node by now.
    const identity = mustBeItsChain(this.network, { ...tip, chainId: null }, cursor);
    if (!cursor) return this.begin(term, tip, identity);
    if (cursor.genesisHash === null) await this.ledger.identify(term, identity);
    if (tip.height < cursor.height) return this.wait(term, cursor, tip);
    if (tip.height > cursor.height) return this.scan(term, cursor, tip);
    return tip.hash === cursor.hash ? this.look(term, cursor, tip) : this.reorganise(term, cursor);
  }

  /** No address of ours existed before the first start, so there is nothing to look for in older blocks. */
  private async begin(term: Term, tip: BitcoinTip, identity: ChainIdentity): Promise<StepEnd> {
    // Its tip is years old: starting there would mean to scan what it still has to download.
    if (tip.isDownloading) return 'waiting';
    if (await this.ledger.anyAddress(this.network.family)) {
      this.logger.warn(
        `${this.network.id} is new here and is watched from block ${tip.height}; addresses of its family were ` +
          'issued earlier, and what they received on it before that block is not seen',
      );
    }
    await this.ledger.begin(term, tip, toTips(tip), identity, [NATIVE]);
    return 'more';
  }

  /** The node's tip is below our cursor: it lags if its tip is a block of ours, else the chain was reorganised. */
  private async wait(term: Term, cursor: Cursor, tip: BitcoinTip): Promise<StepEnd> {
    const [ours] = await this.ledger.storedBlocks(this.network.id, tip.height);
    if (ours?.height === tip.height && ours.hash !== tip.hash) return this.reorganise(term, cursor);
    await this.ledger.observeNode(term, tip.height);
    return 'waiting';
  }

  private async scan(term: Term, cursor: Cursor, tip: BitcoinTip): Promise<StepEnd> {
    const toHeight = Math.min(cursor.height + BLOCKS_AT_ONCE, tip.height);
    const blocks = await this.node.blocks(cursor.height + 1, toHeight);
    const last = blocks.at(-1);
    if (!last) throw new InconsistentNode('the node answered no blocks');
    if (blocks[0]?.parentHash !== cursor.hash) return this.reorganise(term, cursor);
    mustBeChained(blocks);
    const { transfers, spending } = await this.own.inBlocks(blocks);
    const outstanding = await this.spends.outstanding(this.network.id);
    const write = {
      network: this.network.id,
      family: this.network.family,
      spending,
      conflicts: conflictsIn(blocks, outstanding),
      confirmedHeight: last.height - this.bitcoin.confirmationDepth + 1,
    };
    const found = { to: last, blocks, transfers };
    // The mempool has yet to be read at this tip, so whatever waits there is still unseen.
    const synced = await this.commit(term, cursor, tip, found, false, (tx) =>
      this.spends.writeBlocks(tx, write),
    );
    if (synced !== null) this.counts.blocks += blocks.length;
    return 'more';
  }

  /** At the tip: what waits for a block, and what no longer does. */
  private async look(term: Term, cursor: Cursor, tip: BitcoinTip): Promise<StepEnd> {
    const isBlind = tip.isDownloading || !tip.isMempoolLoaded;
    const seen = isBlind ? null : await this.mempool.read(cursor);
    if (!isBlind && !seen) return 'more';
    const found = { to: tip, blocks: [], transfers: [] };
    const synced = await this.commit(term, cursor, tip, found, seen?.isComplete ?? false, seen?.write);
    if (synced === null) return 'more';
    seen?.remember();
    if (seen && !seen.isComplete) return 'more';
    return synced ? 'synced' : 'waiting';
  }

  /** @returns whether that counts as synced; `null` when another watcher moved the cursor and nothing was written */
  private async commit(
    term: Term,
    from: Cursor,
    tip: BitcoinTip,
    found: {
      readonly to: BlockPoint;
      readonly blocks: readonly BlockPoint[];
      readonly transfers: readonly FoundTransfer[];
    },
    isMempoolRead: boolean,
    alongside?: Alongside,
  ): Promise<boolean | null> {
    const { family } = this.network;
    const advanced = await this.ledger.advance(term, {
      ...{ family, from, tips: toTips(tip), assetKeys: [NATIVE] },
      ...found,
      maxTipAgeS: isMempoolRead ? stuckAfterS(this.network) : NEVER_FRESH_S,
      blindAfterMs: freshForMs(this.network),
      countedBlocks: countedBlocks(this.network),
      ...(alongside ? { alongside } : {}),
    });
    if (!advanced) return null;
    this.counts.transfers += found.transfers.length;
    return advanced.synced;
  }

  private async reorganise(term: Term, cursor: Cursor): Promise<StepEnd> {
    const rewound = await rewind(this.ledger, this.node, term, this.network.family, cursor);
    this.mempool.forget();
    if (!rewound) return 'more';
    this.counts.reorganisations += 1;
    this.logger.warn(
      `${this.network.id}: ${rewound.depthBlocks} blocks were reorganised, ${rewound.orphaned} transfers are missing now`,
    );
    return 'more';
  }
}

/** A node that knows more headers than blocks is behind: the difference is the lag, and it does not count as synced. */
function toTips({ height, headerHeight }: BitcoinTip): Tips {
  const finalHeight = Math.max(-1, height - FINAL_DEPTH);
  return {
    nodeHeight: Math.max(height, headerHeight),
    safeHeight: finalHeight,
    finalizedHeight: finalHeight,
  };
}

function mustBeChained(blocks: readonly BitcoinBlock[]): void {
  blocks.forEach((block, i) => {
    const parent = blocks[i - 1];
    if (parent && block.parentHash !== parent.hash) {
      throw new InconsistentNode(`block ${block.height} does not follow the block before it`);
    }
  });
}
