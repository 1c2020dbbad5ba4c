import dns, { type LookupAddress, type LookupAllOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { orLate } from '../deadline.js';

/** A small part of the deadline of any connection; a name server that answers at all answers sooner. */
const PATIENCE_MS = 1_000;
/** What was found earlier is not taken without having been found again. */
const KEPT_MS = 600_000;

type Addresses = readonly LookupAddress[];

export interface NameLookupOptions {
  readonly ask?: (hostname: string, options: LookupAllOptions) => Promise<LookupAddress[]>;
  readonly patienceMs?: number;
  readonly keptMs?: number;
}

/**
 * The machine's own look-up, by which hosts files and search domains apply, one at a time and one for all who ask for a
 * name. libuv has two under way in a process, and one whose name server is silent goes on for ten seconds and more,
 * whatever deadline its caller has. The other is left to who looks names up without us, such as the database's driver (ADR 77).
 * For names of the operator's, which are few; those that anybody else may give are judged and never come here.
 */
export class NameLookup {
  private readonly ask;
  private readonly patienceMs: number;
  private readonly keptMs: number;
  private isAsking = false;
  private isUnfoundsTurn = false;
  private readonly open = new Map<string, Promise<Addresses>>();
  /** Whose turn has not come, in the order in which they were asked. */
  private readonly waiting = new Map<string, () => void>();
  /** What each name's last look-up found; one that failed is not in it. */
  private readonly found = new Map<string, { readonly addresses: Addresses; readonly atMs: number }>();

  constructor({ ask, patienceMs, keptMs }: NameLookupOptions = {}) {
    this.ask = ask ?? dns.promises.lookup;
    this.patienceMs = patienceMs ?? PATIENCE_MS;
    this.keptMs = keptMs ?? KEPT_MS;
  }

  /** For `net.connect`, as `dns.lookup` answers it. Whose look-up has not been answered after a second gets what was found last. */
  readonly lookup: LookupFunction = lookupBy(async (hostname, options) => {
    const key = [hostname, options.family, options.hints].join(' ');
    const answer = this.open.get(key) ?? this.begin(key, hostname, options);
    const last = this.found.get(key);
    if (!last || performance.now() - last.atMs > this.keptMs) return answer;
    return orLate(answer, this.patienceMs, () => last.addresses);
  });

  private begin(key: string, hostname: string, options: dns.LookupOptions): Promise<Addresses> {
    const turn = new Promise<void>((resolve) => this.waiting.set(key, resolve));
    const answer = turn.then(() => this.ask(hostname, { ...options, all: true }));
    const ended = (answered: () => void) => {
      answered();
      this.open.delete(key);
      this.isAsking = false;
      this.next();
    };
    answer.then(
      (addresses) => ended(() => this.found.set(key, { addresses, atMs: performance.now() })),
      () => ended(() => this.found.delete(key)),
    );
    this.open.set(key, answer);
    this.next();
    return answer;
  }

  /**
   * First whoever was found last time: their name server is not the silent one. After each of them one that was not, or those that
   * are asked for all the time would keep it from ever being found.
   */
  private next(): void {
    if (this.isAsking) return;
    const keys = [...this.waiting.keys()];
    const key = keys.find((waiting) => this.found.has(waiting) !== this.isUnfoundsTurn) ?? keys[0];
    const start = key === undefined ? undefined : this.waiting.get(key);
    if (key === undefined || !start) return;
    this.isAsking = true;
    this.isUnfoundsTurn = this.found.has(key);
    this.waiting.delete(key);
    start();
  }
}

/** The process's one, because the threads are the process's. */
export const { lookup: sharedLookup } = new NameLookup();

/** @param addressesOf a name; rejects where there is none */
export function lookupBy(
  addressesOf: (hostname: string, options: dns.LookupOptions) => Promise<Addresses>,
): LookupFunction {
  return (hostname, options, callback) => {
    addressesOf(hostname, options).then(
      (addresses) => {
        const [first] = addresses;
        if (options.all) callback(null, [...addresses]);
        else callback(null, first?.address ?? '', first?.family);
      },
      (error: Error) => callback(error, ''),
    );
  };
}
