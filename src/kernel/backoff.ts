/** A wait spread by ±`fraction`, so that what failed together does not come back together. `random` in [0, 1). */
export function jitter(waitMs: number, fraction: number, random: number): number {
  return Math.round(waitMs * (1 - fraction + 2 * fraction * random));
}

/** Doubling waits between a floor and a ceiling, for loops that must never give up. */
export function exponentialWaitMs(failures: number, floorMs: number, ceilingMs: number): number {
  return Math.min(ceilingMs, floorMs * 2 ** Math.min(failures, 30));
}
