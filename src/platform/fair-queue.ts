/** Where somebody waits: in which of the two lines, and with whom they share what they get of it. */
export interface Place {
  readonly line: 'first' | 'second';
  readonly of: string;
}

/** Starts what has waited. */
type Start = () => void;

/**
 * Few at once, and the others wait. The first line goes first, and after each of it one of the second, or those who come all the
 * time would keep it from ever having its turn. Within a line all take turns, however many each of them has waiting.
 */
export class FairQueue {
  private readonly lines = { first: new Line(), second: new Line() };
  private running = 0;
  private isSecondsTurn = false;

  constructor(private readonly atOnce: number) {}

  /** How many wait that share this place. */
  waiting({ line, of }: Place): number {
    return this.lines[line].waiting(of);
  }

  async run<Result>(place: Place, work: () => Promise<Result>): Promise<Result> {
    if (this.running < this.atOnce) this.begin(place.line);
    else await new Promise<void>((start) => this.lines[place.line].join(place.of, start));
    try {
      return await work();
    } finally {
      // Whoever waits takes over the place; it is never free in between.
      this.running -= 1;
      this.next();
    }
  }

  private begin(line: Place['line']): void {
    this.running += 1;
    this.isSecondsTurn = line === 'first';
  }

  private next(): void {
    const order = this.isSecondsTurn ? (['second', 'first'] as const) : (['first', 'second'] as const);
    for (const line of order) {
      const start = this.lines[line].take();
      if (!start) continue;
      this.begin(line);
      return start();
    }
  }
}

class Line {
  /** Whose turn it is comes first. */
  private readonly starts = new Map<string, Start[]>();

  waiting(of: string): number {
    return this.starts.get(of)?.length ?? 0;
  }

  join(of: string, start: Start): void {
    this.starts.set(of, [...(this.starts.get(of) ?? []), start]);
  }

  take(): Start | undefined {
    const [whose] = this.starts;
    if (!whose) return undefined;
    const [of, [start, ...more]] = whose;
    this.starts.delete(of);
    // Whoever has more waiting comes again after all others.
    if (more.length > 0) this.starts.set(of, more);
    return start;
  }
}
