import { createHash } from 'node:crypto';
import { bech32 } from '@scure/base';
import type {
  BitcoinBlock,
  BitcoinTip,
  BitcoinTransaction,
  MempoolView,
  SearchedBitcoinNode,
  SentAt,
  SoughtOnBitcoin,
} from '../../../src/modules/chains/bitcoin/bitcoin-node.types.js';
import { RpcRefusal } from '../../../src/modules/chains/bitcoin/core-rpc.js';
import type { BlockPoint } from '../../../src/modules/chains/data/ledger.types.js';
import type { ChainBlock } from '../../../src/modules/chains/watching/must-be-chained.js';

export interface CoinPayment {
  readonly address: string;
  readonly atoms: bigint;
}

export interface CoinTransaction {
  readonly txid: string;
  readonly spends: readonly string[];
  readonly pays: readonly CoinPayment[];
  readonly inputKeys: readonly string[];
}

export interface CoinBlock {
  readonly height: number;
  readonly hash: string;
  readonly parentHash: string;
  readonly timeMs: number;
  readonly transactions: readonly CoinTransaction[];
}

/** Every chain of this kind begins with it, and a watcher refuses any other. */
const REGTEST_GENESIS = '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206';

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Bitcoin as a node tells it, without one: a best chain, a mempool in which a later spend replaces the earlier. */
export class ScriptedBitcoin implements SearchedBitcoinNode {
  chain: CoinBlock[] = [];
  readonly pool = new Map<string, CoinTransaction>();
  /** A node that has just started does not know yet what waits. */
  isMempoolLoaded = true;
  /** Blocks below it are kept no more. */
  prunedBelow = 0;
  private mined = 0;

  constructor(startMs: number) {
    for (let i = 0; i < 3; i += 1) this.mine([], startMs);
  }

  /** @returns whether nodes relay it: what a block has spent cannot be spent again */
  broadcast(transaction: CoinTransaction): boolean {
    if (this.isMined(transaction.txid) || this.pool.has(transaction.txid)) return false;
    if (!this.isSpendable(transaction)) return false;
    this.evict(transaction);
    this.pool.set(transaction.txid, transaction);
    return true;
  }

  forget(txid: string): void {
    const transaction = this.pool.get(txid);
    if (!transaction) return;
    this.pool.delete(txid);
    this.dropOrphans();
  }

  /** Only what the chain allows: a block with two spends of one coin would be refused by every node. */
  mine(transactions: readonly CoinTransaction[], timeMs: number): void {
    const tip = this.chain.at(-1);
    const height = this.chain.length;
    const taken: CoinTransaction[] = [];
    const block = {
      height,
      hash: height === 0 ? REGTEST_GENESIS : hashOf(`block ${(this.mined += 1)}`),
      parentHash: tip?.hash ?? '',
      timeMs: timeMs - (timeMs % 1000),
      transactions: taken,
    };
    this.chain.push(block);
    for (const transaction of transactions) {
      if (!this.isMined(transaction.txid) && this.isSpendable(transaction, true)) taken.push(transaction);
    }
    for (const transaction of taken) {
      this.pool.delete(transaction.txid);
      this.evict(transaction);
    }
  }

  /** What the blocks held waits again, as far as the new ones leave it valid. */
  disconnect(depth: number): CoinTransaction[] {
    const gone = this.chain.splice(this.chain.length - depth);
    const back = gone.flatMap(({ transactions }) => transactions);
    for (const transaction of back) this.broadcast(transaction);
    this.dropOrphans();
    return back;
  }

  blockOf(txid: string): CoinBlock | null {
    return this.chain.find(({ transactions }) => transactions.some((tx) => tx.txid === txid)) ?? null;
  }

  isMined(txid: string): boolean {
    return this.blockOf(txid) !== null;
  }

  get height(): number {
    return this.chain.length - 1;
  }

  private isSpendable({ spends }: CoinTransaction, inBlock = false): boolean {
    return spends.every((outpoint) => {
      const [parent] = outpoint.split(':');
      const isSpent = this.chain.some((b) => b.transactions.some((tx) => tx.spends.includes(outpoint)));
      const exists =
        parent?.startsWith('coin') || this.isMined(parent!) || (!inBlock && this.pool.has(parent!));
      return !isSpent && exists;
    });
  }

  private evict({ txid, spends }: CoinTransaction): void {
    for (const other of [...this.pool.values()]) {
      if (other.txid !== txid && other.spends.some((outpoint) => spends.includes(outpoint))) {
        this.pool.delete(other.txid);
      }
    }
    this.dropOrphans();
  }

  private dropOrphans(): void {
    for (const transaction of [...this.pool.values()]) {
      if (this.isSpendable(transaction)) continue;
      this.pool.delete(transaction.txid);
      this.dropOrphans();
      return;
    }
  }

  tip(): Promise<BitcoinTip> {
    const { isMempoolLoaded } = this;
    const tip = pointOf(this.chain.at(-1)!);
    const answer = { ...tip, chain: 'regtest', headerHeight: tip.height, isDownloading: false };
    const genesisHash = this.chain[0]!.hash;
    return Promise.resolve({ ...answer, genesisHash, ownsPrefix: true, isMempoolLoaded });
  }

  header(height: number): Promise<ChainBlock | null> {
    const block = this.chain[height];
    return Promise.resolve(block ? { ...pointOf(block), parentHash: block.parentHash } : null);
  }

  blocks(fromHeight: number, toHeight: number): Promise<BitcoinBlock[]> {
    return Promise.resolve(
      this.chain.slice(fromHeight, toHeight + 1).map((block) => ({
        ...pointOf(block),
        parentHash: block.parentHash,
        transactions: block.transactions.map(toTransaction),
      })),
    );
  }

  sentAt(height: number, sought: readonly SoughtOnBitcoin[]): Promise<SentAt> {
    const block = this.chain[height];
    if (!block) return Promise.reject(new Error(`no block ${height}`));
    if (height < this.prunedBelow)
      return Promise.reject(new RpcRefusal('getblock', -1, 'Block not available (pruned data)'));
    const { hash, parentHash, transactions } = block;
    const found = sought.map((one) =>
      transactions.flatMap(({ txid, pays }) =>
        pays.flatMap(({ address, atoms }, n) =>
          address === one.to && atoms === one.atoms ? [{ txid, output: `out:${n}`, height, hash }] : [],
        ),
      ),
    );
    return Promise.resolve({ hash, parentHash, found });
  }

  mempool(): Promise<MempoolView> {
    return Promise.resolve({ txids: [...this.pool.keys()], tipHash: this.chain.at(-1)!.hash });
  }

  waiting(txids: readonly string[]): Promise<BitcoinTransaction[]> {
    const found = txids.flatMap((txid) => this.pool.get(txid) ?? []);
    return Promise.resolve(found.map(toTransaction));
  }
}

function pointOf({ height, hash, timeMs }: CoinBlock): BlockPoint {
  return { height, hash, time: new Date(timeMs) };
}

function toTransaction({ txid, spends, inputKeys, pays }: CoinTransaction): BitcoinTransaction {
  const outputs = pays.map(({ address, atoms }, index) => {
    const { words } = bech32.decode(address as `${string}1${string}`);
    const script = `0014${Buffer.from(bech32.fromWords(words.slice(1))).toString('hex')}`;
    return { index, script, amountAtoms: atoms };
  });
  const transaction = { txid, isCoinbase: false, spends, inputKeys, outputs };
  return transaction;
}
