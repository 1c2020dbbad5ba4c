import { hexToBigInt, hexToNumber, numberToHex, padHex, type Hex } from 'viem';
import type { z } from 'zod';
import type { ChainIdentity } from '../../data/ledger.types.js';
import { AdaptiveRange } from '../../evm/adaptive-range.js';
import { accountCall, balanceCall, balancesOf, MOST_BALANCES_PER_CALL } from '../../evm/node/balance-call.js';
import { logsInReceipts, type ReceiptSource } from '../../evm/block-logs.js';
import type { EvmLog, EvmReceipt } from '../../evm/node/evm-node.types.js';
import { isRevert, refusalOf } from '../../evm/node/refusals.js';
import {
  evmBytes,
  evmCount,
  evmHeader,
  evmLogs,
  evmReceipts,
  toHeader,
  toLog,
} from '../../evm/node/rpc-answers.js';
import { allReceipts, askBlock, askReceipt, type Ask } from '../../evm/node/block-answers.js';
import { COLLECTED_TOPIC } from '../../evm/node/collected-topic.js';
import { TRANSFER_TOPIC } from '../../evm/node/transfer-topic.js';
import { askNode, nodeClient, type AskOptions, type NodeClient } from '../../evm/node/node-client.js';
import { blockAt } from '../../watching/node-answer.js';
import { InconsistentNode, LogsRefused } from '../../node.errors.js';
import { mayBeTooMuch } from '../../watching/node-failure.js';
import type { AgreedBlock } from '../reconciliation.types.js';
import type { Pace } from '../pace.js';
import { Refusals } from './refusals.js';
import { RefusedLogs } from './refused-logs.js';
import { MOST_TOKEN_BALANCES_PER_CALL, tokenBalanceCall } from './token-balance-call.js';

const TIMEOUT_MS = 30_000;
/** A few thousand logs of a token are a megabyte. */
const MAX_RESPONSE_BYTES = 64 * 1_048_576;

/** A log of a movement, as far as a sum needs it. */
interface LoggedMovement {
  readonly txid: string;
  readonly height: number;
  readonly atoms: bigint;
}

/** Logs of blocks, as far as the node still has them. */
export interface ToldLogs<Log> {
  readonly logs: readonly Log[];
  /** The first block since which it told of each, or which it may leave out; `null` where it did of all. */
  readonly first: number | null;
}

type PlacedLog = EvmLog & { readonly height: number };

/** `too-much` where less is to be asked for, `pruned` where the node has no logs of the first of these blocks. */
type Answered = PlacedLog[] | 'too-much' | 'pruned' | { readonly refusal: unknown };

interface LogFilter {
  readonly address: readonly string[];
  /** By place; `null` is any. */
  readonly topics: readonly (Hex | readonly Hex[] | null)[];
}

/** A Transfer log to an address. */
export interface IncomingLog extends LoggedMovement {
  readonly contract: string;
  readonly to: string;
}

/** What an address paid out. */
export interface OutgoingLog extends LoggedMovement {
  readonly address: string;
}

type At = AgreedBlock | 'latest';

/** `none` never was; `plain` has no code; `code` is a contract, or an account that lets one act for it (EIP-7702). */
export type Account = 'none' | 'plain' | 'code';

/** keccak256 of nothing. */
const WITHOUT_CODE = hexToBigInt('0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470');

const blockOf = (at: At) => (at === 'latest' ? at : { blockHash: at.hash });

/** What an old chain is asked about our addresses: one request after the other, at the pace that it is given. */
export class EvmHistory {
  private readonly client: NodeClient;
  private readonly range = new AdaptiveRange();
  private readonly refused: RefusedLogs;

  constructor(
    rpcUrl: string,
    private readonly pace: Pace,
    refusals = new Refusals(),
    network = '',
  ) {
    this.refused = new RefusedLogs(refusals, network);
    const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_RESPONSE_BYTES };
    this.client = nodeClient(rpcUrl, limits, { retryCount: 1 });
  }

  async identity(signal?: AbortSignal): Promise<ChainIdentity> {
    const chainId = hexToNumber(await this.ask(evmCount, 'eth_chainId', [], signal));
    const genesis = await this.block(0, signal);
    if (!genesis) throw new InconsistentNode('the node does not tell its block 0, by which a chain is known');
    return { chainId, genesisHash: genesis.hash };
  }

  /** `null` where the node has no such block, or has it no longer. */
  async block(height: number, signal?: AbortSignal): Promise<(AgreedBlock & { readonly time: Date }) | null> {
    const params = [numberToHex(height), false];
    const asked = this.ask(evmHeader.nullable(), 'eth_getBlockByNumber', params, signal);
    const raw = await asked.catch((error: unknown) => {
      if (refusalOf(error) === 'pruned') return null;
      throw error;
    });
    return raw && blockAt(height, toHeader(raw));
  }

  /** Every Transfer of these contracts to these addresses (lower case) in the blocks, both ends included. */
  async transfersTo(
    contracts: readonly string[],
    addresses: readonly string[],
    fromHeight: number,
    toHeight: number,
    signal?: AbortSignal,
  ): Promise<ToldLogs<IncomingLog>> {
    const topics = [TRANSFER_TOPIC, null, topicsOf(addresses)];
    const told = await this.everyLog({ address: contracts, topics }, fromHeight, toHeight, signal);
    return movements(told, toIncoming);
  }

  /** Every Transfer of this contract from these addresses (lower case) in the blocks, both ends included. */
  async transfersFrom(
    contract: string,
    addresses: readonly string[],
    fromHeight: number,
    toHeight: number,
    signal?: AbortSignal,
  ): Promise<ToldLogs<OutgoingLog>> {
    const topics = [TRANSFER_TOPIC, topicsOf(addresses)];
    const told = await this.everyLog({ address: [contract], topics }, fromHeight, toHeight, signal);
    return movements(told, (log) => toOutgoing(log, addressIn(log, 1), 3));
  }

  /** All coin that these deposit addresses without keys (lower case) say to have paid out in the blocks, both ends included. */
  async collectedFrom(
    addresses: readonly string[],
    fromHeight: number,
    toHeight: number,
    signal?: AbortSignal,
  ): Promise<ToldLogs<OutgoingLog>> {
    const filter = { address: addresses, topics: [COLLECTED_TOPIC] };
    const told = await this.everyLog(filter, fromHeight, toHeight, signal);
    return movements(told, (log) => toOutgoing(log, log.contract, 1));
  }

  private async everyLog(
    filter: LogFilter,
    fromHeight: number,
    toHeight: number,
    signal?: AbortSignal,
  ): Promise<ToldLogs<PlacedLog>> {
    const logs = new Map<string, PlacedLog>();
    let first: number | null = null;
    for (let at = fromHeight; at <= toHeight;) {
      const blocks = Math.min(this.range.blocks, toHeight - at + 1);
      const found = await this.logs(filter, at, blocks, signal);
      if (found === 'too-much') continue;
      if (found === 'pruned') {
        first = at = await this.firstWithLogs(filter, at + 1, toHeight, signal);
        continue;
      }
      const told = Array.isArray(found)
        ? found
        : await this.inReceipts(filter, at, fromHeight, found.refusal, signal);
      if (!told) {
        first = at = await this.nextTold(filter, at, toHeight, signal);
        continue;
      }
      for (const log of told) logs.set(`${log.blockHash}:${log.index}`, log);
      at += blocks;
    }
    return { logs: [...logs.values()], first };
  }

  /** Where a node begins that has pruned the block before; above all of them where it has none. */
  private async firstWithLogs(
    filter: LogFilter,
    from: number,
    to: number,
    signal?: AbortSignal,
  ): Promise<number> {
    let [low, high] = [from, to + 1];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((await this.logs(filter, middle, 1, signal)) === 'pruned') low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** By steps that double: of a long stretch nobody asks for each block. Above all of them where there is none. */
  private async nextTold(
    filter: LogFilter,
    refused: number,
    to: number,
    signal?: AbortSignal,
  ): Promise<number> {
    for (let step = 1; refused + step <= to; step *= 2)
      if (Array.isArray(await this.logs(filter, refused + step, 1, signal))) return refused + step;
    return to + 1;
  }

  /** `null` where the node does not tell: it keeps no state that old, or refuses such a question. */
  async coinBalances(addresses: readonly string[], at: At, signal?: AbortSignal) {
    return this.inCalls(addresses, MOST_BALANCES_PER_CALL, (part) => balanceCall(part), at, signal);
  }

  /** As `coinBalances`. */
  async tokenBalances(token: string, addresses: readonly string[], at: At, signal?: AbortSignal) {
    const call = (part: readonly string[]) => tokenBalanceCall(token, part);
    return this.inCalls(addresses, MOST_TOKEN_BALANCES_PER_CALL, call, at, signal);
  }

  /**
   * What is at these addresses, by EIP-1052: an account without balance, code and nonce does not exist, so one that holds
   * nothing and exists has sent something. As `coinBalances`.
   */
  async accounts(addresses: readonly string[], at: At, signal?: AbortSignal): Promise<Account[] | null> {
    const call = (part: readonly string[]) => accountCall(part);
    const hashes = await this.inCalls(addresses, MOST_BALANCES_PER_CALL, call, at, signal);
    return hashes && hashes.map((hash) => (hash === 0n ? 'none' : hash === WITHOUT_CODE ? 'plain' : 'code'));
  }

  /** How many transactions an account has sent; `null` where the node does not tell. */
  async sent(address: string, at: At, signal?: AbortSignal): Promise<number | null> {
    const answer = await this.unlessRefused(
      evmCount,
      'eth_getTransactionCount',
      [address, blockOf(at)],
      signal,
    );
    return answer === null ? null : hexToNumber(answer);
  }

  private async inCalls(
    addresses: readonly string[],
    most: number,
    call: (part: readonly string[]) => Hex,
    block: At,
    signal?: AbortSignal,
  ): Promise<bigint[] | null> {
    const balances: bigint[] = [];
    for (let at = 0; at < addresses.length; at += most) {
      const part = addresses.slice(at, at + most);
      const answer = await this.unlessRefused(
        evmBytes,
        'eth_call',
        [{ data: call(part) }, blockOf(block)],
        signal,
      );
      const told = answer && balancesOf(answer, part.length);
      if (!told) return null;
      balances.push(...told);
    }
    return balances;
  }

  private async logs(filter: LogFilter, at: number, blocks: number, signal?: AbortSignal): Promise<Answered> {
    const range = { fromBlock: numberToHex(at), toBlock: numberToHex(at + blocks - 1) };
    try {
      // Too much is answered by asking for less.
      const retryCount = blocks === 1 ? 1 : 0;
      const found = await this.ask(evmLogs, 'eth_getLogs', [{ ...filter, ...range }], signal, { retryCount });
      this.range.accepted(blocks);
      this.refused.told();
      return found.map((log) => ({ ...toLog(log), height: hexToNumber(log.blockNumber) }));
    } catch (error) {
      if (signal?.aborted || !mayBeTooMuch(error)) throw error;
      // Some say "too much" in words of archives.
      const isPruned = refusalOf(error) === 'pruned';
      if (blocks === 1) return isPruned ? 'pruned' : { refusal: error };
      if (isPruned && (await this.logs(filter, at, 1, signal)) === 'pruned') return 'pruned';
      this.range.tooLarge(blocks);
      return 'too-much';
    }
  }

  /**
   * For a single block whose logs the node refuses.
   * @param from the first block of the look
   * @returns `null` where these are refused for good as well
   * @throws LogsRefused of the block before which the look may end
   */
  private async inReceipts(
    filter: LogFilter,
    height: number,
    from: number,
    refusal: unknown,
    signal?: AbortSignal,
  ): Promise<PlacedLog[] | null> {
    if (!this.refused.mayRead(height, from, refusal)) return null;
    const ask: Ask = (answer, method, params) => this.ask(answer, method, params, signal);
    try {
      const block = await askBlock(ask, height).catch(() => {
        throw new LogsRefused(height, refusal);
      });
      const logs = await logsInReceipts(inTurn(ask), block, (log) => isMeant(filter, log), refusal);
      return logs.map((log) => ({ ...log, height }));
    } catch (error) {
      if (signal?.aborted || !(error instanceof LogsRefused)) throw error;
      this.refused.leaveOut(height, height, from, () => error);
      return null;
    }
  }

  private async unlessRefused<Answer extends z.ZodType>(
    answer: Answer,
    method: string,
    params: readonly unknown[],
    signal?: AbortSignal,
  ): Promise<z.output<Answer> | null> {
    try {
      return await this.ask(answer, method, params, signal);
    } catch (error) {
      // A limit is no answer: whoever took it for one would look for money in the wrong place.
      if (refusalOf(error) === 'not-now' && !isRevert(error)) throw error;
      return null;
    }
  }

  private async ask<Answer extends z.ZodType>(
    answer: Answer,
    method: string,
    params: readonly unknown[],
    signal?: AbortSignal,
    options: AskOptions = {},
  ): Promise<z.output<Answer>> {
    await this.pace.turn(signal);
    return askNode(this.client, answer, method, params, { ...options, signal });
  }
}

/** Receipts, asked for one after the other. */
function inTurn(ask: Ask): ReceiptSource {
  return {
    async blockReceipts(block) {
      const told = await ask(evmReceipts, 'eth_getBlockReceipts', [block.hash]).catch(() => null);
      return allReceipts(block, told);
    },
    async receipts(txids) {
      const receipts: EvmReceipt[] = [];
      for (const txid of txids) receipts.push(await askReceipt(ask, txid));
      return receipts;
    },
  };
}

function topicsOf(addresses: readonly string[]): Hex[] {
  return addresses.map((address) => padHex(address as Hex, { size: 32 }));
}

/** As nodes judge it. */
function isMeant({ address, topics }: LogFilter, log: EvmLog): boolean {
  return (
    address.includes(log.contract) &&
    topics.every((wanted, i) => wanted === null || [wanted].flat().some((topic) => topic === log.topics[i]))
  );
}

function addressIn({ topics }: PlacedLog, at: number): string {
  const topic = topics[at];
  if (!topic) throw new InconsistentNode('the node answered a log of another event than it was asked for');
  return `0x${topic.slice(26).toLowerCase()}`;
}

/** @param ofTopics how many topics the event has; a log of another shape moves nothing */
function toMovement({ topics, data, txid, height }: PlacedLog, ofTopics: number) {
  const isPlain = topics.length === ofTopics && data.length === 66;
  return { txid, height, atoms: isPlain ? hexToBigInt(data) : 0n };
}

function toIncoming(log: PlacedLog): IncomingLog {
  return { ...toMovement(log, 3), contract: log.contract, to: addressIn(log, 2) };
}

function toOutgoing(log: PlacedLog, address: string, ofTopics: number): OutgoingLog {
  return { ...toMovement(log, ofTopics), address };
}

function movements<Log extends LoggedMovement>(
  { logs, first }: ToldLogs<PlacedLog>,
  read: (log: PlacedLog) => Log,
): ToldLogs<Log> {
  return { logs: logs.map(read).filter(({ atoms }) => atoms > 0n), first };
}
