import { RecentlyUsed } from '../../kernel/recently-used.js';

/** Of certificates that somebody has signed whom we trust less is verified, on a slow machine too. */
const DEAR_MS = 5;
/** For how long a server that was dear rests for longer than others. */
const DEAR_FOR_MS = 600_000;
/** For each squared millisecond: who comes to work amid such handshakes waits for a quarter of one on average, however dear they are. */
const DEAR_REST_PER_SQUARED_MS = 2;
const MAX_DEAR_REST_MS = 60_000;
/** For each millisecond, of servers that are not known yet: a tenth of a processor for all of them, whatever names they have. */
const UNKNOWN_REST_PER_MS = 9;
/** Honest ones are among them, and their exchanges have a deadline. */
const MAX_UNKNOWN_REST_MS = 2_000;
const MAX_REMEMBERED = 1_000;

/** What is known of a server. */
interface Server {
  /** The last time that a handshake failed that was dear. */
  dearAtMs: number;
  hasEstablished: boolean;
}

interface Handshake {
  readonly server: Server;
  readonly isOver: () => boolean;
  /** How long it has kept us so far, and until when. */
  tookMs: number;
  lastAtMs: number;
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
 * long as that takes nothing else is done: tens of milliseconds, by the server's choice. So one goes on in a turn of the event loop.
 * What is shown by a server that establishes TLS somebody has signed whom we trust; such servers never wait for others. After a
 * handshake that failed all others rest, in proportion to what it took, and those of servers that were dear for longest.
 */
export class HandshakeTurns {
  private readonly waiting = new Set<Waiting>();
  /** Begun, and neither established nor failed. */
  private readonly open = new Set<Handshake>();
  private readonly servers = new RecentlyUsed<Server>(MAX_REMEMBERED);
  private unknownUntilMs = -Infinity;
  private dearUntilMs = -Infinity;
  private immediate: NodeJS.Immediate | null = null;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly meter: Meter = METER) {}

  /** A handshake with that server. @param isOver whether nobody needs it any more */
  begin(name: string, isOver: () => boolean) {
    const server = this.servers.get(name, () => ({ dearAtMs: -Infinity, hasEstablished: false }));
    const handshake: Handshake = { server, isOver, tookMs: 0, lastAtMs: 0 };
    return {
      /** @param goOn called once, in a turn of its own, if the handshake is not over by then */
      wait: (goOn: () => void): void => {
        this.open.add(handshake);
        this.waiting.add({ handshake, goOn });
        this.schedule();
      },
      established: (): void => {
        server.hasEstablished = true;
        this.open.delete(handshake);
      },
    };
  }

  private schedule(): void {
    if (this.immediate) return;
    const next = this.next();
    if (!next) return;
    clearTimeout(this.timer);
    const restMs = next.dueMs - this.meter.nowMs();
    if (restMs > 0) this.timer = setTimeout(() => this.take(), Math.ceil(restMs)).unref();
    else this.immediate = setImmediate(() => this.take());
  }

  private take(): void {
    this.immediate = null;
    const next = this.next();
    // Not the one that this turn was for, if that is over.
    if (next && next.dueMs <= this.meter.nowMs()) {
      const { handshake, goOn } = next.one;
      this.waiting.delete(next.one);
      handshake.tookMs += this.meter.measure(goOn);
      handshake.lastAtMs = this.meter.nowMs();
    }
    this.schedule();
  }

  /** Who need not rest, or whose rest is over first; of several the one that has waited longest. */
  private next(): { one: Waiting; dueMs: number } | null {
    this.settle();
    const open = [...this.open];
    const unknownMs = Math.max(this.unknownUntilMs, ...open.map(unknownUntilMs));
    const dearMs = Math.max(this.dearUntilMs, ...open.map(dearUntilMs));
    const dueMsOf = ({ server, tookMs }: Handshake): number => {
      // It has certificates once: what comes behind them rests no more.
      if (tookMs > DEAR_MS) return -Infinity;
      if (this.isDear(server)) return dearMs;
      return server.hasEstablished ? -Infinity : unknownMs;
    };
    let first: { one: Waiting; dueMs: number } | null = null;
    for (const one of this.waiting) {
      const dueMs = dueMsOf(one.handshake);
      if (one.handshake.isOver()) this.waiting.delete(one);
      else if (!first || dueMs < first.dueMs) first = { one, dueMs };
    }
    return first;
  }

  /** Those that have failed meanwhile. */
  private settle(): void {
    for (const one of this.open) {
      if (!one.isOver()) continue;
      this.open.delete(one);
      this.unknownUntilMs = Math.max(this.unknownUntilMs, unknownUntilMs(one));
      this.dearUntilMs = Math.max(this.dearUntilMs, dearUntilMs(one));
      if (one.tookMs > DEAR_MS) one.server.dearAtMs = one.lastAtMs;
    }
  }

  private isDear({ dearAtMs }: Server): boolean {
    return this.meter.nowMs() < dearAtMs + DEAR_FOR_MS;
  }
}

function unknownUntilMs({ lastAtMs, tookMs }: Handshake): number {
  return lastAtMs + Math.min(UNKNOWN_REST_PER_MS * tookMs, MAX_UNKNOWN_REST_MS);
}

function dearUntilMs({ lastAtMs, tookMs }: Handshake): number {
  return (
    lastAtMs + (tookMs > DEAR_MS ? Math.min(DEAR_REST_PER_SQUARED_MS * tookMs ** 2, MAX_DEAR_REST_MS) : 0)
  );
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
