import { anyAddress } from '../domain/addresses/segwit-address.js';
import { NodeWithoutPeers } from '../node.errors.js';
import type { ChainBlock } from '../watching/must-be-chained.js';
import { blockAt, nodeAnswer } from '../watching/node-answer.js';
import type {
  BitcoinBlock,
  BitcoinTip,
  BitcoinTransaction,
  MempoolView,
  SearchedBitcoinNode,
  SentAt,
  SoughtOnBitcoin,
} from './bitcoin-node.types.js';
import {
  coreBlock,
  coreChainInfo,
  coreConnections,
  coreHash,
  coreHeader,
  coreMempoolInfo,
  coreTransaction,
  coreTxids,
  coreValidity,
  toBitcoinBlock,
  toTransaction,
} from './core-answers.js';
import { type CoreRpc, NotAllowed, RpcRefusal } from './core-rpc.js';
import { sentAt } from './sought-payments.js';

/** Larger batches hold one of the node's few threads for long, smaller ones make a first look at a mempool slow. */
const BATCH_SIZE = 100;
const BLOCK_WITH_TRANSACTIONS = 2;
/** No such block, no such transaction. */
const NOT_FOUND: readonly number[] = [-5, -8];

/** A Bitcoin Core, or one of its forks, without a wallet and without an index. */
export class CoreNode implements SearchedBitcoinNode {
  constructor(
    private readonly rpc: CoreRpc,
    private readonly options: { readonly needsPeers: boolean } = { needsPeers: false },
  ) {}

  /** @throws NodeWithoutPeers */
  async tip(prefix: string): Promise<BitcoinTip> {
    const [answers] = await Promise.all([
      this.all([
        { method: 'getblockchaininfo' },
        { method: 'getmempoolinfo' },
        { method: 'getblockhash', params: [0] },
        { method: 'validateaddress', params: [anyAddress(prefix)] },
      ]),
      this.options.needsPeers ? this.mustHavePeers() : null,
    ]);
    const info = await nodeAnswer(coreChainInfo, 'getblockchaininfo', answers[0]);
    const mempool = await nodeAnswer(coreMempoolInfo, 'getmempoolinfo', answers[1]);
    const genesisHash = await nodeAnswer(coreHash, 'getblockhash', answers[2]);
    const { isvalid: ownsPrefix } = await nodeAnswer(coreValidity, 'validateaddress', answers[3]);
    // At each look, though it seldom changes: a wrong answer that was kept would stand until the next block.
    const best = blockAt(info.blocks, await this.headerOf(info.bestblockhash));
    return {
      ...best,
      chain: info.chain,
      genesisHash,
      ownsPrefix,
      headerHeight: info.headers,
      isDownloading: info.initialblockdownload,
      // Older nodes do not say, and answer nothing at all until they have loaded it.
      isMempoolLoaded: mempool.loaded ?? true,
    };
  }

  async header(height: number): Promise<ChainBlock | null> {
    const [hash] = await this.rpc.batch([{ method: 'getblockhash', params: [height] }]);
    if (hash instanceof RpcRefusal && NOT_FOUND.includes(hash.code)) return null;
    if (hash instanceof RpcRefusal) throw hash;
    return blockAt(height, await this.headerOf(await nodeAnswer(coreHash, 'getblockhash', hash)));
  }

  async blocks(fromHeight: number, toHeight: number): Promise<BitcoinBlock[]> {
    const heights = Array.from({ length: toHeight - fromHeight + 1 }, (_, i) => fromHeight + i);
    const hashes = await this.all(heights.map((height) => ({ method: 'getblockhash', params: [height] })));
    const blocks: BitcoinBlock[] = [];
    // One at a time: each may be 10 MB of JSON, of which little is kept.
    for (const [i, hash] of hashes.entries()) {
      const asked = await nodeAnswer(coreHash, 'getblockhash', hash);
      const answer = await this.rpc.call('getblock', asked, BLOCK_WITH_TRANSACTIONS);
      blocks.push(blockAt(fromHeight + i, toBitcoinBlock(await nodeAnswer(coreBlock, 'getblock', answer))));
    }
    return blocks;
  }

  sentAt(height: number, sought: readonly SoughtOnBitcoin[]): Promise<SentAt> {
    return sentAt(this.rpc, height, sought);
  }

  /** The tip is asked for after the list: a block that came in between shows, and the list is not used. */
  async mempool(): Promise<MempoolView> {
    const [txids, tipHash] = await this.all([{ method: 'getrawmempool' }, { method: 'getbestblockhash' }]);
    return {
      txids: await nodeAnswer(coreTxids, 'getrawmempool', txids),
      tipHash: await nodeAnswer(coreHash, 'getbestblockhash', tipHash),
    };
  }

  async waiting(txids: readonly string[]): Promise<BitcoinTransaction[]> {
    const found: BitcoinTransaction[] = [];
    for (let at = 0; at < txids.length; at += BATCH_SIZE) {
      const part = txids.slice(at, at + BATCH_SIZE);
      const answers = await this.rpc.batch(
        part.map((txid) => ({ method: 'getrawtransaction', params: [txid, true] })),
      );
      for (const answer of answers) {
        if (answer instanceof RpcRefusal && NOT_FOUND.includes(answer.code)) continue;
        if (answer instanceof Error) throw answer;
        const raw = await nodeAnswer(coreTransaction, 'getrawtransaction', answer);
        // With an index of transactions the node also finds those that were mined meanwhile.
        if (raw.blockhash === undefined) found.push(toTransaction(raw));
      }
    }
    return found;
  }

  /** In a request of its own: a node that does not allow one method answers nothing of what is asked beside it. */
  private async mustHavePeers(): Promise<void> {
    const [count] = await this.rpc.batch([{ method: 'getconnectioncount' }]).catch((error: unknown) => {
      if (error instanceof NotAllowed) return [error];
      throw error;
    });
    if (count instanceof RpcRefusal || count instanceof NotAllowed) return;
    if ((await nodeAnswer(coreConnections, 'getconnectioncount', count)) === 0) throw new NodeWithoutPeers();
  }

  private async headerOf(hash: string): Promise<ChainBlock> {
    const { height, time, previousblockhash } = await nodeAnswer(
      coreHeader,
      'getblockheader',
      await this.rpc.call('getblockheader', hash),
    );
    return { height, hash, time: new Date(time * 1_000), parentHash: previousblockhash ?? '' };
  }

  private async all(calls: Parameters<CoreRpc['batch']>[0]): Promise<unknown[]> {
    const answers = await this.rpc.batch(calls);
    const refused = answers.find((answer) => answer instanceof RpcRefusal);
    if (refused) throw refused;
    return answers;
  }
}
