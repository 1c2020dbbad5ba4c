import { MAX_IN_FLIGHT, MAX_PER_ENDPOINT } from './limits.js';

/** What this process is sending now, by endpoint, and where a claim stopped at a limit instead of at the end. */
export class InFlight {
  private readonly counts = new Map<string, number>();
  private sum = 0;
  private capped: ReadonlySet<string> = new Set();
  private full = false;

  get room(): number {
    return MAX_IN_FLIGHT - this.sum;
  }

  /** As it is now; does not change with what ends while a claim is under way. */
  snapshot(): ReadonlyMap<string, number> {
    return new Map(this.counts);
  }

  add(endpointId: string): void {
    this.counts.set(endpointId, (this.counts.get(endpointId) ?? 0) + 1);
    this.sum += 1;
  }

  remove(endpointId: string): void {
    const left = (this.counts.get(endpointId) ?? 0) - 1;
    if (left > 0) this.counts.set(endpointId, left);
    else this.counts.delete(endpointId);
    this.sum -= 1;
  }

  /** Remembers what a claim was limited by: judged by what it was told, because sends end while it runs. */
  noteClaim(before: ReadonlyMap<string, number>, room: number, claimed: readonly string[]): void {
    const counts = new Map(before);
    for (const endpointId of claimed) counts.set(endpointId, (counts.get(endpointId) ?? 0) + 1);
    this.capped = new Set([...counts].filter(([, n]) => n >= MAX_PER_ENDPOINT).map(([id]) => id));
    this.full = claimed.length >= room;
  }

  /** Whether the end of one send of this endpoint may let something through that the last claim had to leave. */
  mayUnblock(endpointId: string): boolean {
    return this.full || this.capped.has(endpointId);
  }

  /** Whether something has ended since the claim was told the counts: nobody else will ask for the next one. */
  hasFreed(): boolean {
    if (this.room <= 0) return false;
    return this.full || [...this.capped].some((id) => (this.counts.get(id) ?? 0) < MAX_PER_ENDPOINT);
  }
}
