import { setTimeout as sleep } from 'node:timers/promises';

export interface PatienceOptions {
  /** From the end of a look to the next. */
  readonly everyMs: number;
  /** In a row, with nothing new in any of them. */
  readonly looksInVain: number;
}

/** What a look has found; or how far it is, in words that are other ones as soon as something has gone on. */
export type Look<T> = { readonly found: T } | { readonly seen: string };

/**
 * Waits for what others do, for as long as anything goes on: it counts looks at which nothing was new, and no seconds. On a machine
 * with much else to do looks take longer too, and while a process stands still it makes none. Those who wait with the same one may
 * wait for each other's turn, so what goes on for one of them goes on for all.
 */
export class Patience {
  /** How often something has gone on. */
  private steps = 0;

  constructor(private readonly options: PatienceOptions) {}

  /** Something has gone on that `until` does not see by itself. */
  goesOn(): void {
    this.steps += 1;
  }

  /**
   * Looks until it is found.
   * @param gaveUp the error for when nothing has gone on for too many looks
   * @throws what `look` throws; what `gaveUp` makes of what was seen last
   */
  async until<T>(look: () => Promise<Look<T>>, gaveUp: (seen: string) => Error): Promise<T> {
    let seen: string | null = null;
    let known = this.steps;
    for (let inVain = 0; ; inVain += 1) {
      const now = await look();
      if ('found' in now) {
        this.goesOn();
        return now.found;
      }
      if (seen !== null && now.seen !== seen) this.goesOn();
      seen = now.seen;
      if (this.steps !== known) [known, inVain] = [this.steps, 0];
      if (inVain >= this.options.looksInVain) throw gaveUp(seen);
      await sleep(this.options.everyMs);
    }
  }
}
