import { LogsRefused } from '../../node.errors.js';
import { type Refusals, TRIES_FOR_GOOD } from './refusals.js';

/** Of so many blocks in a row receipts are read instead, and of so many more at each further try. */
const MOST_IN_A_ROW = 8;

/**
 * Blocks one after the other whose logs a node refuses. Whoever refuses many may do so for now, and receipts of all would
 * cost too much: the look fails and is tried again. What is refused for good is left out, so that the rest is compared.
 */
export class RefusedLogs {
  private row: { readonly since: number; readonly last: number } | null = null;

  constructor(
    private readonly refusals: Refusals,
    private readonly network: string,
  ) {}

  /** The logs of a block were told. */
  told(): void {
    this.row = null;
  }

  /**
   * Whether the receipts of this block may be asked for.
   * @param from the first block of the look
   * @throws LogsRefused as `leaveOut`
   */
  mayRead(height: number, from: number, refusal: unknown): boolean {
    const { row } = this;
    const since = row && height >= row.since && height <= row.last + 1 ? row.since : height;
    this.row = { since, last: Math.max(height, row?.last ?? height) };
    const tries = 1 + Math.min(this.refusals.times(this.about(since)), TRIES_FOR_GOOD - 1);
    if (height - since < MOST_IN_A_ROW * tries) return true;
    const many = (at: number) => new LogsRefused(at, refusal, `and of many from block ${since} on`);
    this.leaveOut(since, height, from, many);
    return false;
  }

  /**
   * Returns where this block, the first of the look, is refused for good.
   * @param since the first of those that are refused together
   * @throws LogsRefused of the block before which a look may end
   */
  leaveOut(since: number, height: number, from: number, error: (height: number) => LogsRefused): void {
    const isForGood = this.refusals.again(this.about(since)) >= TRIES_FOR_GOOD;
    if (!isForGood) throw error(since);
    if (height > from) throw error(height);
  }

  private about(since: number): string {
    return `${this.network} logs from ${since} on`;
  }
}
