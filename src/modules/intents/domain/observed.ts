import { entryAt } from '../../../kernel/lookups.js';
import type { Transfer } from '../../chains/chains.types.js';

/**
 * How much of these transfers had been observed by a moment. A transfer that replaced others counts from when those were
 * observed, up to their amount. Of transfers that exclude each other a block can hold one alone, so what counts together is never
 * more than blocks could have held of what had been observed by then. A transfer that was replaced may come back: then it
 * counts by itself, and no longer for the one in its place.
 */
export function sumCountingBy(transfers: readonly Transfer[], moment: Date): bigint {
  return sumOf(transfers, ({ observedAt }) => observedAt <= moment);
}

/** How much of that we had seen ourselves by then: what was observed in time may have been told to us later. */
export function sumSeenBy(transfers: readonly Transfer[], moment: Date): bigint {
  return sumOf(transfers, ({ firstSeenAt }) => firstSeenAt <= moment);
}

/** How much of one transfer, for itself, counts by a moment. */
export function atomsCountingBy({ amountAtoms, observedAt, inPlaceOf }: Transfer, moment: Date): bigint {
  if (observedAt <= moment) return amountAtoms;
  return inPlaceOf.length === 0 ? 0n : smaller(amountAtoms, pastOf(inPlaceOf).sumBy(moment));
}

/** When the first of it was observed. */
export function firstObservedAt({ observedAt, inPlaceOf }: Transfer): Date {
  const first = inPlaceOf.length === 0 ? observedAt : entryAt(pastOf(inPlaceOf).moments, 0);
  return first < observedAt ? first : observedAt;
}

/** When the last of it was observed. */
export function whollyObservedAt({ observedAt, inPlaceOf, amountAtoms }: Transfer): Date {
  if (inPlaceOf.length === 0) return observedAt;
  const past = pastOf(inPlaceOf);
  // The longer one waits, the more of it has been observed: the first moment of enough is found by halving.
  let [from, to] = [0, past.moments.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (past.sumBy(entryAt(past.moments, middle)) >= amountAtoms) to = middle;
    else from = middle + 1;
  }
  const whole = past.moments[to];
  return whole && whole < observedAt ? whole : observedAt;
}

/** What was there counts whole; anything else draws on what was there and is not counted otherwise. */
function sumOf(transfers: readonly Transfer[], wasThere: (transfer: Transfer) => boolean): bigint {
  const counting = new Counting(wasThere);
  const rooms = new Map<readonly Transfer[], bigint>();
  let sum = 0n;
  for (const transfer of [...transfers].sort(byAmount)) {
    const { amountAtoms, inPlaceOf } = transfer;
    if (wasThere(transfer)) sum += counting.count(transfer, amountAtoms);
    else if (inPlaceOf.length > 0) rooms.set(inPlaceOf, (rooms.get(inPlaceOf) ?? 0n) + amountAtoms);
  }
  for (const [sources, room] of rooms) sum += counting.draw(sources, room);
  return sum;
}

/** What is counted of some transfers together, and what that leaves to others. */
class Counting {
  private readonly counted = new Map<string, bigint>();
  /** In which place something is counted, and what. */
  private readonly placed = new Map<string, string>();
  /** What is used up by what is counted. */
  private readonly used = new Map<string, Transfer>();

  constructor(private readonly wasThere: (transfer: Transfer) => boolean) {}

  /** @returns as much of it as there is room for and as is not counted yet; nothing beside what excludes it */
  count(transfer: Transfer, room: bigint): bigint {
    const { id, txid, output, uses, amountAtoms } = transfer;
    const { counted, placed, used } = this;
    const before = counted.get(id) ?? 0n;
    const atoms = smaller(amountAtoms - before, room);
    if (atoms <= 0n) return 0n;
    const place = `${txid}/${output}`;
    if ((placed.get(place) ?? id) !== id || uses.some((use) => excludes(used.get(use), transfer))) return 0n;
    counted.set(id, before + atoms);
    placed.set(place, id);
    for (const use of uses) used.set(use, transfer);
    return atoms;
  }

  /** @returns what those who came in the place of these may count for: a chain hands on no more than each link held */
  draw(sources: readonly Transfer[], room: bigint, walked = new Set([sources])): bigint {
    const links = new Map<readonly Transfer[], bigint>();
    let drawn = 0n;
    for (const source of orderOf(sources)) {
      const { inPlaceOf, amountAtoms } = source;
      if (this.wasThere(source)) drawn += this.count(source, room - drawn);
      else if (inPlaceOf.length > 0) links.set(inPlaceOf, (links.get(inPlaceOf) ?? 0n) + amountAtoms);
    }
    for (const [further, held] of links) {
      if (walked.has(further)) continue;
      walked.add(further);
      drawn += this.draw(further, smaller(room - drawn, held), walked);
    }
    return drawn;
  }
}

/** What somebody took the place of, as it was by each moment. Those that came together share one list, and so one past. */
class Past {
  /** When any of it was observed, each once, the earliest first. */
  readonly moments: readonly Date[];
  private readonly sums = new Map<number, bigint>();

  constructor(private readonly sources: readonly Transfer[]) {
    const times = new Set<number>();
    const lists = new Set([sources]);
    for (const list of lists) {
      for (const { observedAt, inPlaceOf } of list) {
        times.add(observedAt.getTime());
        if (inPlaceOf.length > 0) lists.add(inPlaceOf);
      }
    }
    this.moments = [...times].sort((a, b) => a - b).map((time) => new Date(time));
  }

  /** How much of it counts by a moment, for somebody who has room for all. */
  sumBy(moment: Date): bigint {
    const key = moment.getTime();
    const known = this.sums.get(key);
    if (known !== undefined) return known;
    const all = this.sources.reduce((sum, { amountAtoms }) => sum + amountAtoms, 0n);
    const sum = new Counting(({ observedAt }) => observedAt <= moment).draw(this.sources, all);
    this.sums.set(key, sum);
    return sum;
  }
}

const pasts = new WeakMap<readonly Transfer[], Past>();
const orders = new WeakMap<readonly Transfer[], readonly Transfer[]>();

function pastOf(sources: readonly Transfer[]): Past {
  const past = pasts.get(sources) ?? new Past(sources);
  pasts.set(sources, past);
  return past;
}

function orderOf(sources: readonly Transfer[]): readonly Transfer[] {
  const order = orders.get(sources) ?? [...sources].sort(byAmount);
  orders.set(sources, order);
  return order;
}

/** The largest first: of what excludes each other, that one counts. The same order whoever asks. */
function byAmount(a: Transfer, b: Transfer): number {
  if (a.amountAtoms !== b.amountAtoms) return a.amountAtoms > b.amountAtoms ? -1 : 1;
  if (a.txid !== b.txid) return a.txid < b.txid ? -1 : 1;
  return a.output < b.output ? -1 : 1;
}

/**
 * Of two transactions that use up one thing, one can be mined. Where both are in blocks, both were: then a node has once
 * said a wrong sender, and no money may stay uncounted for it.
 */
function excludes(other: Transfer | undefined, { txid, state }: Transfer): boolean {
  if (other === undefined || other.txid === txid) return false;
  return other.state !== 'included' || state !== 'included';
}

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);
