/** The longest that a timer can wait. */
const NEVER_MS = 2 ** 31 - 1;

interface Held {
  readonly ms: number;
  readonly run: () => void;
}

/**
 * Timers of certain lengths come when a test says so, or never: no machine is too slow for such a deadline, and nobody has to
 * wait for it. All others are as ever, and so are the clocks. One of these at a time.
 */
export class HeldTimers {
  private readonly held = new Map<unknown, Held>();
  private readonly spies: readonly { mockRestore(): void }[];

  /** From now on, whoever sets them. @param isMeant by their milliseconds */
  constructor(isMeant: (ms: number) => boolean) {
    const { setTimeout: set, clearTimeout: clear } = globalThis;
    const hold = (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]): NodeJS.Timeout => {
      if (!isMeant(ms)) return set(run, ms, ...args);
      const timer = set(() => undefined, NEVER_MS).unref();
      this.held.set(timer, { ms, run: () => run(...args) });
      return timer;
    };
    const letGo = (timer: NodeJS.Timeout | undefined): void => {
      this.held.delete(timer);
      clear(timer);
    };
    this.spies = [
      jest.spyOn(globalThis, 'setTimeout').mockImplementation(hold as never),
      jest.spyOn(globalThis, 'clearTimeout').mockImplementation(letGo as never),
    ];
  }

  /** How many are set and have not come. */
  get count(): number {
    return this.held.size;
  }

  /** The time of these is up. @returns how long they were to wait */
  come(isDue: (ms: number) => boolean = () => true): number[] {
    const due = [...this.held].filter(([, { ms }]) => isDue(ms));
    for (const [timer] of due) {
      this.held.delete(timer);
      clearTimeout(timer as NodeJS.Timeout);
    }
    for (const [, { run }] of due) run();
    return due.map(([, { ms }]) => ms);
  }

  /** Those that have not come never do. */
  restore(): void {
    for (const spy of this.spies) spy.mockRestore();
    for (const timer of this.held.keys()) clearTimeout(timer as NodeJS.Timeout);
    this.held.clear();
  }
}
