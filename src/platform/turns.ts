/** Long work in parts of this has the loop answer everybody else in between; much shorter ones only cost. */
const SHARE_MS = 10;

const waiting: (() => void)[] = [];
/** When those who work in this turn of the loop began; null in one in which nobody does. */
let startedMs: number | null = null;

/**
 * Between the parts of long work: goes on at once until they have had their share of this turn of the event loop, all
 * together however many work at once, and then in a later turn, one after the other.
 */
export function inTurn(): Promise<void> {
  const hasTime = startedMs !== null && performance.now() - startedMs < SHARE_MS;
  if (waiting.length === 0 && hasTime) return Promise.resolve();
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(next);
  });
}

function next(): void {
  startedMs = performance.now();
  waiting.shift()?.();
  setImmediate(waiting.length > 0 ? next : end);
}

function end(): void {
  startedMs = null;
}
