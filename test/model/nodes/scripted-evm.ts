import type { Hex } from 'viem';
import type {
  EvmBlock,
  EvmHeader,
  EvmLog,
  EvmNode,
  EvmReceipt,
  EvmTips,
  InternalCall,
  LogRange,
  MinedTransaction,
} from '../../../src/modules/chains/evm/node/evm-node.types.js';
import { TRANSFER_TOPIC } from '../../../src/modules/chains/evm/node/transfer-topic.js';
import { hashOf } from './scripted-bitcoin.js';

export interface TokenMovement {
  readonly contract: string;
  readonly from: string;
  readonly to: string;
  readonly atoms: bigint;
}

/** Coin that a contract pays on inside a transaction. */
export interface InsidePayment {
  readonly path: string;
  readonly to: string;
  readonly atoms: bigint;
}

export interface EvmPayment {
  readonly txid: string;
  readonly sender: string;
  readonly nonce: number;
  readonly to: string;
  readonly valueAtoms: bigint;
  readonly succeeded: boolean;
  readonly logs: readonly TokenMovement[];
  readonly inside?: readonly InsidePayment[];
}

export interface ScriptedBlock {
  readonly height: number;
  readonly hash: string;
  readonly parentHash: string;
  readonly timeMs: number;
  readonly transactions: readonly EvmPayment[];
}

/** Blocks from the tip to the last one that nobody takes back. */
export const FINALITY_LAG = 8;
const SAFE_LAG = 4;
/** May hold anything: the logs are asked for. */
const FULL_BLOOM: Hex = `0x${'ff'.repeat(256)}`;

/** An EVM chain as a node tells it, without one. */
export class ScriptedEvm implements EvmNode {
  chain: ScriptedBlock[] = [];
  private mined = 0;

  constructor(
    readonly id: number,
    startMs: number,
  ) {
    for (let i = 0; i < 3; i += 1) this.mine([], startMs);
  }

  mine(transactions: readonly EvmPayment[], timeMs: number): void {
    const parentHash = this.chain.at(-1)?.hash ?? `0x${'0'.repeat(64)}`;
    const hash = `0x${hashOf(`evm ${(this.mined += 1)}`)}`;
    const height = this.chain.length;
    this.chain.push({ height, hash, parentHash, timeMs: timeMs - (timeMs % 1000), transactions });
  }

  disconnect(depth: number): EvmPayment[] {
    return this.chain.splice(this.chain.length - depth).flatMap(({ transactions }) => transactions);
  }

  blockOf(txid: string): ScriptedBlock | null {
    return this.chain.find(({ transactions }) => transactions.some((tx) => tx.txid === txid)) ?? null;
  }

  get height(): number {
    return this.chain.length - 1;
  }

  get finalizedHeight(): number {
    return Math.max(0, this.height - FINALITY_LAG);
  }

  nonceOf(sender: string, upTo = this.height): number {
    const sent = this.chain.slice(0, upTo + 1).flatMap(({ transactions }) => transactions);
    return sent.filter((tx) => tx.sender === sender).length;
  }

  /** Of the network's coin, at the tip. */
  balanceOf(address: string): bigint {
    return this.balanceAt(address, this.height);
  }

  chainId(): Promise<number> {
    return Promise.resolve(this.id);
  }

  identity(): Promise<{ chainId: number; genesisHash: string }> {
    return Promise.resolve({ chainId: this.id, genesisHash: this.chain[0]!.hash });
  }

  tips(): Promise<EvmTips> {
    const latest = headerOf(this.chain.at(-1)!);
    const safeHeight = Math.max(0, this.height - SAFE_LAG);
    const { finalizedHeight } = this;
    const block = (tag: string, height: number) => ({ tag, height, hash: this.chain[height]!.hash });
    const tagged = [block('safe', safeHeight), block('finalized', finalizedHeight)];
    const tips = {
      chainId: this.id,
      latest,
      safeHeight,
      finalizedHeight,
      isTimed: false,
      tagged,
      knownTags: [],
    };
    return Promise.resolve(tips);
  }

  header(height: number): Promise<EvmHeader | null> {
    const block = this.chain[height];
    return Promise.resolve(block ? headerOf(block) : null);
  }

  hasBlock(height: number): Promise<boolean> {
    return Promise.resolve(this.chain[height] !== undefined);
  }

  blocks(fromHeight: number, toHeight: number): Promise<EvmBlock[]> {
    return Promise.resolve(this.chain.slice(fromHeight, toHeight + 1).map(toBlock));
  }

  transferLogs(contracts: readonly string[], range: LogRange): Promise<EvmLog[]> {
    const within = this.chain.filter((block) =>
      'blockHash' in range
        ? block.hash === range.blockHash
        : block.height >= range.fromHeight && block.height <= range.toHeight,
    );
    return Promise.resolve(within.flatMap(logsOf).filter(({ contract }) => contracts.includes(contract)));
  }

  collectedLogs(): Promise<EvmLog[]> {
    return Promise.resolve([]);
  }

  receipts(of: readonly MinedTransaction[]): Promise<EvmReceipt[]> {
    return Promise.resolve(of.map(({ txid }) => this.receiptOf(txid)));
  }

  blockReceipts(block: EvmBlock): Promise<EvmReceipt[] | null> {
    return Promise.resolve(block.transactions.map(({ txid }) => this.receiptOf(txid)));
  }

  /** Whatever is configured. */
  decimals(): Promise<null> {
    return Promise.resolve(null);
  }

  balances(addresses: readonly string[], blockHash: string): Promise<bigint[] | null> {
    const at = this.chain.findIndex(({ hash }) => hash === blockHash);
    if (at < 0) return Promise.resolve(null);
    return Promise.resolve(addresses.map((address) => this.balanceAt(address, at)));
  }

  private balanceAt(address: string, height: number): bigint {
    const done = this.chain.slice(0, height + 1).flatMap(({ transactions }) => transactions);
    const of = (own: readonly EvmPayment[]) => own.reduce((sum, { valueAtoms }) => sum + valueAtoms, 0n);
    const valid = done.filter(({ succeeded }) => succeeded);
    const inside = valid.flatMap((tx) => tx.inside ?? []).filter(({ to }) => to === address);
    return (
      of(valid.filter(({ to }) => to === address)) -
      of(valid.filter(({ sender }) => sender === address)) +
      inside.reduce((sum, { atoms }) => sum + atoms, 0n)
    );
  }

  internalCalls(block: EvmBlock): Promise<InternalCall[] | null> {
    const own = this.chain.find(({ hash }) => hash === block.hash)?.transactions;
    if (!own) return Promise.resolve(null);
    const calls = own.flatMap(({ txid, to: contract, succeeded, inside = [] }) =>
      inside
        .filter(({ atoms }) => succeeded && atoms > 0n)
        .map(({ path, to, atoms }) => ({ txid, path, payers: [contract], to, valueAtoms: atoms })),
    );
    return Promise.resolve(calls);
  }

  isMined(txid: string): Promise<boolean> {
    return Promise.resolve(this.blockOf(txid) !== null);
  }

  /** What waits is in no block, and none is asked for here. */
  accountOf(): Promise<null> {
    return Promise.resolve(null);
  }

  noncesUsed(sender: string, blockHash: string): Promise<number | null> {
    const at = this.chain.findIndex(({ hash }) => hash === blockHash);
    return Promise.resolve(at < 0 ? null : this.nonceOf(sender, at));
  }

  private receiptOf(txid: string): EvmReceipt {
    const block = this.blockOf(txid);
    const transaction = block?.transactions.find((tx) => tx.txid === txid);
    if (!block || !transaction) throw new Error(`no receipt of ${txid}`);
    const logs = logsOf(block).filter((log) => log.txid === txid);
    const receipt = { txid, blockHash: block.hash, succeeded: transaction.succeeded, feeAtoms: 0n, logs };
    return receipt;
  }
}

function headerOf({ height, hash, parentHash, timeMs }: ScriptedBlock): EvmHeader {
  return { height, hash, parentHash, time: new Date(timeMs) };
}

function toBlock(block: ScriptedBlock): EvmBlock {
  const transactions = block.transactions.map(({ txid, sender, nonce, to, valueAtoms }) => ({
    txid,
    sender,
    nonce,
    to,
    valueAtoms,
  }));
  return { ...headerOf(block), logsBloom: FULL_BLOOM, transactions, listed: transactions };
}

function logsOf(block: ScriptedBlock): EvmLog[] {
  const topic = (address: string): Hex => `0x${address.slice(2).padStart(64, '0')}`;
  const emitted = block.transactions.flatMap((tx) =>
    tx.succeeded ? tx.logs.map((log) => ({ tx, log })) : [],
  );
  return emitted.map(({ tx, log }, index) => ({
    contract: log.contract,
    topics: [TRANSFER_TOPIC, topic(log.from), topic(log.to)],
    data: `0x${log.atoms.toString(16).padStart(64, '0')}`,
    txid: tx.txid,
    blockHash: block.hash,
    index,
  }));
}
