import { setTimeout as after } from 'node:timers/promises';
import type { Hex } from 'viem';
import { AdaptiveRange } from './adaptive-range.js';
import { bloomMayHold } from './bloom.js';
import type { EvmBlock, EvmLog, EvmNode } from './evm-node.types.js';
import { InconsistentNode, rpcErrorCode } from '../watching/node-failure.js';
import { TRANSFER_TOPIC } from './transfer-topic.js';

/** So near the tip a balanced node may not have the block yet: asked by hash it says so, by range it answers nothing. */
const BY_HASH_BLOCKS = 8;

/** Providers index logs apart from blocks, a moment later: a second look before that finds as little as the first. */
const SECOND_LOOK_AFTER_MS = 2_000;

/** The Transfer logs of allow-listed contracts, complete for the blocks given or not at all. */
export class TransferLogs {
  private readonly range = new AdaptiveRange();

  /** `contracts`: lower case. A token is what its address says, never what it calls itself. */
  constructor(
    private readonly node: EvmNode,
    private readonly contracts: readonly string[],
    private readonly secondLookAfterMs = SECOND_LOOK_AFTER_MS,
  ) {}

  /** @throws InconsistentNode when a log belongs to a block that is not among these */
  async of(blocks: readonly EvmBlock[]): Promise<EvmLog[]> {
    if (this.contracts.length === 0 || blocks.length === 0) return [];
    const logs = blocks.length <= BY_HASH_BLOCKS ? await this.byHash(blocks) : await this.byRange(blocks);
    const known = new Set(blocks.map((block) => block.hash));
    for (const log of logs) {
      if (!known.has(log.blockHash))
        throw new InconsistentNode('a log is of another block than the one that was read');
    }
    return logs;
  }

  private async byHash(blocks: readonly EvmBlock[]): Promise<EvmLog[]> {
    const logs = await this.ask(blocks);
    return [...logs, ...(await this.doubted(this.suspicious(blocks, logs)))];
  }

  private async ask(blocks: readonly EvmBlock[]): Promise<EvmLog[]> {
    const asked = blocks.map(({ hash }) => this.node.transferLogs(this.contracts, { blockHash: hash }));
    return (await Promise.all(asked)).flat();
  }

  /**
   * The bloom says "perhaps" and the logs say "no". The block's receipts decide; where there are none to be had, the
   * second look does, because a bloom's "perhaps" is wrong now and then and must not stop the scan for ever.
   */
  private async doubted(blocks: readonly EvmBlock[]): Promise<EvmLog[]> {
    const receipts = await Promise.all(blocks.map((block) => this.node.blockReceipts(block)));
    const logs = receipts.flatMap((of) => of ?? []).flatMap((receipt) => receipt.logs);
    const found = logs.filter(
      (log) => log.topics[0] === TRANSFER_TOPIC && this.contracts.includes(log.contract),
    );
    const undecided = blocks.filter((_, i) => receipts[i] === null);
    if (undecided.length === 0) return found;
    await after(this.secondLookAfterMs);
    return [...found, ...(await this.ask(undecided))];
  }

  private async byRange(blocks: readonly EvmBlock[]): Promise<EvmLog[]> {
    const logs: EvmLog[] = [];
    for (let at = 0; at < blocks.length;) {
      const slice = blocks.slice(at, at + this.range.blocks);
      const found = await this.slice(slice);
      if (!found) continue;
      logs.push(...found);
      at += slice.length;
    }
    return [...logs, ...(await this.byHash(this.suspicious(blocks, logs)))];
  }

  /** `null` when the provider finds it too much; a single block is asked for by its hash, which none refuses. */
  private async slice(blocks: readonly EvmBlock[]): Promise<EvmLog[] | null> {
    const [first, last] = [blocks[0], blocks.at(-1)];
    if (!first || !last || blocks.length === 1) {
      this.range.accepted(blocks.length);
      return this.ask(blocks);
    }
    try {
      const range = { fromHeight: first.height, toHeight: last.height };
      const logs = await this.node.transferLogs(this.contracts, range);
      this.range.accepted(blocks.length);
      return logs;
    } catch (error) {
      // Any answer that is an error may mean "too much": the codes and words for it are as many as the providers.
      if (rpcErrorCode(error) === null) throw error;
      this.range.tooLarge(blocks.length);
      return null;
    }
  }

  /** Blocks that seem to hold such logs by their own bloom although the node answered none. */
  private suspicious(blocks: readonly EvmBlock[], logs: readonly EvmLog[]): EvmBlock[] {
    const answered = new Set(logs.map((log) => log.blockHash));
    return blocks.filter((block) => !answered.has(block.hash) && this.mayHoldTransfers(block));
  }

  private mayHoldTransfers({ logsBloom }: EvmBlock): boolean {
    if (!bloomMayHold(logsBloom, TRANSFER_TOPIC)) return false;
    return this.contracts.some((contract) => bloomMayHold(logsBloom, contract as Hex));
  }
}
