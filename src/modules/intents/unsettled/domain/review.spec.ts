import fc from 'fast-check';
import { priceAt } from '../../../../../test/support/intents/amount.js';
import {
  at,
  eth,
  factsOf,
  intent,
  missing,
  quote,
  transfer,
  UNMINED,
} from '../../../../../test/support/intents/payment.js';
import type { Transfer } from '../../../chains/chains.types.js';
import type { StandingRules } from '../../../merchants/merchants.types.js';
import type { Rate } from '../../../rates/rates.types.js';
import { acceptableOf, matchingRule, uncovered } from './review.js';

const MINUTE = 60_000;
const NONE: StandingRules = {
  acceptSeenLate: false,
  acceptShortBps: 0,
  acceptShortMinor: 0,
  acceptLateMinutes: 0,
  acceptLateMoveBps: 0,
};
const LATE: StandingRules = { ...NONE, acceptLateMinutes: 10, acceptLateMoveBps: 100 };

/** CHF 50.00 for 50 USDC. */
const fifty = quote({ amountAtoms: 50_000_000n });
const marketAt = (price: string) => ({ asset: 'USDC', price: priceAt(price) }) as Rate;
/** Sent and seen so many milliseconds from the end of the window. */
const sent = (amountAtoms: bigint, offsetMs: number, seenMs = offsetMs) =>
  transfer({ amountAtoms, blockTime: at(offsetMs), firstSeenAt: at(seenMs) });

const accepted = (
  rules: StandingRules,
  transfers: readonly Transfer[],
  { market = marketAt('1'), of = fifty }: { market?: Rate | null; of?: typeof fifty } = {},
) => matchingRule(intent({ status: 'expired' }), of, transfers, rules, market);
const ruleOf = (...given: Parameters<typeof accepted>) => accepted(...given)?.rule ?? null;

it('without a standing rule nothing is accepted', () => {
  const offers = [[sent(50_000_000n, -1, MINUTE)], [sent(49_999_999n, -1)], [sent(50_000_000n, 1)], []];
  expect(offers.map((transfers) => accepted(NONE, transfers))).toEqual([null, null, null, null]);
});

it('money that was sent in time is accepted by the rule for what we saw late, and by no other', () => {
  const seenLate = [sent(50_000_000n, -1, MINUTE)];
  expect(ruleOf({ ...NONE, acceptSeenLate: true }, seenLate)).toBe('seen-late');
  expect(ruleOf({ ...LATE, acceptShortBps: 10_000, acceptShortMinor: 10_000 }, seenLate)).toBeNull();
  expect(ruleOf({ ...NONE, acceptSeenLate: true }, [sent(50_000_000n, MINUTE)])).toBeNull();
});

it('no rule accepts where the price that was quoted cannot be read, and none fails over it', () => {
  const rules = { ...LATE, acceptSeenLate: true, acceptShortBps: 10_000, acceptShortMinor: 10_000 };
  const of = quote({ amountAtoms: 50_000_000n, price: 'no price' });
  for (const transfers of [[sent(50_000_000n, -1, MINUTE)], [sent(1n, -1)], [sent(50_000_000n, 1)]]) {
    expect(ruleOf(rules, transfers)).not.toBeNull();
    expect(ruleOf(rules, transfers, { of })).toBeNull();
  }
});

describe('the rule for too little', () => {
  it('goes by the share that is missing, at most', () => {
    const onePercent = { ...NONE, acceptShortBps: 100 };
    expect(ruleOf(onePercent, [sent(49_500_000n, -1)])).toBe('short');
    expect(ruleOf(onePercent, [sent(49_499_999n, -1)])).toBeNull();
    const odd = quote({ amountAtoms: 101n });
    expect(ruleOf(onePercent, [sent(100n, -1)], { of: odd })).toBe('short');
    expect(ruleOf(onePercent, [sent(99n, -1)], { of: odd })).toBeNull();
  });

  it('or by what is missing in the currency, at the quoted price, of which a part of a cent counts whole', () => {
    const half = { ...NONE, acceptShortMinor: 50 };
    expect(ruleOf(half, [sent(49_500_000n, -1)])).toBe('short');
    expect(ruleOf(half, [sent(49_499_999n, -1)])).toBeNull();
    const dear = { of: { ...fifty, price: '2' } };
    expect(ruleOf(half, [sent(49_750_000n, -1)], dear)).toBe('short');
    expect(ruleOf(half, [sent(49_749_999n, -1)], dear)).toBeNull();
  });

  it('asks no rule for late money of what came in the last instant', () => {
    expect(ruleOf({ ...NONE, acceptShortBps: 100 }, [sent(49_500_000n, 0)])).toBe('short');
    expect(ruleOf({ ...NONE, acceptShortBps: 100 }, [sent(49_500_000n, 1)])).toBeNull();
  });

  it('adds up what came, and takes a market that it does not need for nothing', () => {
    const parts = [sent(20_000_000n, -2), sent(29_500_000n, -1)];
    expect(ruleOf({ ...NONE, acceptShortBps: 100 }, parts, { market: null })).toBe('short');
  });
});

describe('money that nobody mined for longer than a day after the window', () => {
  const DAY = 24 * 60 * MINUTE;
  const waited = (minedMs: number, amountAtoms = 49_500_000n) => [
    transfer({ amountAtoms, observedAt: at(-1), firstSeenAt: at(-1), blockTime: at(minedMs) }),
  ];
  const onePercent = { ...NONE, acceptShortBps: 100 };

  it('is all of it: one part that waited is enough', () => {
    const part = sent(20_000_000n, -1);
    expect(ruleOf(onePercent, [part, ...waited(DAY, 29_500_000n)])).toBe('short');
    expect(ruleOf(onePercent, [part, ...waited(DAY + 1, 29_500_000n)])).toBeNull();
  });

  it('is not too little alone, to the last millisecond', () => {
    expect(ruleOf(onePercent, waited(DAY))).toBe('short');
    expect(ruleOf(onePercent, waited(DAY + 1))).toBeNull();
    expect(ruleOf({ ...LATE, acceptShortBps: 100 }, waited(DAY + 1))).toBeNull();
  });

  it('is too late as well, and needs the rule for that', () => {
    const twoDays = { ...LATE, acceptLateMinutes: 2 * 24 * 60 };
    expect(ruleOf({ ...twoDays, acceptShortBps: 100 }, waited(2 * DAY))).toBe('short');
    expect(ruleOf({ ...twoDays, acceptShortBps: 100 }, waited(2 * DAY + 1))).toBeNull();
    expect(ruleOf(twoDays, waited(2 * DAY))).toBeNull();
  });

  it('was not paid in time, whoever saw it late', () => {
    const seenLate = (minedMs: number) => [{ ...waited(minedMs, 50_000_000n)[0]!, firstSeenAt: at(MINUTE) }];
    expect(ruleOf({ ...NONE, acceptSeenLate: true }, seenLate(DAY))).toBe('seen-late');
    expect(ruleOf({ ...NONE, acceptSeenLate: true }, seenLate(DAY + 1))).toBeNull();
  });

  it('may still be mined while it waits', () => {
    expect(ruleOf(onePercent, [{ ...waited(0)[0]!, ...UNMINED }])).toBe('short');
  });
});

it('money that came back counts once, and a rule for too little takes nothing in its place', () => {
  const [one, two] = ['x', 'y'].map((use) => ({ ...sent(20_000_000n, -1), txid: use, uses: [use] }));
  const both = { ...sent(40_000_000n, MINUTE), txid: 'xy', uses: ['x', 'y'], inPlaceOf: [one!, two!] };
  const heir = { ...sent(29_500_000n, MINUTE), txid: 'z', uses: ['y'], inPlaceOf: [both] };
  const onePercent = { ...NONE, acceptShortBps: 100 };
  expect(ruleOf(onePercent, [one!, heir])).toBeNull();
  expect(
    ruleOf({ ...onePercent, acceptShortBps: 2_000 }, [one!, { ...heir, amountAtoms: 20_000_000n }]),
  ).toBe('short');
});

describe('the rule for late money', () => {
  const late = [sent(50_000_000n, 10 * MINUTE)];

  it('goes by its last part, to the last millisecond of its minutes', () => {
    expect(ruleOf(LATE, late)).toBe('late');
    expect(ruleOf(LATE, [sent(50_000_000n, 10 * MINUTE + 1)])).toBeNull();
    expect(ruleOf(LATE, [sent(20_000_000n, -1), sent(30_000_000n, 10 * MINUTE)])).toBe('late');
    expect(ruleOf(LATE, [sent(20_000_000n, -1), sent(30_000_000n, 10 * MINUTE + 1)])).toBeNull();
    expect(ruleOf({ ...LATE, acceptLateMinutes: 0 }, [sent(50_000_000n, 1)])).toBeNull();
  });

  it.each([
    ['1.0099', 'late'],
    ['1.01', null],
    ['0.9901', 'late'],
    ['0.99', null],
    ['0.990001', null],
  ])('takes no price that has moved by its limit or more: 1 to %s is %s', (price, rule) => {
    expect(ruleOf(LATE, late, { market: marketAt(price) })).toBe(rule);
  });

  it('compares what the buyer would be quoted now, the spread in both', () => {
    const spread = { ...fifty, spreadBps: 500 };
    expect(ruleOf({ ...LATE, acceptLateMoveBps: 1 }, late, { of: spread })).toBe('late');
    expect(ruleOf({ ...LATE, acceptLateMoveBps: 0 }, late)).toBeNull();
  });

  it('accepts nothing while nobody knows the price', () => {
    expect(ruleOf(LATE, late, { market: null })).toBeNull();
  });

  it('is asked as well where too little came late', () => {
    const short = [sent(49_500_000n, MINUTE)];
    expect(ruleOf({ ...NONE, acceptShortBps: 100 }, short)).toBeNull();
    expect(ruleOf({ ...LATE, acceptShortBps: 100 }, short)).toBe('short');
    expect(ruleOf(LATE, short)).toBeNull();
  });
});

it('a rule takes the most that it accepts, and what came later stays: nobody undoes it with an atom', () => {
  const [price, soon, muchLater] = [sent(50_000_000n, 1), sent(1n, MINUTE), sent(1n, 60 * MINUTE)];
  expect(accepted(LATE, [price, soon, muchLater])).toEqual({ rule: 'late', transfers: [price, soon] });
});

it('that most is what looking at each length finds, whatever came and whatever the rules are', () => {
  const money = fc.array(
    fc.record({
      atoms: fc.constantFrom(1n, 400_000n, 49_500_000n, 50_000_000n),
      minute: fc.integer({ min: -2, max: 12 }),
      seenLater: fc.boolean(),
      waited: fc.boolean(),
    }),
    { maxLength: 9 },
  );
  const standing = fc.record({
    acceptSeenLate: fc.boolean(),
    acceptShortBps: fc.constantFrom(0, 100),
    acceptShortMinor: fc.constant(0),
    acceptLateMinutes: fc.constantFrom(0, 10),
    acceptLateMoveBps: fc.constantFrom(0, 100),
  });
  fc.assert(
    fc.property(money, standing, (given, rules) => {
      const transfers = given
        .sort((a, b) => a.minute - b.minute)
        .map(({ atoms, minute, seenLater, waited }, index) => ({
          ...sent(atoms, minute * MINUTE, (seenLater ? 15 : minute) * MINUTE),
          id: `tr_${index}`,
          txid: `tx${index}`,
          observedAt: at(minute * MINUTE),
          ...(waited ? { blockTime: at(2 * 24 * 60 * MINUTE) } : {}),
        }));
      const lengths = transfers.map((_, index) => index + 1).reverse();
      const taken = (length: number) => accepted(rules, transfers.slice(0, length));
      const whole = lengths.find((length) => taken(length)?.transfers.length === length);
      expect(accepted(rules, transfers)).toEqual(whole === undefined ? null : taken(whole));
    }),
  );
});

describe('the quote that an accept settles', () => {
  const half = transfer({ amountAtoms: 50n });
  const ether = transfer({ asset: 'ETH', address: '0xcd', amountAtoms: 100n, state: 'mempool', ...UNMINED });

  it('is by what is final, although more of another is on its way', () => {
    expect(acceptableOf([quote(), eth], factsOf([half, ether], { height: 12 }))?.quote.id).toBe('usdc');
  });

  it('is by all that was paid while nothing is final', () => {
    expect(acceptableOf([quote(), eth], factsOf([half, ether], { height: 11 }))?.quote.id).toBe('eth');
    expect(acceptableOf([quote(), eth], factsOf([]))).toBeNull();
  });
});

it('open is what is live and neither settled nor dismissed, of whatever asset', () => {
  const [settled, open, foreign] = [transfer(), transfer(), transfer({ asset: 'USDT' })];
  const facts = factsOf([
    settled,
    open,
    foreign,
    missing(at(-24 * 60 * MINUTE)),
    transfer({ address: '0xef' }),
  ]);
  expect(uncovered([quote()], facts, new Set([settled.id]))).toEqual([open, foreign]);
});
