import {
  at,
  factsOf,
  intent,
  places,
  quote,
  transfer,
  UNMINED,
} from '../../../test/support/intents/payment.js';
import type { Transfer } from '../chains/chains.types.js';
import { droppedTransfers } from './checkout/domain/checkout.js';
import { networksOf, waitingOf } from './checkout/domain/refund-request.js';
import { finalMoney } from './domain/final-money.js';
import { leadingReason } from './domain/money-reason.js';
import { possibleAtomsOf } from './domain/transfers.js';
import { decide } from './lifecycle/domain/decide.js';
import { acceptableOf, matchingRule, uncovered } from './unsettled/domain/review.js';
import { newMoney } from './unsettled/domain/unsettled-money.js';

// Whoever sends dust, or replaces a transaction again and again, chooses how many transfers there are; each decision holds the
// event loop, and with it the leases of all networks. So twice as many may cost twice as much, and a little for sorting.
const MOST = 2.6;
const [SOME, TWICE] = [400, 800];
/** Deeper than calls can be nested. */
const ENDLESS = 30_000;

const DEEP = { height: 30, safeHeight: 29, finalizedHeight: 29 };
const expired = intent({ status: 'expired' });
const RULES = {
  acceptSeenLate: true,
  acceptShortBps: 100,
  acceptShortMinor: 0,
  acceptLateMinutes: 60,
  acceptLateMoveBps: 100,
};

const lost = { state: 'orphaned', ...UNMINED, missingSince: at(-1000), superseded: true } as const;
const dust = (length: number) =>
  Array.from({ length }, (_, i) => transfer({ txid: `0x${i}`, amountAtoms: 1n }));
/** How often anything of a list's entries is read, and any of its places. */
class Reads {
  count = 0;

  of<T>(list: readonly T[]): readonly T[] {
    return this.watched(
      list.map((one) => (typeof one === 'object' && one !== null ? this.watched(one) : one)),
    );
  }

  private watched<T extends object>(target: T): T {
    return new Proxy(target, {
      get: (on, name) => {
        this.count += 1;
        return Reflect.get(on, name);
      },
    });
  }
}

const SHAPES: Readonly<Record<string, (length: number, reads: Reads) => Transfer[]>> = {
  dust,
  'dust that took the place of dust': (length, reads) => {
    const inPlaceOf = reads.of(dust(length).map((lost) => ({ ...lost, observedAt: at(1) })));
    return dust(length).map((each) => ({ ...each, amountAtoms: 3n, observedAt: at(1), inPlaceOf }));
  },
  'dust, of which one replaced another': (length) => [
    ...dust(length),
    transfer({ txid: '0xl', amountAtoms: 1n, ...lost, replacedBy: '0x1' }),
  ],
  'dust, all of which replaced other dust': (length) => [
    ...dust(length / 2),
    ...Array.from({ length: length / 2 }, (_, i) =>
      transfer({ txid: `0xl${i}`, amountAtoms: 1n, ...lost, replacedBy: `0x${i}` }),
    ),
  ],
  'many that were replaced by one': (length) => [
    transfer({ txid: '0x0' }),
    ...Array.from({ length }, (_, i) => transfer({ txid: `0xl${i}`, ...lost, replacedBy: '0x0' })),
  ],
  'a chain of replacements': (length) => [
    transfer({ txid: '0x0' }),
    ...Array.from({ length }, (_, i) => transfer({ txid: `0x${i + 1}`, ...lost, replacedBy: `0x${i}` })),
  ],
};

function ended(transfers: readonly Transfer[], ids: (ids: readonly string[]) => readonly string[]) {
  const all = transfers.map(({ id }) => id);
  const facts = factsOf([], DEEP);
  const given = { intent: expired, quotes: [quote()], facts: { ...facts, transfers }, settled: null };
  return { ...given, announced: new Set<string>(), covered: new Set<string>(), all, ids: ids(all) };
}

type Ended = ReturnType<typeof ended>;
const WORK: Readonly<Record<string, (given: Ended) => unknown>> = {
  decide: ({ quotes, facts }) => decide(intent(), quotes, facts, at(-1000)),
  'decide, once the window is over': ({ quotes, facts }) =>
    decide(intent({ status: 'pending', completedAt: at(-1000), quoteId: 'usdc' }), quotes, facts, at(1000)),
  'possible atoms': ({ quotes, facts }) => possibleAtomsOf(quotes[0]!, facts, at(0)),
  'new money': (given) => newMoney(given, places),
  'new money, half of it dismissed': (given) =>
    newMoney({ ...given, covered: new Set(given.all.slice(given.all.length / 2)) }, places),
  'new money beside a settlement': (given) => {
    const settled = { quoteId: 'usdc', excessAtoms: 50n, transferIds: given.ids };
    return newMoney(
      { ...given, intent: intent({ status: 'settled' }), settled, covered: new Set(given.all) },
      places,
    );
  },
  'what is final': (given) => finalMoney(given, places),
  'what is open': (given) => uncovered(given.quotes, given.facts, given.covered),
  'its leading reason': (given) => leadingReason(given.facts.transfers, given),
  'what may be accepted': ({ quotes, facts }) => acceptableOf(quotes, facts),
  'which rule accepts it': ({ quotes, facts }) =>
    matchingRule(expired, quotes[0]!, facts.transfers, RULES, null),
  'what was dropped': ({ quotes, facts }) =>
    droppedTransfers(intent({ status: 'failed' }), quotes[0]!, facts),
  'what waits of a refund': (given) => waitingOf({ transfers: given.ids }, given, places, given.ids),
  'where it arrived': ({ ids, facts }) => networksOf(ids, facts, places),
};

const readsOf = (shape: string, work: string, length: number) => {
  const reads = new Reads();
  const given = ended(reads.of(SHAPES[shape]!(length, reads)), (ids) => reads.of(ids));
  reads.count = 0;
  WORK[work]!(given);
  return reads.count;
};

const CASES = Object.keys(SHAPES).flatMap((shape) => Object.keys(WORK).map((work) => [work, shape] as const));

it.each(CASES)('%s takes in proportion to %s', (work, shape) => {
  expect(readsOf(shape, work, TWICE)).toBeLessThanOrEqual(MOST * readsOf(shape, work, SOME));
});

it('a chain of replacements may be as long as its buyer pays for', () => {
  const chain = SHAPES['a chain of replacements']!(ENDLESS, new Reads());
  const { quotes, facts } = ended(chain, (ids) => ids);
  expect(possibleAtomsOf(quotes[0]!, facts, at(0))).toBe(100n);
  expect(() => decide(intent(), quotes, facts, at(-1000))).not.toThrow();
});
