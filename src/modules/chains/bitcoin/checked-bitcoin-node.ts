import { MAX_LAG_BLOCKS } from '../domain/network-state.js';
import { CrossCheckOf } from '../watching/cross-check.js';
import { InconsistentNode } from '../node.errors.js';
import type { ChainBlock } from '../watching/must-be-chained.js';
import type {
  BitcoinBlock,
  BitcoinNode,
  BitcoinTip,
  BitcoinTransaction,
  MempoolView,
} from './bitcoin-node.types.js';

/**
 * Two nodes as one, compared by the hashes of their blocks (ADR 18): a full node has checked that a block's contents
 * are those of its hash. The mempool is the first node's alone: what waits there is never more than pending.
 */
export class CheckedBitcoinNode extends CrossCheckOf<BitcoinNode> implements BitcoinNode {
  async tip(prefix: string): Promise<BitcoinTip> {
    const [first, second] = await this.both((node) => node.tip(prefix));
    const isOneChain = first.chain === second.chain && first.genesisHash === second.genesisHash;
    this.mustAgree('their chain', isOneChain && first.ownsPrefix === second.ownsPrefix);
    const isBehind = first.height < second.height;
    const low = isBehind ? first : second;
    const ahead = isBehind ? this.second : this.first;
    const other = first.hash === second.hash ? low : await ahead.header(low.height);
    if (!other) throw new InconsistentNode(`a node has no block ${low.height}, below its tip`);
    this.mustAgree(`block ${low.height}`, other.hash === low.hash);
    this.verdict = first.height - second.height > MAX_LAG_BLOCKS ? 'silent' : 'agrees';
    return {
      ...low,
      isDownloading: first.isDownloading || second.isDownloading,
      // Its mempool is of the first node's tip: above the common one it does not tell what has left it.
      isMempoolLoaded: first.isMempoolLoaded && first.height === low.height,
    };
  }

  async header(height: number): Promise<ChainBlock | null> {
    const [first, second] = await this.both((node) => node.header(height));
    if (!first || !second) return null;
    this.mustAgree(`block ${height}`, first.hash === second.hash);
    return first;
  }

  /** The last one's hash stands for all of them: each names the one before. */
  async blocks(fromHeight: number, toHeight: number): Promise<BitcoinBlock[]> {
    const [blocks, agreed] = [await this.first.blocks(fromHeight, toHeight), await this.header(toHeight)];
    this.mustAgree(`block ${toHeight}`, agreed !== null && agreed.hash === blocks.at(-1)?.hash);
    return blocks;
  }

  mempool(): Promise<MempoolView> {
    return this.first.mempool();
  }

  waiting(txids: readonly string[]): Promise<BitcoinTransaction[]> {
    return this.first.waiting(txids);
  }
}
