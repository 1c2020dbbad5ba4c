import type { BlockPoint } from '../data/ledger.types.js';
import { coinAtoms } from '../domain/coin-json.js';
import { InconsistentNode } from '../watching/node-failure.js';
import type {
  BitcoinBlock,
  BitcoinNode,
  BitcoinOutput,
  BitcoinTip,
  BitcoinTransaction,
  MempoolView,
} from './bitcoin-node.types.js';
import { RpcRefusal, type CoreRpc } from './core-rpc.js';
import type { RawBlock, RawChainInfo, RawHeader, RawMempoolInfo, RawTransaction } from './core-node.types.js';

/** Larger batches hold one of the node's few threads for long, smaller ones make a first look at a mempool slow. */
const BATCH_SIZE = 100;
const BLOCK_WITH_TRANSACTIONS = 2;
/** No such block, no such transaction. */
const NOT_FOUND: readonly number[] = [-5, -8];

/** A Bitcoin Core, or one of its forks, without a wallet and without an index. */
export class CoreNode implements BitcoinNode {
  private best: BlockPoint | null = null;

  constructor(private readonly rpc: CoreRpc) {}

  async tip(): Promise<BitcoinTip> {
    const [info, mempool, genesisHash] = (await this.all([
      { method: 'getblockchaininfo' },
      { method: 'getmempoolinfo' },
      { method: 'getblockhash', params: [0] },
    ])) as [RawChainInfo, RawMempoolInfo, string];
    if (this.best?.hash !== info.bestblockhash) this.best = await this.headerOf(info.bestblockhash);
    return {
      ...this.best,
      chain: info.chain,
      genesisHash,
      headerHeight: info.headers,
      isDownloading: info.initialblockdownload,
      // Older nodes do not say, and answer nothing at all until they have loaded it.
      isMempoolLoaded: mempool.loaded ?? true,
    };
  }

  async header(height: number): Promise<BlockPoint | null> {
    const [hash] = await this.rpc.batch([{ method: 'getblockhash', params: [height] }]);
    if (hash instanceof RpcRefusal && NOT_FOUND.includes(hash.code)) return null;
    if (typeof hash !== 'string') throw hash;
    return this.headerOf(hash);
  }

  async blocks(fromHeight: number, toHeight: number): Promise<BitcoinBlock[]> {
    const heights = Array.from({ length: toHeight - fromHeight + 1 }, (_, i) => fromHeight + i);
    const hashes = await this.all(heights.map((height) => ({ method: 'getblockhash', params: [height] })));
    const blocks: BitcoinBlock[] = [];
    // One at a time: each may be 10 MB of JSON, of which little is kept.
    for (const hash of hashes) {
      blocks.push(toBlock(await this.rpc.call<RawBlock>('getblock', hash, BLOCK_WITH_TRANSACTIONS)));
    }
    return blocks;
  }

  /** The tip is asked for after the list: a block that came in between shows, and the list is not used. */
  async mempool(): Promise<MempoolView> {
    const [txids, tipHash] = (await this.all([
      { method: 'getrawmempool' },
      { method: 'getbestblockhash' },
    ])) as [string[], string];
    return { txids, tipHash };
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
        const raw = answer as RawTransaction;
        // With an index of transactions the node also finds those that were mined meanwhile.
        if (raw.blockhash === undefined) found.push(toTransaction(raw));
      }
    }
    return found;
  }

  private async headerOf(hash: string): Promise<BlockPoint> {
    const { height, time } = await this.rpc.call<RawHeader>('getblockheader', hash);
    return { height, hash, time: new Date(time * 1_000) };
  }

  private async all(calls: Parameters<CoreRpc['batch']>[0]): Promise<unknown[]> {
    const answers = await this.rpc.batch(calls);
    const refused = answers.find((answer) => answer instanceof RpcRefusal);
    if (refused) throw refused;
    return answers;
  }
}

function toBlock(raw: RawBlock): BitcoinBlock {
  return {
    height: raw.height,
    hash: raw.hash,
    parentHash: raw.previousblockhash ?? '',
    time: new Date(raw.time * 1_000),
    transactions: raw.tx.map(toTransaction),
  };
}

/** Litecoin's extension block has inputs and outputs without an outpoint, a script or an amount: none of them is ours. */
function toTransaction({ txid, vin, vout }: RawTransaction): BitcoinTransaction {
  return {
    txid,
    isCoinbase: vin.some(({ coinbase }) => coinbase !== undefined),
    spends: vin.flatMap((input) => (input.txid === undefined ? [] : [`${input.txid}:${input.vout}`])),
    inputKeys: vin.flatMap(({ txinwitness }) => keyOf(txinwitness ?? [])),
    outputs: vout.flatMap(({ n, value, scriptPubKey }): BitcoinOutput[] => {
      const script = scriptPubKey?.hex;
      if (n === undefined || value === undefined || !script?.startsWith('0014')) return [];
      const amountAtoms = coinAtoms(value);
      if (amountAtoms === null) throw new InconsistentNode(`output ${n} of ${txid} has no exact amount`);
      return [{ index: n, script, amountAtoms }];
    }),
  };
}

/** A P2WPKH input is unlocked by a signature and a compressed public key. */
function keyOf([, key = '', ...more]: readonly string[]): string[] {
  return more.length === 0 && /^0[23][0-9a-f]{64}$/.test(key) ? [key] : [];
}
