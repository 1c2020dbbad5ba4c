import { setTimeout as sleep } from 'node:timers/promises';
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
import type { ChainIdentity } from '../../data/ledger.types.js';
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
import { parseUrl } from '../../../../kernel/parse-url.js';
import { InconsistentNode } from '../../watching/node-failure.js';
import { OptionalCalls } from './optional-calls.js';
import { refusalOf, tagRefusalOf } from './refusals.js';
import { NodeHttp } from '../../watching/node-http.js';
import { fetchOwnAnswers } from './own-answers.js';
import { TRANSFER_TOPIC } from './transfer-topic.js';

const TIMEOUT_MS = 10_000;
const RETRIES = 1;
/** With the retry: a call that is required fails after this. */
const MOST_MS = 25_000;
const RETRY_DELAY_MS = 100;
/** Larger batches are refused by some providers, smaller ones make catching up slow. */
const BATCH_SIZE = 20;

export interface RpcNodeOptions {
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
}

const TAGS = ['safe', 'finalized'] as const;
type Tag = (typeof TAGS)[number];

/**
 * A node over JSON-RPC (HTTP): no web sockets, whose subscriptions lose events when they reconnect. Answers are
 * taken raw and narrowed here, because viem's formatting of whole blocks costs more than the scan.
 */
export class RpcNode implements EvmNode {
  private readonly http: NodeHttp;
  private client: PublicClient;
  private batched = true;
  /** Never in one request with what is required: an answer comes when the slowest of its batch has. */
  private readonly aside: PublicClient;
  private readonly optional = new OptionalCalls();
  private readonly tags: Record<Tag, 'untried' | 'known' | 'unknown'> = {
    safe: 'untried',
    finalized: 'untried',
  };

  constructor(
    private readonly url: string,
    options: RpcNodeOptions = {},
  ) {
    this.http = new NodeHttp({ timeoutMs: TIMEOUT_MS, ...options });
    this.client = connect(url, true, this.http);
    this.aside = connect(url, false, this.http);
  }

  async identity(): Promise<ChainIdentity> {
    const [chainId, genesis] = await Promise.all([
      this.ask(() => this.client.request({ method: 'eth_chainId' })),
      this.header(0),
    ]);
    if (!genesis) throw new InconsistentNode('the node does not tell its block 0, by which a chain is known');
    return { chainId: hexToNumber(chainId), genesisHash: genesis.hash };
  }

  async tips(known: readonly string[] = []): Promise<EvmTips> {
    for (const tag of TAGS) if (known.includes(this.nameOf(tag))) this.tags[tag] = 'known';
    // In this order: where a block comes in between, what is asked for later is higher.
    const [finalized, safe, newest] = await Promise.all([
      this.tagged('finalized'),
      this.tagged('safe'),
      this.ask(() => this.block('latest')),
    ]);
    if (!newest) throw new InconsistentNode('the node has no latest block');
    const latest = toHeader(newest);
    const safeHeight = safe === -1 ? null : safe;
    const [low, middle] = [finalized ?? -1, safeHeight ?? latest.height];
    if (low > middle || middle > latest.height) {
      throw new InconsistentNode(
        `the node says that ${low} is final, ${middle} safe and ${latest.height} its newest block`,
      );
    }
    const knownTags = TAGS.filter((tag) => this.tags[tag] === 'known').map((tag) => this.nameOf(tag));
    return { latest, safeHeight, finalizedHeight: finalized, isTimed: finalized === null, knownTags };
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
    const method = 'eth_getBlockReceipts';
    const receipts = await this.optional.ask(method, () => this.aside.request({ method, params }));
    if (!receipts) return null;
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
        const answer = await this.unlessUnable(() => this.client.request({ method: 'eth_call', params }));
        return answer && balancesOf(answer, part.length);
      }),
    );
    return answers.every((answer) => answer !== null) ? answers.flat() : null;
  }

  /** geth and its kin have the one method, OpenEthereum's and Erigon's have the other. */
  async internalCalls({ hash, height, transactions }: EvmBlock): Promise<InternalCall[] | null> {
    const tracer = { tracer: 'callTracer' };
    const trees = await this.unrequired<({ result?: CallFrame } | null)[]>('debug_traceBlockByHash', [
      hash,
      tracer,
    ]);
    if (trees?.length === transactions.length && trees.every((tree) => tree?.result)) {
      return trees.flatMap((tree, i) => callsOf(transactions[i]!.txid, tree!.result!));
    }
    const traces = await this.unrequired<FlatTrace[]>('trace_block', [numberToHex(height)]);
    return traces?.every(({ blockHash }) => blockHash === hash) ? callsOfTraces(traces) : null;
  }

  async isMined(txid: string): Promise<boolean | null> {
    const params: [Hex] = [txid as Hex];
    return this.optional.ask('eth_getTransactionReceipt', async () => {
      return (await this.aside.request({ method: 'eth_getTransactionReceipt', params })) !== null;
    });
  }

  async noncesUsed(sender: string, blockHash: string): Promise<number | null> {
    const at = { blockHash: blockHash as Hex, requireCanonical: true };
    const params: [Hex, typeof at] = [sender as Hex, at];
    const method = 'eth_getTransactionCount';
    const count = await this.optional.ask(method, () => this.aside.request({ method, params }));
    return count === null ? null : hexToNumber(count);
  }

  /** For methods that viem has no types of. */
  private unrequired<T>(method: string, params: readonly unknown[]): Promise<T | null> {
    type Schema = { Method: string; Parameters: readonly unknown[]; ReturnType: T | null };
    return this.optional.ask(method, () => this.aside.request<Schema>({ method, params }));
  }

  /** By the node's host: what stands behind a URL may change, its provider does not. */
  private nameOf(tag: Tag): string {
    return `${parseUrl(this.url)?.host} ${tag}`;
  }

  private block(which: Hex | 'latest' | Tag): Promise<RpcBlock | null> {
    return this.client.request({ method: 'eth_getBlockByNumber', params: [which, false] });
  }

  /**
   * Whether the node knows the tag is decided once, by an answer that cannot mean anything else; from then on, our
   * restarts included, a missing answer fails the look, because what stands in for it would make payments final early.
   * @returns `null` where it does not know the tag, -1 where it has no block for it yet
   */
  private async tagged(tag: Tag): Promise<number | null> {
    if (this.tags[tag] === 'unknown') return null;
    const isKnown = this.tags[tag] === 'known';
    let block: RpcBlock | null;
    try {
      block = await this.ask(() => this.block(tag));
    } catch (error) {
      const refusal = tagRefusalOf(error);
      if (isKnown || refusal === 'not-now') throw error;
      if (refusal === 'nothing-yet') return -1;
      this.tags[tag] = 'unknown';
      return null;
    }
    if (!block?.number) {
      if (isKnown) throw new InconsistentNode(`the node no longer says what is ${tag}`);
      return -1;
    }
    this.tags[tag] = 'known';
    return hexToNumber(block.number);
  }

  /** `null` for an answer that means that the node cannot say it, now or later; any other failure is the step's. */
  private async unlessUnable<T>(request: () => Promise<T>): Promise<T | null> {
    try {
      return await this.ask(request);
    } catch (error) {
      if (refusalOf(error) === 'not-now') throw error;
      return null;
    }
  }

  /** Some endpoints refuse batches with an answer that is no batch, over which viem stumbles: then one by one. */
  private async ask<T>(request: () => Promise<T>): Promise<T> {
    const late = new AbortController();
    try {
      return await Promise.race([request(), failAfter(MOST_MS, late.signal)]);
    } catch (error) {
      if (this.batched && isStumble(error)) {
        this.batched = false;
        this.client = connect(this.url, false, this.http);
      }
      throw error;
    } finally {
      late.abort();
    }
  }
}

async function failAfter(ms: number, signal: AbortSignal): Promise<never> {
  await sleep(ms, undefined, { signal, ref: false });
  throw new InconsistentNode(`the node did not answer within ${ms / 1_000} s`);
}

function connect(url: string, batched: boolean, node: NodeHttp): PublicClient {
  return createPublicClient({
    transport: http(url, {
      batch: batched ? { batchSize: BATCH_SIZE } : false,
      // Its own timers end with the headers of an answer, and its limit of bytes is too low: the exchange has both.
      timeout: 0,
      maxResponseBodySize: false,
      retryCount: RETRIES,
      retryDelay: RETRY_DELAY_MS,
      fetchFn: fetchOwnAnswers(node),
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
    feeAtoms: feeOf(receipt),
    logs: receipt.logs.map(toLog).sort((a, b) => a.index - b.index),
  };
}

/** Rollups add what they pay for the data to the gas, in a field of their own. */
function feeOf(receipt: RpcTransactionReceipt & { readonly l1Fee?: Hex | null }): bigint {
  const blob = BigInt(receipt.blobGasUsed ?? 0) * BigInt(receipt.blobGasPrice ?? 0);
  return BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice ?? 0) + blob + BigInt(receipt.l1Fee ?? 0);
}
