import fc from 'fast-check';
import { transfer } from '../../../../test/support/intents/payment.js';
import type { Transfer } from '../../chains/chains.types.js';
import { firstObservedAt, sumCountingBy, sumSeenBy, whollyObservedAt } from './observed.js';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 22, 8, minute));
const END = at(15);
/** `atoms` in a transaction of its own, that spends these coins; in no block, and told to us as it was observed. */
const sent = (txid: string, atoms: bigint, minute: number, coins: string, given: Partial<Transfer> = {}) =>
  transfer({
    id: `tr_${txid}`,
    txid,
    output: 'out:0',
    amountAtoms: atoms,
    uses: [...coins],
    state: 'mempool',
    observedAt: at(minute),
    firstSeenAt: at(minute),
    ...given,
  });
const inPlaceOf = (...others: Transfer[]) => ({ inPlaceOf: others });
const inTime = (...transfers: Transfer[]) => sumCountingBy(transfers, END);

describe('money that takes the place of other money', () => {
  const one = sent('a', 60n, 1, 'x');
  const two = sent('b', 10n, 2, 'y');
  const heir = sent('c', 100n, 20, 'xy', inPlaceOf(one, two));

  it('counts from when that was observed, for no more than that was, and else from its own sight', () => {
    expect([0, 1, 2, 19, 20].map((minute) => sumCountingBy([heir], at(minute)))).toEqual([
      0n,
      60n,
      70n,
      70n,
      100n,
    ]);
    expect([firstObservedAt(heir), whollyObservedAt(heir)]).toEqual([at(1), at(20)]);
  });

  it('counts the same in whichever order that is told', () => {
    const turned = sent('d', 70n, 20, 'xy', inPlaceOf(two, one));
    expect([0, 1, 2].map((minute) => sumCountingBy([turned], at(minute)))).toEqual([0n, 60n, 70n]);
    expect([firstObservedAt(turned), whollyObservedAt(turned)]).toEqual([at(1), at(2)]);
  });

  it('counts for no more than its own amount', () => {
    const less = sent('d', 65n, 20, 'xy', inPlaceOf(one, two));
    expect(inTime(less)).toBe(65n);
    expect([firstObservedAt(less), whollyObservedAt(less)]).toEqual([at(1), at(2)]);
  });

  it('counts from its own sight where that is earlier', () => {
    const early = sent('d', 100n, 1, 'x', inPlaceOf(sent('late', 100n, 9, 'x')));
    expect(sumCountingBy([early], at(1))).toBe(100n);
    expect([firstObservedAt(early), whollyObservedAt(early)]).toEqual([at(1), at(1)]);
  });

  it('hands on through a chain no more than each of its links held', () => {
    const link = sent('link', 40n, 20, 'x', inPlaceOf(one));
    expect(inTime(sent('d', 100n, 30, 'x', inPlaceOf(link)))).toBe(40n);
    const whole = sent('d', 40n, 30, 'x', inPlaceOf(link));
    expect([firstObservedAt(whole), whollyObservedAt(whole)]).toEqual([at(1), at(1)]);
  });

  it('hands on what it was in time itself, beyond what it had taken the place of', () => {
    const more = sent('more', 75n, 3, 'x', inPlaceOf(one));
    const last = sent('d', 100n, 20, 'x', inPlaceOf(more));
    expect([1, 2, 3, 19].map((minute) => sumCountingBy([last], at(minute)))).toEqual([60n, 60n, 75n, 75n]);
  });

  it('shares between the outputs of its transaction what it stands for', () => {
    const outputs = ['out:0', 'out:1'].map((output) =>
      sent('d', 50n, 20, 'x', { id: `tr_${output}`, output, ...inPlaceOf(one) }),
    );
    expect(inTime(...outputs)).toBe(60n);
    expect(inTime(outputs[1]!)).toBe(50n);
  });

  it('ends where two took the place of each other', () => {
    const others: Transfer[] = [];
    const back = sent('back', 100n, 20, 'x', { inPlaceOf: others });
    others.push(sent('d', 100n, 20, 'x', inPlaceOf(back, one)));
    expect(inTime(back)).toBe(60n);
    expect(whollyObservedAt(back)).toEqual(at(20));
  });
});

describe('what was replaced and comes back', () => {
  const one = sent('a', 40n, 1, 'x');
  const two = sent('b', 40n, 2, 'y');
  const both = sent('both', 80n, 20, 'xy', inPlaceOf(one, two));
  const part = sent('part', 56n, 21, 'y', inPlaceOf(both));

  it('counts by itself, and for nothing that had taken its place', () => {
    expect(inTime(part)).toBe(56n);
    expect(inTime(one, part)).toBe(80n);
    expect(inTime(two, part)).toBeLessThanOrEqual(80n);
  });

  it('never makes more of what was there in time, however often it goes and comes', () => {
    const dust = [sent('a', 1n, 1, 'x'), sent('b', 1n, 1, 'y')];
    const live = [...dust];
    for (let round = 0; round < 12; round += 1) {
      const all = sent(`all${round}`, 100n, 20 + round, 'xy', inPlaceOf(...live));
      const grown = round % 2;
      live[grown] = sent(`part${round}`, 100n, 20 + round, 'xy'[grown]!, inPlaceOf(all));
      expect(inTime(...live)).toBeLessThanOrEqual(2n);
    }
  });

  it('lends its time to one that takes its place anew, and then to nobody else', () => {
    const again = sent('again', 100n, 30, 'x', inPlaceOf(one));
    expect(inTime(again, part)).toBeLessThanOrEqual(80n);
    expect(inTime(again)).toBe(40n);
  });

  it('takes with it what could not have been mined beside it', () => {
    const other = sent('other', 40n, 3, 'x');
    const late = sent('late', 40n, 21, 'y', inPlaceOf(sent('all', 80n, 20, 'xy', inPlaceOf(one))));
    expect(inTime(late)).toBe(40n);
    expect(inTime(late, other)).toBe(40n);
  });

  it('of two in the same place of one transaction counts once', () => {
    const [before, now] = [1n, 2n].map((atoms) => sent('t', atoms, 1, '', { id: `tr_${atoms}` }));
    expect(inTime(before!, now!)).toBe(2n);
    expect(inTime(before!, sent('t', 5n, 1, '', { output: 'out:1' }))).toBe(6n);
  });

  it('counts the largest of what excludes each other, and of equals always the same', () => {
    const rivals = [
      sent('a', 5n, 1, 'x'),
      sent('b', 9n, 1, 'x'),
      sent('c', 9n, 1, 'xy'),
      sent('d', 3n, 1, 'y'),
    ];
    expect(inTime(...rivals)).toBe(12n);
    expect(inTime(...rivals.reverse())).toBe(12n);
  });

  it('counts two that are in blocks although a node once said that one account sent both with one number', () => {
    const mined = { state: 'included' } as const;
    const [one, two] = [sent('a', 5n, 1, 'x', mined), sent('b', 9n, 1, 'x', mined)];
    expect(inTime(one, two)).toBe(14n);
    expect(inTime(one, sent('b', 9n, 1, 'x'))).toBe(9n);
    expect(inTime(one, sent('b', 9n, 1, 'x', { state: 'orphaned' }))).toBe(9n);
  });
});

/** Transactions over a few coins, sent and sent again: whoever spends a coin takes the place of whoever did. */
const histories = fc.record({
  coins: fc.array(fc.uniqueArray(fc.constantFrom<string>('w', 'x', 'y', 'z'), { minLength: 1 }), {
    minLength: 1,
    maxLength: 6,
  }),
  pays: fc.array(fc.array(fc.integer({ min: 1, max: 10 }), { minLength: 1, maxLength: 2 }), {
    minLength: 6,
    maxLength: 6,
  }),
  sends: fc.array(fc.nat({ max: 5 }), { minLength: 2, maxLength: 10 }),
  until: fc.nat({ max: 9 }),
});

it('counts no more than could have been mined together of what was there in time, and no less than what is', () => {
  type Sent = { transfers: Transfer[]; coins: readonly string[]; at: number };
  fc.assert(
    fc.property(histories, ({ coins, pays, sends, until }) => {
      const known = new Map<number, Sent>();
      const live = new Set<Sent>();
      sends.forEach((index, minute) => {
        const spent = coins[index % coins.length]!;
        const before = known.get(index);
        const losers = [...live].filter(
          (other) => other !== before && other.coins.some((coin) => spent.includes(coin)),
        );
        const sources = losers.flatMap(({ transfers }) => transfers);
        const transfers = before
          ? before.transfers.map((transfer) => ({
              ...transfer,
              inPlaceOf: [...transfer.inPlaceOf, ...sources],
            }))
          : pays[index]!.map((atoms, output) =>
              sent(`t${index}`, BigInt(atoms), minute, spent.join(''), {
                id: `tr_${index}_${output}`,
                output: `out:${output}`,
                ...inPlaceOf(...sources),
              }),
            );
        for (const loser of losers) live.delete(loser);
        if (before) live.delete(before);
        const now = { transfers, coins: spent, at: before?.at ?? minute };
        known.set(index, now);
        live.add(now);
      });
      const counted = sumCountingBy(
        [...live].flatMap(({ transfers }) => transfers),
        at(until),
      );
      const inTime = [...known.values()].filter((each) => each.at <= until);
      expect(counted).toBeLessThanOrEqual(mostTogether(inTime));
      const there = [...live].filter((each) => each.at <= until);
      expect(counted).toBeGreaterThanOrEqual(sumOf(there.flatMap(({ transfers }) => transfers)));
    }),
    { numRuns: 2_000 },
  );

  function mostTogether([first, ...others]: readonly Sent[]): bigint {
    if (!first) return 0n;
    const beside = others.filter((other) => !other.coins.some((coin) => first.coins.includes(coin)));
    const [without, withIt] = [mostTogether(others), sumOf(first.transfers) + mostTogether(beside)];
    return without > withIt ? without : withIt;
  }
});

const sumOf = (transfers: readonly Transfer[]) =>
  transfers.reduce((sum, { amountAtoms }) => sum + amountAtoms, 0n);

describe('what we had seen ourselves by a moment', () => {
  it('is what had been seen of it then, though a block says that it was sent before', () => {
    const told = sent('a', 100n, 5, 'x', { firstSeenAt: at(9) });
    expect([sumSeenBy([told], at(8)), sumSeenBy([told], at(9))]).toEqual([0n, 100n]);
  });

  it('is, of a replacement, what we had seen of what it replaced until it is seen itself', () => {
    const seenLater = (txid: string, atoms: bigint, minute: number, coins: string, seen: number) =>
      sent(txid, atoms, minute, coins, { firstSeenAt: at(seen) });
    const others = [seenLater('a', 60n, 1, 'x', 3), seenLater('b', 10n, 4, 'y', 7)];
    const heir = { ...seenLater('c', 100n, 5, 'xy', 9), inPlaceOf: others };
    expect([2, 3, 6, 7, 9].map((minute) => sumSeenBy([heir], at(minute)))).toEqual([0n, 60n, 60n, 70n, 100n]);
  });
});
