/**
 * What must become of one intent, in a few dozen lines that share nothing with the service. One quote of 100 %,
 * confirmation depth 1, settlement depth 3; whatever is late is late by less than the rule for late money allows.
 */
export interface ModelTransfer {
  readonly percent: number;
  /** Its observed time is inside the window. */
  readonly punctual: boolean;
  /** Its observed time is inside the window, and it was recorded before the intent ended. */
  readonly counts: boolean;
  confirmations: number;
  /** `missing` still counts, `gone` (its grace time over, or replaced) does not. */
  presence: 'there' | 'missing' | 'gone';
  covered: boolean;
}

/** The merchant's standing rules. */
export interface ModelRules {
  readonly seenLate: boolean;
  /** Short by at most this many percent; 0 is off. */
  readonly shortPercent: number;
  readonly late: boolean;
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
  private settledBy: readonly ModelTransfer[] = [];
  /** Final money that no settlement took: its merchant has been told of it. */
  private readonly announced = new Set<ModelTransfer>();

  constructor(readonly rules: ModelRules) {}

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

  /** Money that settled the intent, or was announced, has left the chain: the merchant is told, and nothing else happens. */
  get undone(): boolean {
    return [...this.settledBy, ...this.announced].some(({ presence }) => presence !== 'there');
  }

  /** Whether the merchant has been asked for a decision; `null` where a rule may still take it off their hands. */
  get asked(): boolean | null {
    if (this.acceptable.length === 0) return false; // what could still be undone asks nobody
    return this.queued && this.takenByRule(this.open) ? null : this.queued;
  }

  get mayCancel(): { buyer: boolean; merchant: boolean } {
    const isOpen = OPEN.includes(this.status) && !this.lapsed;
    const nothingLive = this.transfers.every(({ presence }) => presence === 'gone');
    return { buyer: isOpen && nothingLive, merchant: isOpen && !this.complete };
  }

  get mayAccept(): boolean {
    return this.status === 'expired' && this.acceptable.length > 0;
  }

  /** What is final, whatever else is there. */
  get acceptable(): ModelTransfer[] {
    return this.open.filter(isFinal);
  }

  /** What a rule accepts of this: all of it, or all but what came late; never after a person decided about part of it. */
  private takenByRule(transfers: readonly ModelTransfer[]): readonly ModelTransfer[] | null {
    if (this.status !== 'expired' || this.transfers.some((t) => t.covered)) return null;
    const parts = [transfers, transfers.filter((t) => t.punctual)];
    return parts.find((part) => part.length > 0 && this.isAcceptedByRule(part)) ?? null;
  }

  private isAcceptedByRule(part: readonly ModelTransfer[]): boolean {
    const { rules } = this;
    const late = part.filter((t) => !t.punctual);
    if (percentOf(part) - percentOf(late) >= 100) return rules.seenLate;
    if (late.length > 0 && !rules.late) return false;
    return percentOf(part) >= 100 || 100 - percentOf(part) <= rules.shortPercent;
  }

  private get complete(): boolean {
    return this.sum(0) >= 100;
  }

  /** Percent of the counting money with at least this many confirmations. */
  private sum(confirmations: number): number {
    const counting = this.transfers.filter((t) => t.counts && t.presence !== 'gone');
    return percentOf(
      counting.filter(
        (t) => confirmations === 0 || (t.presence === 'there' && t.confirmations >= confirmations),
      ),
    );
  }

  /** Somebody looks: everything that is due happens. */
  look(): void {
    if (!this.ended) this.decide();
    const taken = this.takenByRule(this.acceptable);
    if (taken) this.settle(taken);
    if (!this.ended) return;
    for (const transfer of this.transfers)
      if (isFinal(transfer) && !this.settledBy.includes(transfer)) this.announced.add(transfer);
  }

  settle(transfers: readonly ModelTransfer[]): void {
    this.settledBy = transfers;
    for (const transfer of transfers) transfer.covered = true;
    this.go('settled');
  }

  go(status: ModelStatus): void {
    this.status = status;
    this.walk.push(status);
  }

  private decide(): void {
    if (!this.lapsed) this.completeAtTheEnd = this.complete;
    else if (this.complete) this.completeAtTheEnd = true;
    if (this.status === 'initiated' && this.transfers.some((t) => t.counts && t.presence !== 'gone'))
      this.go('pending');
    if (this.status === 'pending' && this.sum(1) >= 100) this.go('confirmed');
    if (this.status === 'confirmed' && this.sum(3) >= 100) {
      // What could still be undone is not in the books.
      this.settle(this.transfers.filter((t) => t.counts && isFinal(t)));
    }
    if (!this.lapsed || this.ended) return;
    if (!this.completeAtTheEnd) this.go('expired');
    else if (!this.complete) this.go('failed');
  }
}

function percentOf(transfers: readonly ModelTransfer[]): number {
  return transfers.reduce((sum, { percent }) => sum + percent, 0);
}

function isFinal({ presence, confirmations }: ModelTransfer): boolean {
  return presence === 'there' && confirmations >= 3;
}
