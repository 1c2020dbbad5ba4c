/**
 * A moment on two clocks. The wall clock alone would let a rate grow younger when it is set back; the monotonic one
 * alone stands still while a virtual machine sleeps. Ages take whichever says more.
 */
export interface Instant {
  readonly wallMs: number;
  readonly monotonicMs: number;
}

export function elapsedMs(from: Instant, to: Instant): number {
  return Math.max(0, to.wallMs - from.wallMs, to.monotonicMs - from.monotonicMs);
}

export function earlierBy(at: Instant, ms: number): Instant {
  return { wallMs: at.wallMs - ms, monotonicMs: at.monotonicMs - ms };
}

/** The one that is longer ago, as seen from `now`. */
export function olderOf(a: Instant, b: Instant, now: Instant): Instant {
  return elapsedMs(a, now) >= elapsedMs(b, now) ? a : b;
}
