import { setImmediate as aMoment } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { MAX_LAG_BLOCKS } from '../domain/network-state.js';
import { InconsistentNode } from '../node.errors.js';
import { CrossCheckOf } from '../watching/cross-check.js';
import type { ChainBlock } from '../watching/must-be-chained.js';
import type {
  BitcoinBlock,
  BitcoinTip,
  BitcoinTransaction,
  MempoolView,
  SearchedBitcoinNode,
  SentAt,
  SoughtOnBitcoin,
} from './bitcoin-node.types.js';

/**
 * Two nodes as one (ADR 18). Nothing here ties what a node says of a block to the block's hash, so both must say the same of
 * all of it. The mempool is the first node's alone: what waits there is never more than pending.
 */
export class CheckedBitcoinNode extends CrossCheckOf<SearchedBitcoinNode> implements SearchedBitcoinNode {
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

  async blocks(fromHeight: number, toHeight: number): Promise<BitcoinBlock[]> {
    const [first, second] = await this.both((node) => node.blocks(fromHeight, toHeight));
    for (const [i, block] of first.entries()) {
      this.mustAgree(`what is in block ${block.height}`, isDeepStrictEqual(block, second[i]));
      await aMoment(); // others' requests are answered between two large blocks
    }
    this.mustAgree(`blocks ${fromHeight} to ${toHeight}`, first.length === second.length);
    return first;
  }

  async sentAt(height: number, sought: readonly SoughtOnBitcoin[]): Promise<SentAt> {
    const [first, second] = await this.both((node) => node.sentAt(height, sought));
    this.mustAgree(`what block ${height} pays`, isDeepStrictEqual(first, second));
    return first;
  }

  mempool(): Promise<MempoolView> {
    return this.first.mempool();
  }

  waiting(txids: readonly string[]): Promise<BitcoinTransaction[]> {
    return this.first.waiting(txids);
  }
}
