import type { Transfer } from '../../chains/chains.types.js';

/**
 * How much of these transfers had been observed by a moment. What takes the place of other money counts from when that
 * was observed, for no more than it replaces: and never is it more, all together, than could have been mined together of
 * what had been observed by then. What was replaced may come back, and then it counts by itself and for nothing else.
 */
export function sumCountingBy(transfers: readonly Transfer[], moment: Date): bigint {
  return sumOf(transfers, ({ observedAt }) => observedAt <= moment);
}

/** How much of that we had seen ourselves by then: what was observed in time may have been told to us later. */
export function sumSeenBy(transfers: readonly Transfer[], moment: Date): bigint {
  return sumOf(transfers, ({ firstSeenAt }) => firstSeenAt <= moment);
}

/** When the first of it was observed. */
export function firstObservedAt(transfer: Transfer): Date {
  return momentsOf(transfer)[0]!;
}

/** When the last of it was observed. */
export function whollyObservedAt(transfer: Transfer): Date {
  if (transfer.inPlaceOf.length === 0) return transfer.observedAt;
  const isWhole = (moment: Date) => sumCountingBy([transfer], moment) >= transfer.amountAtoms;
  return momentsOf(transfer).find(isWhole) ?? transfer.observedAt;
}

/** What was there counts whole; anything else draws on what was there and is not counted otherwise. */
function sumOf(transfers: readonly Transfer[], wasThere: (transfer: Transfer) => boolean): bigint {
  const counted = new Map<string, bigint>();
  /** What is used up by what is counted, and by whom: of two that use one up, or are in one place, one can be mined. */
  const taken = new Map<string, string>();
  /** @returns as much of it as there is room for and as is not counted yet; nothing beside what excludes it */
  const count = ({ id, txid, output, uses, amountAtoms }: Transfer, room: bigint): bigint => {
    const place = `${txid}/${output}`;
    if ((taken.get(place) ?? id) !== id || uses.some((use) => (taken.get(use) ?? txid) !== txid)) return 0n;
    const before = counted.get(id) ?? 0n;
    const atoms = smaller(amountAtoms - before, room);
    if (atoms <= 0n) return 0n;
    counted.set(id, before + atoms);
    taken.set(place, id);
    for (const use of uses) taken.set(use, txid);
    return atoms;
  };
  const draw = (heir: Transfer, room: bigint, walked: Set<string>): bigint => {
    let drawn = 0n;
    for (const source of [...heir.inPlaceOf].sort(byAmount)) {
      if (walked.has(source.id)) continue;
      walked.add(source.id);
      // A chain hands on no more than each of its links held.
      const most = smaller(room - drawn, source.amountAtoms);
      drawn += wasThere(source) ? count(source, most) : draw(source, most, walked);
    }
    return drawn;
  };
  const ordered = [...transfers].sort(byAmount);
  const there = ordered.filter(wasThere).reduce((sum, t) => sum + count(t, t.amountAtoms), 0n);
  const later = ordered.filter((transfer) => transfer.inPlaceOf.length > 0 && !wasThere(transfer));
  return later.reduce((sum, heir) => sum + draw(heir, heir.amountAtoms, new Set([heir.id])), there);
}

/** It and what it can draw on, by when each was observed; nothing that came later than itself. */
function momentsOf(transfer: Transfer): Date[] {
  if (transfer.inPlaceOf.length === 0) return [transfer.observedAt];
  const reached = new Set([transfer]);
  for (const { inPlaceOf } of reached) for (const source of inPlaceOf) reached.add(source);
  return [...reached]
    .map(({ observedAt }) => observedAt)
    .filter((moment) => moment <= transfer.observedAt)
    .sort((a, b) => a.getTime() - b.getTime());
}

/** The largest first: of what excludes each other, that one counts. The same order whoever asks. */
function byAmount(a: Transfer, b: Transfer): number {
  if (a.amountAtoms !== b.amountAtoms) return a.amountAtoms > b.amountAtoms ? -1 : 1;
  if (a.txid !== b.txid) return a.txid < b.txid ? -1 : 1;
  return a.output < b.output ? -1 : 1;
}

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);
