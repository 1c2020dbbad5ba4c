import { hexToNumber, HttpRequestError, numberToHex, toFunctionSelector } from 'viem';
import { z } from 'zod';
import { paired } from '../../../../kernel/lookups.js';
import { parseUrl } from '../../../../kernel/text/parse-url.js';
import { orLate } from '../../../../platform/deadline.js';
import type { ChainIdentity } from '../../data/ledger.types.js';
import { InconsistentNode } from '../../node.errors.js';
import { blockAt } from '../../watching/node-answer.js';
import { NodeHttp } from '../../watching/node-http.js';
import { allReceipts, type Ask, askBlock, askInBlocks, askReceipt } from './answers/block-answers.js';
import {
  evmBytes,
  evmCount,
  evmHash,
  evmHeader,
  evmLogs,
  evmReceipts,
  evmSent,
  toHeader,
  toLog,
} from './answers/rpc-answers.js';
import { callTrees, flatTraces } from './answers/trace-answers.js';
import { balanceCall, balancesOf, MOST_BALANCES_PER_CALL } from './balance-call.js';
import { COLLECTED_TOPIC } from './collected-topic.js';
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
  TaggedBlock,
  TokenDecimals,
} from './evm-node.types.js';
import { areTooDeep, callsOf, callsOfTraces } from './internal-calls.js';
import { askNode, type AskOptions, type NodeClient, nodeClient } from './node-client.js';
import { OptionalCalls } from './optional-calls.js';
import { isRevert, refusalOf, tagRefusalOf } from './refusals.js';
import { TRANSFER_TOPIC } from './transfer-topic.js';

const TIMEOUT_MS = 10_000;
const RETRIES = 1;
/** With the retry: a call that is required fails after this. */
const MOST_MS = 25_000;
const RETRY_DELAY_MS = 100;
/** Larger batches are refused by some providers, smaller ones make catching up slow. */
const BATCH_SIZE = 20;

/** Asked for in two ways: `receipts`. */
const RECEIPT = 'eth_getTransactionReceipt';

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
  private client: NodeClient;
  private batched = true;
  /** Never in one request with what is required: an answer comes when the slowest of its batch has. */
  private readonly aside: NodeClient;
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
    const [chainId, genesis] = await Promise.all([this.chainId(), this.header(0)]);
    if (!genesis) throw new InconsistentNode('the node does not tell its block 0, by which a chain is known');
    return { chainId, genesisHash: genesis.hash };
  }

  private async chainId(): Promise<number> {
    return hexToNumber(await this.ask(evmCount, 'eth_chainId', []));
  }

  async tips(known: readonly string[] = []): Promise<EvmTips> {
    for (const tag of TAGS) if (known.includes(this.nameOf(tag))) this.tags[tag] = 'known';
    // In this order: where a block comes in between, what is asked for later is higher.
    const [chainId, finalized, safe, newest] = await Promise.all([
      this.chainId(),
      this.tagged('finalized'),
      this.tagged('safe'),
      this.block('latest'),
    ]);
    if (!newest) throw new InconsistentNode('the node has no latest block');
    const latest = toHeader(newest);
    const safeHeight = safe === 'none-yet' ? null : (safe?.height ?? null);
    const finalizedHeight = finalized === 'none-yet' ? -1 : (finalized?.height ?? null);
    const [low, middle] = [finalizedHeight ?? -1, safeHeight ?? latest.height];
    if (low > middle || middle > latest.height) {
      throw new InconsistentNode(
        `the node says that ${low} is final, ${middle} safe and ${latest.height} its newest block`,
      );
    }
    const knownTags = TAGS.filter((tag) => this.tags[tag] === 'known').map((tag) => this.nameOf(tag));
    const tagged = [safe, finalized].filter((block) => block !== null && block !== 'none-yet');
    return { chainId, latest, safeHeight, finalizedHeight, isTimed: finalized === null, tagged, knownTags };
  }

  async header(height: number): Promise<EvmHeader | null> {
    const block = await this.block(numberToHex(height));
    return block && blockAt(height, toHeader(block));
  }

  async hasBlock(height: number): Promise<boolean> {
    return (await this.header(height)) !== null;
  }

  async blocks(fromHeight: number, toHeight: number): Promise<EvmBlock[]> {
    const heights = Array.from({ length: toHeight - fromHeight + 1 }, (_, i) => fromHeight + i);
    return Promise.all(heights.map((height) => askBlock(this.ask, height)));
  }

  async transferLogs(contracts: readonly string[], range: LogRange): Promise<EvmLog[]> {
    const filter = { address: contracts, topics: [TRANSFER_TOPIC] };
    const where =
      'blockHash' in range
        ? { blockHash: range.blockHash }
        : { fromBlock: numberToHex(range.fromHeight), toBlock: numberToHex(range.toHeight) };
    // Not retried: asking for too much is answered by asking for less.
    const logs = await this.ask(evmLogs, 'eth_getLogs', [{ ...filter, ...where }], { retryCount: 0 });
    return logs.filter((log) => !log.removed).map(toLog);
  }

  async collectedLogs(blockHash: string): Promise<EvmLog[]> {
    const logs = await this.ask(evmLogs, 'eth_getLogs', [{ topics: [COLLECTED_TOPIC], blockHash }]);
    return logs.filter((log) => !log.removed).map(toLog);
  }

  async receipts(of: readonly MinedTransaction[]): Promise<EvmReceipt[]> {
    if (of.length === 0) return [];
    const byBlock: Ask = (answer, method, params) => inTime(askNode(this.aside, answer, method, params));
    return this.optional.either(
      RECEIPT,
      () => Promise.all(of.map(({ txid }) => askReceipt(this.ask, txid))),
      () => askInBlocks(byBlock, of),
    );
  }

  async blockReceipts(block: EvmBlock): Promise<EvmReceipt[] | null> {
    return allReceipts(block, await this.unrequired(evmReceipts, 'eth_getBlockReceipts', [block.hash]));
  }

  async balances(addresses: readonly string[], blockHash: string): Promise<bigint[] | null> {
    const parts: (readonly string[])[] = [];
    for (let at = 0; at < addresses.length; at += MOST_BALANCES_PER_CALL) {
      parts.push(addresses.slice(at, at + MOST_BALANCES_PER_CALL));
    }
    const answers = await Promise.all(
      parts.map(async (part) => {
        const params = [{ data: balanceCall(part) }, { blockHash }];
        const answer = await this.unlessUnable(() => askNode(this.aside, evmBytes, 'eth_call', params));
        return answer && balancesOf(answer, part.length);
      }),
    );
    return answers.every((answer) => answer !== null) ? answers.flat() : null;
  }

  decimals(contract: string): Promise<TokenDecimals> {
    const asked = [{ to: contract, data: toFunctionSelector('decimals()') }, 'latest'];
    return this.optional.ask('decimals', async () => {
      try {
        const answer = await askNode(this.aside, evmBytes, 'eth_call', asked);
        return answer === '0x' ? 'nothing' : Number(answer);
      } catch (error) {
        if (isRevert(error)) return 'untold';
        throw error;
      }
    });
  }

  /** geth and its kin have the one method, OpenEthereum's and Erigon's have the other. */
  async internalCalls({ hash, height, transactions }: EvmBlock): Promise<InternalCall[] | null> {
    const tracer = { tracer: 'callTracer' };
    const trees = await this.unrequired(callTrees, 'debug_traceBlockByHash', [hash, tracer]);
    const tops = trees?.flatMap((tree) => tree?.result ?? []) ?? [];
    if (trees?.length === transactions.length && tops.length === trees.length) {
      if (areTooDeep(tops)) return null;
      return paired(transactions, tops).flatMap(([{ txid }, top]) => callsOf(txid, top));
    }
    const traces = await this.unrequired(flatTraces, 'trace_block', [numberToHex(height)]);
    return traces?.every(({ blockHash }) => blockHash === hash) ? callsOfTraces(traces) : null;
  }

  async isMined(txid: string): Promise<boolean | null> {
    const receipt = z.object({ transactionHash: evmHash }).nullable();
    return this.optional.ask(RECEIPT, async () => {
      return (await askNode(this.aside, receipt, RECEIPT, [txid])) !== null;
    });
  }

  async accountOf(txid: string): Promise<{ sender: string; nonce: number } | null> {
    const sent = await this.unrequired(evmSent.nullable(), 'eth_getTransactionByHash', [txid]);
    // Whoever answers with another transaction says nothing of this one.
    if (sent?.hash !== txid) return null;
    return { sender: sent.from.toLowerCase(), nonce: hexToNumber(sent.nonce) };
  }

  async noncesUsed(sender: string, blockHash: string): Promise<number | null> {
    const at = { blockHash, requireCanonical: true };
    const count = await this.unrequired(evmCount, 'eth_getTransactionCount', [sender, at]);
    return count === null ? null : hexToNumber(count);
  }

  /** `null` too for an answer that is none: it is as if the node did not offer the method now. */
  private unrequired<Answer extends z.ZodType>(answer: Answer, method: string, params: readonly unknown[]) {
    return this.optional.ask(method, () => askNode(this.aside, answer, method, params));
  }

  /** By the node's host: what stands behind a URL may change, its provider does not. */
  private nameOf(tag: Tag): string {
    return `${parseUrl(this.url)?.host} ${tag}`;
  }

  private block(which: string) {
    return this.ask(evmHeader.nullable(), 'eth_getBlockByNumber', [which, false]);
  }

  /**
   * Whether the node knows the tag is decided once, by an answer that cannot mean anything else; from then on, our
   * restarts included, a missing answer fails the look, because what stands in for it would make payments final early.
   * @returns `null` where it does not know the tag
   */
  private async tagged(tag: Tag): Promise<TaggedBlock | 'none-yet' | null> {
    if (this.tags[tag] === 'unknown') return null;
    const isKnown = this.tags[tag] === 'known';
    let block: Awaited<ReturnType<RpcNode['block']>>;
    try {
      block = await this.block(tag);
    } catch (error) {
      const refusal = tagRefusalOf(error);
      if (isKnown || refusal === 'not-now') throw error;
      if (refusal === 'nothing-yet') return 'none-yet';
      this.tags[tag] = 'unknown';
      return null;
    }
    if (!block) {
      if (isKnown) throw new InconsistentNode(`the node no longer says what is ${tag}`);
      return 'none-yet';
    }
    this.tags[tag] = 'known';
    return { tag, height: hexToNumber(block.number), hash: block.hash };
  }

  /** `null` for an answer that means that the node cannot say it, now or later; any other failure is the step's. */
  private async unlessUnable<T>(request: () => Promise<T>): Promise<T | null> {
    try {
      return await request();
    } catch (error) {
      if (refusalOf(error) === 'not-now') throw error;
      return null;
    }
  }

  /** Some endpoints refuse batches with an answer that is no batch, over which viem stumbles: then one by one. */
  private readonly ask = async <Answer extends z.ZodType>(
    answer: Answer,
    method: string,
    params: readonly unknown[],
    options: AskOptions = {},
  ): Promise<z.output<Answer>> => {
    try {
      return await inTime(askNode(this.client, answer, method, params, options));
    } catch (error) {
      if (this.batched && isStumble(error)) {
        this.batched = false;
        this.client = connect(this.url, false, this.http);
      }
      throw error;
    }
  };
}

/** Of a call that is required. */
function inTime<T>(answer: Promise<T>): Promise<T> {
  return orLate(answer, MOST_MS, () => {
    throw new InconsistentNode(`the node did not answer within ${MOST_MS / 1_000} s`);
  });
}

function connect(url: string, batched: boolean, node: NodeHttp): NodeClient {
  return nodeClient(url, node, {
    batch: batched ? { batchSize: BATCH_SIZE } : false,
    retryCount: RETRIES,
    retryDelay: RETRY_DELAY_MS,
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
