import { hexOf } from '../../../../kernel/text/hex.js';
import { InconsistentNode } from '../../node.errors.js';
import { mayBeTooMuch } from '../../watching/node-failure.js';
import type { EvmBlock, EvmLog, EvmNode, EvmReceipt } from '../node/evm-node.types.js';
import { TRANSFER_TOPIC } from '../node/transfer-topic.js';
import { AdaptiveRange } from './adaptive-range.js';
import { logsOf, receiptsOf } from './block-logs.js';
import { bloomMayHold } from './bloom.js';

/** So near the tip a balanced node may not have the block yet: asked by hash it says so, by range it answers nothing. */
const BY_HASH_BLOCKS = 8;

/** The Transfer logs of allow-listed contracts, complete for the blocks given or not at all. */
export class TransferLogs {
  private readonly range = new AdaptiveRange();

  /** `contracts`: lower case. A token is what its address says, never what it calls itself. */
  constructor(
    private readonly node: EvmNode,
    private readonly contracts: readonly string[],
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
    const asked = blocks.map((block) => {
      const ask = () => this.node.transferLogs(this.contracts, { blockHash: block.hash });
      return logsOf(this.node, block, ask, this.isMeant);
    });
    return (await Promise.all(asked)).flat();
  }

  /**
   * The bloom says "perhaps" and the logs say "no": providers index logs apart from blocks, and later. The receipts
   * decide. A bloom's "perhaps" is wrong now and then, so neither of the two can be believed without them.
   */
  private async doubted(blocks: readonly EvmBlock[]): Promise<EvmLog[]> {
    const found: EvmLog[] = [];
    const whole = await Promise.all(blocks.map((block) => this.node.blockReceipts(block)));
    for (const [i, block] of blocks.entries()) found.push(...(await this.inReceipts(block, whole[i])));
    return found;
  }

  /** Of a block, by its receipts, which are read whole. */
  async inReceipts(block: EvmBlock, told?: EvmReceipt[] | null): Promise<EvmLog[]> {
    const receipts = await receiptsOf(this.node, block, told);
    return receipts.flatMap(({ logs }) => logs).filter(this.isMeant);
  }

  private readonly isMeant = ({ topics, contract }: EvmLog): boolean =>
    topics[0] === TRANSFER_TOPIC && this.contracts.includes(contract);

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

  /** `null` when it may have been too much; a single block is asked for by its hash. */
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
      if (!mayBeTooMuch(error)) throw error;
      this.range.tooLarge(blocks.length);
      return null;
    }
  }

  /** Blocks that by their own bloom may hold logs of a contract of which the node answered none there. */
  private suspicious(blocks: readonly EvmBlock[], logs: readonly EvmLog[]): EvmBlock[] {
    const answered = new Set(logs.map(({ blockHash, contract }) => `${blockHash}:${contract}`));
    return blocks.filter(
      ({ hash, logsBloom }) =>
        bloomMayHold(logsBloom, TRANSFER_TOPIC) &&
        this.contracts.some(
          (contract) => !answered.has(`${hash}:${contract}`) && bloomMayHold(logsBloom, hexOf(contract)),
        ),
    );
  }
}
