import dns, { type LookupAddress, type LookupAllOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { orLate } from '../deadline.js';
import { FairQueue } from '../fair-queue.js';

/** A small part of the deadline of any connection; a name server that answers at all answers sooner. */
const PATIENCE_MS = 1_000;
/** What was found earlier is not taken without having been found again. */
const KEPT_MS = 600_000;

/**
 * No honest name has more. A name server's answer may hold thousands, and each would be judged, or dialled one after
 * the other.
 */
export const MOST_ADDRESSES = 32;

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
  private readonly ask: NonNullable<NameLookupOptions['ask']>;
  private readonly patienceMs: number;
  private readonly keptMs: number;
  private readonly queue = new FairQueue(1);
  private readonly open = new Map<string, Promise<Addresses>>();
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

  /**
   * First whoever was found last time: their name server is not the silent one. After each of them one that was not, or those that
   * are asked for all the time would keep it from ever being found.
   */
  private begin(key: string, hostname: string, options: dns.LookupOptions): Promise<Addresses> {
    const place = { line: this.found.has(key) ? 'first' : 'second', of: key } as const;
    const answer = this.queue.run(place, async () => {
      const addresses = await this.ask(hostname, { ...options, all: true });
      // The machine has put the best first.
      return addresses.slice(0, MOST_ADDRESSES);
    });
    const ended = () => this.open.delete(key);
    answer.then(
      (addresses) => {
        ended();
        this.found.set(key, { addresses, atMs: performance.now() });
      },
      () => {
        ended();
        this.found.delete(key);
      },
    );
    this.open.set(key, answer);
    return answer;
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
