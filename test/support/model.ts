/**
 * What must become of one intent, in a few dozen lines that share nothing with the service. One quote of 100 %,
 * confirmation depth 1, settlement depth 3, no standing rules.
 */
export interface ModelTransfer {
  readonly percent: number;
  /** Its observed time is inside the window, and it was recorded before the intent ended. */
  readonly counts: boolean;
  confirmations: number;
  /** `missing` still counts, `gone` (its grace time over, or replaced) does not. */
  presence: 'there' | 'missing' | 'gone';
  covered: boolean;
}

export type ModelStatus =
  'initiated' | 'pending' | 'confirmed' | 'settled' | 'failed' | 'expired' | 'cancelled';

const OPEN: readonly ModelStatus[] = ['initiated', 'pending'];
const ENDED: readonly ModelStatus[] = ['settled', 'failed', 'expired', 'cancelled'];

export class Model {
  status: ModelStatus = 'initiated';
  walk: ModelStatus[] = ['initiated'];
  lapsed = false;
  readonly transfers: ModelTransfer[] = [];
  /** Whether the deposit was complete when the window ended. */
  private completeAtTheEnd = false;

  get ended(): boolean {
    return ENDED.includes(this.status);
  }

  /** Live money that nothing has dealt with. */
  get open(): ModelTransfer[] {
    return this.transfers.filter(({ presence, covered }) => presence !== 'gone' && !covered);
  }

  get queued(): boolean {
    return this.ended && this.open.length > 0;
  }

  get mayCancel(): { buyer: boolean; merchant: boolean } {
    const isOpen = OPEN.includes(this.status) && !this.lapsed;
    const nothingLive = this.transfers.every(({ presence }) => presence === 'gone');
    return { buyer: isOpen && nothingLive, merchant: isOpen && !this.complete };
  }

  get mayAccept(): boolean {
    return (
      this.status === 'expired' &&
      this.queued &&
      this.open.every((t) => t.presence === 'there' && t.confirmations >= 3)
    );
  }

  private get complete(): boolean {
    return this.sum(0) >= 100;
  }

  /** Percent of the counting money with at least this many confirmations. */
  private sum(confirmations: number): number {
    return this.transfers
      .filter((t) => t.counts && t.presence !== 'gone')
      .filter((t) => confirmations === 0 || (t.presence === 'there' && t.confirmations >= confirmations))
      .reduce((sum, { percent }) => sum + percent, 0);
  }

  /** Somebody looks: everything that is due happens. */
  look(): void {
    if (this.ended) return;
    if (!this.lapsed) this.completeAtTheEnd = this.complete;
    else if (this.complete) this.completeAtTheEnd = true;
    if (this.status === 'initiated' && this.transfers.some((t) => t.counts && t.presence !== 'gone'))
      this.go('pending');
    if (this.status === 'pending' && this.sum(1) >= 100) this.go('confirmed');
    if (this.status === 'confirmed' && this.sum(3) >= 100) {
      // What could still be undone is not in the books.
      this.settle(this.transfers.filter((t) => t.counts && t.presence === 'there' && t.confirmations >= 3));
    }
    if (!this.lapsed || this.ended) return;
    if (!this.completeAtTheEnd) this.go('expired');
    else if (!this.complete) this.go('failed');
  }

  settle(transfers: readonly ModelTransfer[]): void {
    for (const transfer of transfers) if (transfer.presence !== 'gone') transfer.covered = true;
    this.go('settled');
  }

  go(status: ModelStatus): void {
    this.status = status;
    this.walk.push(status);
  }
}
