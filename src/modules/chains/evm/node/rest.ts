/** What the watcher can do without holds up a network for no longer than this: one call, and all of a step together. */
export const SLOW_MS = 3_000;
/** What was slower is left alone for this long, or every step would wait for it again. */
const REST_MS = 60_000;

/** A time in which something is not asked for. */
export class Rest {
  private untilMs = 0;

  get isOn(): boolean {
    return performance.now() < this.untilMs;
  }

  begin(ms = REST_MS): void {
    this.untilMs = performance.now() + ms;
  }

  end(): void {
    this.untilMs = 0;
  }
}
