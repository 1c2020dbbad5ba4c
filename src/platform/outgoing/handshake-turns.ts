/** The certificates of an honest server take less, on a slow machine too. */
const DEAR_MS = 5;
/**
 * Since the last part that was dear, for each squared millisecond that the last one of this server took: who comes to work amid such
 * parts waits for a quarter of a millisecond on average, however dear they are.
 */
const REST_PER_SQUARED_MS = 2;
const MAX_REST_MS = 60_000;
/** For a server that has not been dear, for each millisecond of another's: whatever names servers have, a tenth of a processor. */
const OTHERS_REST_PER_MS = 9;
/** Honest ones are among them, and their exchanges have a deadline. */
const MAX_OTHERS_REST_MS = 2_000;
/** Servers of which is remembered how dear they were. */
const MAX_REMEMBERED = 1_000;

interface Handshake {
  readonly server: string;
  readonly isOver: () => boolean;
  /** Of its parts that were dear. It has certificates once: what comes behind them rests no more. */
  dearMs: number;
}

interface Waiting {
  readonly handshake: Handshake;
  readonly goOn: () => void;
}

export interface Meter {
  nowMs(): number;
  /** @returns milliseconds for which `work` kept this thread busy */
  measure(work: () => void): number;
}

/**
 * Whose handshake goes on. What a server shows as its certificates is verified at once, each signature of them, and for as
 * long as that takes nothing else is done: tens of milliseconds, by the server's choice. So one goes on in a turn of the event loop,
 * and after one that was dear they rest, those of dear servers for longest.
 */
export class HandshakeTurns {
  private readonly waiting = new Set<Waiting>();
  private readonly costs = new Map<string, number>();
  private dearMs = 0;
  private dearAtMs = -Infinity;
  private immediate: NodeJS.Immediate | null = null;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly meter: Meter = METER) {}

  /**
   * A handshake with that server.
   * @param isOver whether nobody needs it any more
   * @returns what calls its argument once, in a turn of its own, if the handshake is not over by then
   */
  begin(server: string, isOver: () => boolean): (goOn: () => void) => void {
    const handshake = { server, isOver, dearMs: 0 };
    return (goOn) => {
      this.waiting.add({ handshake, goOn });
      this.schedule();
    };
  }

  /** It has established TLS: what was dear of it may have been chance. */
  established(server: string): void {
    const cost = this.costs.get(server);
    if (cost === undefined) return;
    if (cost > 2 * DEAR_MS) this.costs.set(server, cost / 2);
    else this.costs.delete(server);
  }

  private schedule(): void {
    if (this.immediate) return;
    const next = this.next();
    if (!next) return;
    clearTimeout(this.timer);
    const restMs = this.dueMs(next.handshake) - this.meter.nowMs();
    if (restMs > 0) this.timer = setTimeout(() => this.take(), Math.ceil(restMs)).unref();
    else this.immediate = setImmediate(() => this.take());
  }

  private take(): void {
    this.immediate = null;
    const next = this.next();
    // Not the one that this turn was for, if that is over.
    if (next && this.dueMs(next.handshake) <= this.meter.nowMs()) {
      this.waiting.delete(next);
      const tookMs = this.meter.measure(next.goOn);
      if (tookMs > DEAR_MS) this.remember(next.handshake, tookMs);
    }
    this.schedule();
  }

  /** Whose rest is over first, of several the one that has waited longest. What is over is forgotten. */
  private next(): Waiting | undefined {
    let [first, firstMs] = [undefined as Waiting | undefined, Infinity];
    for (const one of this.waiting) {
      const dueMs = this.dueMs(one.handshake);
      if (one.handshake.isOver()) this.waiting.delete(one);
      else if (!first || dueMs < firstMs) [first, firstMs] = [one, dueMs];
    }
    return first;
  }

  private dueMs({ server, dearMs }: Handshake): number {
    if (dearMs > 0) return -Infinity;
    const cost = this.costs.get(server);
    const restMs =
      cost === undefined
        ? Math.min(OTHERS_REST_PER_MS * this.dearMs, MAX_OTHERS_REST_MS)
        : Math.min(REST_PER_SQUARED_MS * cost ** 2, MAX_REST_MS);
    return this.dearAtMs + restMs;
  }

  private remember(handshake: Handshake, tookMs: number): void {
    const { server } = handshake;
    handshake.dearMs += tookMs;
    this.dearMs = handshake.dearMs;
    this.dearAtMs = this.meter.nowMs();
    this.costs.delete(server);
    this.costs.set(server, handshake.dearMs);
    const [oldest] = this.costs.keys();
    if (this.costs.size > MAX_REMEMBERED && oldest !== undefined) this.costs.delete(oldest);
  }
}

const METER: Meter = {
  nowMs: () => performance.now(),
  /** The shorter of two: time goes by while another process has the processor, which this one's other threads use too. */
  measure(work) {
    const [startedMs, used] = [performance.now(), process.cpuUsage()];
    work();
    const { user, system } = process.cpuUsage(used);
    return Math.min(performance.now() - startedMs, (user + system) / 1_000);
  },
};
