import { setTimeout as sleep } from 'node:timers/promises';

/** Lets requests through one after the other, at most so many a second: the watcher shares the node and comes first. */
export class Pace {
  /** Requests that were let through. */
  requests = 0;
  private freeAtMs = 0;

  constructor(private readonly perSecond: number) {}

  /** @throws AbortError when `signal` ends the wait */
  async turn(signal?: AbortSignal): Promise<void> {
    const nowMs = performance.now();
    const atMs = Math.max(nowMs, this.freeAtMs);
    this.freeAtMs = atMs + 1_000 / this.perSecond;
    this.requests += 1;
    if (atMs > nowMs) await sleep(atMs - nowMs, undefined, signal ? { signal } : {});
  }
}
