import type { Taken } from '../data/claim.statement.js';
import { MAX_IN_FLIGHT, MAX_PER_ENDPOINT } from '../domain/limits.js';

/**
 * What this process is sending now, by endpoint, and where a claim stopped at a limit instead of at the end.
 * A slot in which a try failed rests: what fails costs most and brings least, so an endpoint that only fails is
 * tried at a steady pace, however much it has to get. Each success ends one rest, so that an endpoint that takes most
 * of what it gets, or is back, is not slowed.
 */
export class InFlight {
  private readonly sending = new Map<string, number>();
  /** When each rest ends, the next first. */
  private readonly rests = new Map<string, number[]>();
  private sum = 0;
  private capped: ReadonlySet<string> = new Set();
  private full = false;

  constructor(private readonly restMs: number) {}

  get room(): number {
    return MAX_IN_FLIGHT - this.sum;
  }

  /** As it is now; does not change with what ends while a claim is under way. */
  snapshot(): ReadonlyMap<string, Taken> {
    this.endRests();
    const busy = new Set([...this.sending.keys(), ...this.rests.keys()]);
    return new Map([...busy].map((id) => [id, this.takenBy(id)]));
  }

  add(endpointId: string): void {
    this.sending.set(endpointId, (this.sending.get(endpointId) ?? 0) + 1);
    this.sum += 1;
  }

  end(endpointId: string, how: 'succeeded' | 'failed'): void {
    const left = (this.sending.get(endpointId) ?? 0) - 1;
    if (left > 0) this.sending.set(endpointId, left);
    else this.sending.delete(endpointId);
    this.sum -= 1;
    const rests = this.rests.get(endpointId) ?? [];
    if (how === 'succeeded') rests.shift();
    else if (this.restMs > 0) rests.push(performance.now() + this.restMs);
    if (rests.length > 0) this.rests.set(endpointId, rests);
    else this.rests.delete(endpointId);
  }

  /** Remembers what a claim was limited by: judged by what it was told, because sends end while it runs. */
  noteClaim(before: ReadonlyMap<string, Taken>, room: number, claimed: readonly string[]): void {
    const slots = new Map([...before].map(([id, taken]) => [id, slotsOf(taken)]));
    for (const endpointId of claimed) slots.set(endpointId, (slots.get(endpointId) ?? 0) + 1);
    this.capped = new Set([...slots].filter(([, n]) => n >= MAX_PER_ENDPOINT).map(([id]) => id));
    this.full = claimed.length >= room;
  }

  /** Whether the end of one send of this endpoint may let something through that the last claim had to leave. */
  mayUnblock(endpointId: string): boolean {
    return this.full || (this.capped.has(endpointId) && this.hasSlot(endpointId));
  }

  /** Whether something has ended since the claim was told the counts: nobody else will ask for the next one. */
  hasFreed(): boolean {
    if (this.room <= 0) return false;
    return this.full || [...this.capped].some((id) => this.hasSlot(id));
  }

  private hasSlot(endpointId: string): boolean {
    return slotsOf(this.takenBy(endpointId)) < MAX_PER_ENDPOINT;
  }

  private takenBy(endpointId: string): Taken {
    const sending = this.sending.get(endpointId) ?? 0;
    const resting = this.rests.get(endpointId)?.length ?? 0;
    return { sending, resting };
  }

  private endRests(): void {
    const nowMs = performance.now();
    for (const [endpointId, ends] of this.rests) {
      const left = ends.filter((endMs) => endMs > nowMs);
      if (left.length > 0) this.rests.set(endpointId, left);
      else this.rests.delete(endpointId);
    }
  }
}

function slotsOf({ sending, resting }: Taken): number {
  return sending + resting;
}
