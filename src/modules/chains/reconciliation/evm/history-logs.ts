import { type Hex, hexToBigInt, hexToNumber, numberToHex, padHex } from 'viem';
import type { z } from 'zod';
import { hexOf } from '../../../../kernel/text/hex.js';
import { AdaptiveRange } from '../../evm/logs/adaptive-range.js';
import { logsInReceipts, type ReceiptSource } from '../../evm/logs/block-logs.js';
import { allReceipts, type Ask, askBlock, askReceipt } from '../../evm/node/answers/block-answers.js';
import { evmLogs, evmReceipts, toLog } from '../../evm/node/answers/rpc-answers.js';
import { COLLECTED_TOPIC } from '../../evm/node/collected-topic.js';
import type { EvmLog, EvmReceipt } from '../../evm/node/evm-node.types.js';
import type { AskOptions } from '../../evm/node/node-client.js';
import { refusalOf } from '../../evm/node/refusals.js';
import { TRANSFER_TOPIC } from '../../evm/node/transfer-topic.js';
import { InconsistentNode, LogsRefused } from '../../node.errors.js';
import { mayBeTooMuch } from '../../watching/node-failure.js';
import type { RefusedLogs } from './refused-logs.js';

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

/** A question at the pace of the comparison. */
export type AskHistory = <Answer extends z.ZodType>(
  answer: Answer,
  method: string,
  params: readonly unknown[],
  signal?: AbortSignal,
  options?: AskOptions,
) => Promise<z.output<Answer>>;

/** What moved at our addresses in many blocks of an old chain, by its logs. */
export class HistoryLogs {
  private readonly range = new AdaptiveRange();

  constructor(
    private readonly ask: AskHistory,
    private readonly refused: RefusedLogs,
  ) {}

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
}

/** Receipts, asked for one after the other. */
function inTurn(ask: Ask): ReceiptSource {
  return {
    async blockReceipts(block) {
      const told = await ask(evmReceipts, 'eth_getBlockReceipts', [block.hash]).catch(() => null);
      return allReceipts(block, told);
    },
    async receipts(mined) {
      const receipts: EvmReceipt[] = [];
      for (const { txid } of mined) receipts.push(await askReceipt(ask, txid));
      return receipts;
    },
  };
}

function topicsOf(addresses: readonly string[]): Hex[] {
  return addresses.map((address) => padHex(hexOf(address), { size: 32 }));
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
