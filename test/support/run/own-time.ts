const TICK_MS = 50;
/** Of the time between two ticks no more counts, unless the process has worked for longer. */
const MOST_OF_A_TICK_MS = 5 * TICK_MS;

/**
 * What this process has used of its processors so far, in milliseconds. What the machine gives to others, and a time in
 * which it stands still, are no part of that.
 */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

export interface Stopwatch {
  /** @returns the milliseconds since the start */
  stop(): number;
}

/**
 * Measures time as this process has it: what it waits for and what it works on count, and a machine that stands still for
 * seconds adds a quarter of one. For what must not take longer than a wait of so many seconds, on a busy machine too.
 */
export function stopwatch(): Stopwatch {
  let [ownMs, lastMs, lastProcessorMs] = [0, performance.now(), processorMs()];
  const tick = () => {
    const [nowMs, usedMs] = [performance.now(), processorMs()];
    ownMs += Math.min(nowMs - lastMs, Math.max(MOST_OF_A_TICK_MS, usedMs - lastProcessorMs));
    [lastMs, lastProcessorMs] = [nowMs, usedMs];
  };
  const ticking = setInterval(tick, TICK_MS).unref();
  return {
    stop() {
      clearInterval(ticking);
      tick();
      return ownMs;
    },
  };
}

/** @returns for how long something was waited for and worked on, in this process's own milliseconds */
export async function ownMsOf(work: () => Promise<unknown>): Promise<number> {
  const watch = stopwatch();
  let ms = 0;
  try {
    await work();
  } finally {
    ms = watch.stop();
  }
  return ms;
}
