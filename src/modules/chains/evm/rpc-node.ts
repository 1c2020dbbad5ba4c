import {
  createPublicClient,
  hexToNumber,
  http,
  HttpRequestError,
  numberToHex,
  type Hex,
  type RpcBlock,
} from 'viem';
import type { PublicClient, RpcLog, RpcTransactionReceipt } from 'viem';
import type {
  EvmBlock,
  EvmHeader,
  EvmLog,
  EvmNode,
  EvmReceipt,
  EvmTips,
  InternalCall,
  LogRange,
} from './evm-node.types.js';
import { balanceCall, balancesOf, MOST_BALANCES_PER_CALL } from './balance-call.js';
import { callsOf, callsOfTraces, type CallFrame, type FlatTrace } from './internal-calls.js';
import { InconsistentNode, rpcErrorCode } from '../watching/node-failure.js';
import { TRANSFER_TOPIC } from './transfer-topic.js';

const TIMEOUT_MS = 10_000;
const RETRIES = 1;
const RETRY_DELAY_MS = 100;
/** Larger batches are refused by some providers, smaller ones make catching up slow. */
const BATCH_SIZE = 20;
/** Twenty full blocks of a busy chain; viem's own limit of 10 MiB holds only a few. */
const MAX_RESPONSE_BYTES = 128 * 1_048_576;

/**
 * A node over JSON-RPC (HTTP): no web sockets, whose subscriptions lose events when they reconnect. Answers are
 * taken raw and narrowed here, because viem's formatting of whole blocks costs more than the scan.
 */
export class RpcNode implements EvmNode {
  private client: PublicClient;
  private batched = true;

  constructor(private readonly url: string) {
    this.client = connect(url, true);
  }

  async chainId(): Promise<number> {
    return hexToNumber(await this.ask(() => this.client.request({ method: 'eth_chainId' })));
  }

  async tips(): Promise<EvmTips> {
    const [latest, safe, finalized] = await Promise.all([
      this.ask(() => this.block('latest')),
      this.tagged('safe'),
      this.tagged('finalized'),
    ]);
    if (!latest) throw new InconsistentNode('the node has no latest block');
    return { latest: toHeader(latest), safeHeight: safe, finalizedHeight: finalized };
  }

  async header(height: number): Promise<EvmHeader | null> {
    const block = await this.ask(() => this.block(numberToHex(height)));
    return block ? toHeader(block) : null;
  }

  async blocks(fromHeight: number, toHeight: number): Promise<EvmBlock[]> {
    const heights = Array.from({ length: toHeight - fromHeight + 1 }, (_, i) => fromHeight + i);
    return Promise.all(
      heights.map(async (height) => {
        const params: [Hex, true] = [numberToHex(height), true];
        const block = await this.ask(() => this.client.request({ method: 'eth_getBlockByNumber', params }));
        if (!block?.hash || hexToNumber(block.number ?? '0x') !== height) {
          throw new InconsistentNode(`the node has no block ${height}, below the tip that it announced`);
        }
        // Asked for with its transactions, so they are no bare hashes: viem's type cannot know.
        return toBlock(block as RpcBlock<'latest', true>);
      }),
    );
  }

  async transferLogs(contracts: readonly string[], range: LogRange): Promise<EvmLog[]> {
    const filter = { address: contracts as Hex[], topics: [TRANSFER_TOPIC] };
    const where =
      'blockHash' in range
        ? { blockHash: range.blockHash as Hex }
        : { fromBlock: numberToHex(range.fromHeight), toBlock: numberToHex(range.toHeight) };
    // Not retried: asking for too much is answered by asking for less.
    const logs = await this.ask(() =>
      this.client.request({ method: 'eth_getLogs', params: [{ ...filter, ...where }] }, { retryCount: 0 }),
    );
    return logs.filter((log) => !log.removed).map(toLog);
  }

  async receipts(txids: readonly string[]): Promise<EvmReceipt[]> {
    return Promise.all(
      txids.map(async (txid) => {
        const params: [Hex] = [txid as Hex];
        const receipt = await this.ask(() =>
          this.client.request({ method: 'eth_getTransactionReceipt', params }),
        );
        if (!receipt) throw new InconsistentNode(`the node has no receipt of ${txid}, which is in a block`);
        return toReceipt(receipt);
      }),
    );
  }

  async blockReceipts({ hash, transactions }: EvmBlock): Promise<EvmReceipt[] | null> {
    const params: [Hex] = [hash as Hex];
    const receipts = await this.unlessRefused(() =>
      this.client.request({ method: 'eth_getBlockReceipts', params }),
    );
    if (receipts === null) return null;
    const read = receipts.map(toReceipt);
    const has = new Set(read.filter(({ blockHash }) => blockHash === hash).map(({ txid }) => txid));
    return transactions.every(({ txid }) => has.has(txid)) ? read : null;
  }

  async balances(addresses: readonly string[], blockHash: string): Promise<bigint[] | null> {
    const parts: (readonly string[])[] = [];
    for (let at = 0; at < addresses.length; at += MOST_BALANCES_PER_CALL) {
      parts.push(addresses.slice(at, at + MOST_BALANCES_PER_CALL));
    }
    const answers = await Promise.all(
      parts.map(async (part) => {
        const params: [{ data: Hex }, { blockHash: Hex }] = [
          { data: balanceCall(part) },
          { blockHash: blockHash as Hex },
        ];
        const answer = await this.unlessRefused(() => this.client.request({ method: 'eth_call', params }));
        return answer && balancesOf(answer, part.length);
      }),
    );
    return answers.every((answer) => answer !== null) ? answers.flat() : null;
  }

  /** geth and its kin have the one method, OpenEthereum's and Erigon's have the other. */
  async internalCalls({ hash, height, transactions }: EvmBlock): Promise<InternalCall[] | null> {
    const tracer = { tracer: 'callTracer' };
    const trees = await this.unlessRefused(() =>
      this.raw<({ result?: CallFrame } | null)[]>('debug_traceBlockByHash', [hash, tracer]),
    );
    if (trees?.length === transactions.length && trees.every((tree) => tree?.result)) {
      return trees.flatMap((tree, i) => callsOf(transactions[i]!.txid, tree!.result!));
    }
    const traces = await this.unlessRefused(() =>
      this.raw<FlatTrace[] | null>('trace_block', [numberToHex(height)]),
    );
    return traces?.every(({ blockHash }) => blockHash === hash) ? callsOfTraces(traces) : null;
  }

  async isMined(txid: string): Promise<boolean> {
    const params: [Hex] = [txid as Hex];
    const receipt = await this.ask(() =>
      this.client.request({ method: 'eth_getTransactionReceipt', params }),
    );
    return receipt !== null;
  }

  async noncesUsed(sender: string, blockHash: string): Promise<number | null> {
    const at = { blockHash: blockHash as Hex, requireCanonical: true };
    const params: [Hex, typeof at] = [sender as Hex, at];
    const count = await this.unlessRefused(() =>
      this.client.request({ method: 'eth_getTransactionCount', params }),
    );
    return count === null ? null : hexToNumber(count);
  }

  /** For methods that viem has no types of. */
  private raw<T>(method: string, params: readonly unknown[]): Promise<T> {
    return this.client.request<{ Method: string; Parameters: readonly unknown[]; ReturnType: T }>({
      method,
      params,
    });
  }

  private block(which: Hex | 'latest' | 'safe' | 'finalized'): Promise<RpcBlock | null> {
    return this.client.request({ method: 'eth_getBlockByNumber', params: [which, false] });
  }

  /** A node that answers an error or nothing knows no such tag. */
  private async tagged(tag: 'safe' | 'finalized'): Promise<number | null> {
    const block = await this.unlessRefused(() => this.block(tag));
    return block?.number ? hexToNumber(block.number) : null;
  }

  /** `null` for an answer that is an error; a node that does not answer fails the whole look. */
  private async unlessRefused<T>(request: () => Promise<T>): Promise<T | null> {
    try {
      return await this.ask(request);
    } catch (error) {
      if (rpcErrorCode(error) === null) throw error;
      return null;
    }
  }

  /** Some endpoints refuse batches with an answer that is no batch, over which viem stumbles: then one by one. */
  private async ask<T>(request: () => Promise<T>): Promise<T> {
    try {
      return await request();
    } catch (error) {
      if (this.batched && isStumble(error)) {
        this.batched = false;
        this.client = connect(this.url, false);
      }
      throw error;
    }
  }
}

function connect(url: string, batched: boolean): PublicClient {
  return createPublicClient({
    transport: http(url, {
      batch: batched ? { batchSize: BATCH_SIZE } : false,
      timeout: TIMEOUT_MS,
      retryCount: RETRIES,
      retryDelay: RETRY_DELAY_MS,
      maxResponseBodySize: MAX_RESPONSE_BYTES,
    }),
  });
}

function isStumble(error: unknown): boolean {
  let stumbled = false;
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    // A connection that fails is a TypeError of fetch's.
    if (cause instanceof HttpRequestError) return false;
    stumbled ||= cause instanceof TypeError;
  }
  return stumbled;
}

function toHeader(block: Pick<RpcBlock, 'number' | 'hash' | 'parentHash' | 'timestamp'>): EvmHeader {
  if (!block.hash || !block.number) throw new InconsistentNode('the node answered a pending block');
  return {
    height: hexToNumber(block.number),
    hash: block.hash,
    parentHash: block.parentHash,
    time: new Date(hexToNumber(block.timestamp) * 1_000),
  };
}

function toBlock(block: RpcBlock<'latest', true>): EvmBlock {
  const transactions = block.transactions.map((tx) => ({
    txid: tx.hash,
    sender: tx.from.toLowerCase(),
    nonce: hexToNumber(tx.nonce),
    to: tx.to?.toLowerCase() ?? null,
    valueAtoms: BigInt(tx.value),
  }));
  return { ...toHeader(block), logsBloom: block.logsBloom ?? '0x', transactions };
}

function toLog(log: RpcLog): EvmLog {
  if (!log.blockHash || !log.transactionHash || log.logIndex === null) {
    throw new InconsistentNode('the node answered a pending log');
  }
  return {
    contract: log.address.toLowerCase(),
    topics: log.topics,
    data: log.data,
    txid: log.transactionHash,
    blockHash: log.blockHash,
    index: hexToNumber(log.logIndex),
  };
}

function toReceipt(receipt: RpcTransactionReceipt): EvmReceipt {
  return {
    txid: receipt.transactionHash,
    blockHash: receipt.blockHash,
    succeeded: receipt.status === '0x1',
    logs: receipt.logs.map(toLog).sort((a, b) => a.index - b.index),
  };
}
