import { orLate } from '../../../../platform/deadline.js';

/** What the watcher can do without holds up a network for no longer than this: one call, and all of a step together. */
export const SLOW_MS = 3_000;
/** What was slower is left alone for this long, or every step would wait for it again. */
const REST_MS = 60_000;

/** A time in which something is not asked for, or only aside. */
export class Rest {
  private untilMs = 0;
  private triedMs: number | null = null;

  get isOn(): boolean {
    return performance.now() < this.untilMs;
  }

  begin(ms = REST_MS): void {
    this.untilMs = performance.now() + ms;
  }

  end(): void {
    this.untilMs = 0;
  }

  /**
   * Nobody waits for it: what is answered in time has rested enough. Asks once in that time, however often it is called.
   * @param ask what will be asked once more, no less; says whether that was answered
   */
  tryAside(ask: () => Promise<boolean>): void {
    const nowMs = performance.now();
    if (this.triedMs !== null && nowMs < this.triedMs + SLOW_MS) return;
    this.triedMs = nowMs;
    const answered = orLate(ask(), SLOW_MS, () => false).catch(() => false);
    void answered.then((isAnswered) => {
      if (isAnswered) this.end();
    });
  }
}
