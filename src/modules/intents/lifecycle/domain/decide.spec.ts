import {
  at,
  DURING,
  eth,
  EXPIRES,
  factsOf,
  intent,
  missing,
  quote,
  transfer,
  UNMINED,
} from '../../../../../test/support/intents/payment.js';
import type { ChainTip, Transfer } from '../../../chains/chains.types.js';
import type { Intent, Quote } from '../../domain/model.js';
import { decide } from './decide.js';

interface World {
  readonly of?: Partial<Intent>;
  readonly quotes?: readonly Quote[];
  readonly transfers?: readonly Transfer[];
  readonly tip?: Partial<ChainTip>;
  readonly now?: Date;
}

function outcome({ of, quotes = [quote()], transfers = [], tip: given, now = DURING }: World) {
  const facts = factsOf(transfers, given);
  const { steps, ...rest } = decide(intent(of), quotes, facts, now);
  return { ...rest, walk: steps.map(({ to }) => to) };
}
const walk = (world: World) => outcome(world).walk;

describe('before the window ends', () => {
  it('does nothing without a transfer', () => expect(walk({})).toEqual([]));

  it('is pending as soon as anything of a quoted asset arrives, whatever its amount', () => {
    expect(walk({ transfers: [transfer({ amountAtoms: 1n })] })).toEqual(['pending']);
  });

  it('walks one edge at a time, several at once where due', () => {
    expect(walk({ transfers: [transfer()], tip: { height: 12 } })).toEqual([
      'pending',
      'confirmed',
      'settled',
    ]);
  });

  it('confirms at the confirmation depth and settles at the settlement depth', () => {
    expect(walk({ transfers: [transfer()] })).toEqual(['pending', 'confirmed']);
    const confirmed = { status: 'confirmed', completedAt: DURING } as const;
    expect(walk({ of: confirmed, transfers: [transfer()], tip: { height: 11 } })).toEqual([]);
    expect(walk({ of: confirmed, transfers: [transfer()], tip: { height: 12 } })).toEqual(['settled']);
  });

  it.each([
    ['safe', { safeHeight: 9 }, { safeHeight: 10 }],
    ['finalized', { finalizedHeight: 9 }, { finalizedHeight: 10 }],
  ] as const)('settles at %s only when the network says so', (settlementDepth, before, after) => {
    const world = { quotes: [quote({ settlementDepth })], transfers: [transfer()] };
    expect(walk({ ...world, tip: { height: 99, ...before } })).toEqual(['pending', 'confirmed']);
    expect(walk({ ...world, tip: { height: 99, ...after } })).toEqual(['pending', 'confirmed', 'settled']);
  });

  it('keeps an underpaid intent pending however deep its money is', () => {
    expect(walk({ transfers: [transfer({ amountAtoms: 99n })], tip: { height: 99 } })).toEqual(['pending']);
  });

  it('adds up several transfers of one quote', () => {
    const transfers = [transfer({ amountAtoms: 60n }), transfer({ amountAtoms: 40n })];
    expect(walk({ transfers })).toEqual(['pending', 'confirmed']);
  });

  it('does not settle on the part that is deep enough', () => {
    const transfers = [transfer({ amountAtoms: 60n }), transfer({ amountAtoms: 40n, blockHeight: 12 })];
    expect(walk({ transfers, tip: { height: 12 } })).toEqual(['pending', 'confirmed']);
  });

  it('never adds up two quotes', () => {
    const transfers = [
      transfer({ amountAtoms: 99n }),
      transfer({ asset: 'ETH', address: '0xcd', amountAtoms: 99n }),
    ];
    expect(walk({ quotes: [quote(), eth], transfers })).toEqual(['pending']);
  });

  it('does not count the right asset on another quote’s address, nor another asset on this one', () => {
    const transfers = [transfer({ address: '0xcd' }), transfer({ asset: 'ETH' })];
    expect(walk({ quotes: [quote(), eth], transfers })).toEqual([]);
  });

  it('completes within the tolerance that the quote was made with', () => {
    const transfers = [transfer({ amountAtoms: 99n })];
    expect(walk({ quotes: [quote({ toleranceBps: 100 })], transfers })).toEqual(['pending', 'confirmed']);
  });

  it('shows the quote that received first, and for good the one that is complete', () => {
    const first = transfer({
      asset: 'ETH',
      address: '0xcd',
      amountAtoms: 1n,
      firstSeenAt: at(-700_000),
      blockTime: null,
    });
    const paid = [first, transfer({ amountAtoms: 1n })];
    expect(outcome({ quotes: [quote(), eth], transfers: paid }).quoteId).toBe('eth');
    const complete = [first, transfer()];
    expect(outcome({ quotes: [quote(), eth], transfers: complete }).quoteId).toBe('usdc');
  });

  it('confirms nothing that is only in the mempool', () => {
    const seen = transfer({ state: 'mempool', blockHeight: null, blockHash: null, blockTime: null });
    expect(walk({ transfers: [seen] })).toEqual(['pending']);
  });

  it('withholds settling while a transfer is missing, and loses the completion after the grace time', () => {
    const confirmed = { status: 'confirmed', completedAt: DURING } as const;
    const gone = [missing(DURING)];
    const minute = 60_000;
    const soon = outcome({
      of: confirmed,
      transfers: gone,
      tip: { height: 99, syncedAt: at(-600_000 + 9 * minute) },
    });
    expect(soon).toMatchObject({ walk: [], completedAt: DURING });
    const later = outcome({
      of: confirmed,
      transfers: gone,
      tip: { height: 99, syncedAt: at(-600_000 + 10 * minute) },
    });
    expect(later).toMatchObject({ walk: [], completedAt: null });
  });
});

describe('when the window ends', () => {
  it('is still open in its last instant and expired one millisecond later', () => {
    expect(walk({ now: EXPIRES })).toEqual([]);
    expect(walk({ now: at(1) })).toEqual(['expired']);
  });

  it.each([
    [-1, ['pending', 'confirmed']],
    [0, ['pending', 'confirmed']],
    [1, ['expired']],
  ])('counts a transfer seen %s ms from the end as it should', (offset, expected) => {
    const late = transfer({ firstSeenAt: at(offset), blockTime: at(offset) });
    expect(walk({ transfers: [late], now: at(2) })).toEqual(expected);
  });

  it('counts a punctual block that was seen late, as long as the intent has not expired', () => {
    const seenLate = transfer({ firstSeenAt: at(30_000), blockTime: at(-1) });
    expect(walk({ transfers: [seenLate], now: at(31_000) })).toEqual(['pending', 'confirmed']);
  });

  it('expires what is underpaid, after saying that something was seen', () => {
    expect(walk({ transfers: [transfer({ amountAtoms: 99n })], now: at(1) })).toEqual(['pending', 'expired']);
  });

  it('does not expire a completed payment that waits for depth', () => {
    const seen = transfer({ state: 'mempool', blockHeight: null, blockHash: null, blockTime: null });
    expect(
      walk({ of: { status: 'pending', completedAt: DURING }, transfers: [seen], now: at(3_600_000) }),
    ).toEqual([]);
  });

  it('fails a completed deposit that vanished for good', () => {
    const world = { transfers: [missing(at(0))], now: at(600_001) };
    const tipAt = (ms: number) => ({ tip: { syncedAt: at(ms) } });
    for (const status of ['pending', 'confirmed'] as const) {
      expect(walk({ of: { status, completedAt: DURING }, ...world, ...tipAt(599_999) })).toEqual([]);
      expect(walk({ of: { status, completedAt: DURING }, ...world, ...tipAt(600_000) })).toEqual(['failed']);
    }
  });

  it('fails at once when a conflicting transaction has replaced the deposit', () => {
    const replaced = transfer({ state: 'replaced', blockHeight: null, blockHash: null, blockTime: null });
    const world = { of: { status: 'pending', completedAt: DURING } as const, transfers: [replaced] };
    expect(walk({ ...world, now: at(1) })).toEqual(['failed']);
    expect(walk({ ...world, now: DURING })).toEqual([]);
  });

  it('fails a deposit that nobody confirmed in a day that we watched', () => {
    const seen = transfer({ state: 'mempool', blockHeight: null, blockHash: null, blockTime: null });
    const of = { status: 'pending', completedAt: DURING } as const;
    const day = 24 * 3_600_000;
    const world = { of, transfers: [seen], now: at(2 * day) };
    expect(walk({ ...world, tip: { syncedAt: at(day - 1) } })).toEqual([]);
    expect(walk({ ...world, tip: { syncedAt: at(day) } })).toEqual(['failed']);
  });

  it('expires a confirmed payment whose completion was lost inside the window', () => {
    const of = { status: 'confirmed', completedAt: null, confirmedAt: DURING } as const;
    expect(walk({ of, transfers: [], now: EXPIRES })).toEqual([]);
    expect(walk({ of, transfers: [], now: at(1) })).toEqual(['expired']);
    expect(walk({ of, transfers: [transfer({ amountAtoms: 99n })], now: at(1) })).toEqual(['expired']);
  });

  it('expires by the ordinary rule when the completion was lost inside the window', () => {
    const lost = outcome({ of: { status: 'pending', completedAt: DURING }, transfers: [], now: DURING });
    expect(lost).toMatchObject({ walk: [], completedAt: null });
    expect(walk({ of: { status: 'pending', completedAt: null }, transfers: [], now: at(1) })).toEqual([
      'expired',
    ]);
  });
});

it('gives the same answer again once its decision has been written', () => {
  const transfers = [transfer()];
  const first = outcome({ transfers });
  const of = { status: 'confirmed', completedAt: first.completedAt, quoteId: first.quoteId } as const;
  expect(outcome({ of, transfers })).toEqual({ ...first, walk: [] });
});

describe('money that something else may take the place of', () => {
  const done = { status: 'pending', completedAt: DURING } as const;
  const waiting = { state: 'mempool', blockHeight: null, blockHash: null, blockTime: null } as const;
  const lost = (given: Partial<Transfer> = {}) =>
    missing(DURING, { txid: '0xa', superseded: true, replacedBy: '0xb', ...given });
  const heir = (atoms: bigint, inheritedAtoms: bigint) =>
    transfer({
      ...waiting,
      txid: '0xb',
      amountAtoms: atoms,
      firstSeenAt: at(60_000),
      inPlaceOf: [lost({ amountAtoms: inheritedAtoms })],
    });

  it('counts for what it replaces, and no further: dust that is replaced after the end completes nothing', () => {
    const dust = lost({ amountAtoms: 1n });
    expect(walk({ transfers: [dust, heir(100n, 1n)], now: at(61_000) })).toEqual(['pending', 'expired']);
    expect(walk({ of: done, transfers: [lost(), heir(100n, 100n)], now: at(61_000) })).toEqual([]);
  });

  it('loses a completion to an unconfirmed replacement of half only once that has its depth', () => {
    const half = heir(50n, 50n);
    expect(walk({ of: done, transfers: [lost(), half], now: at(1) })).toEqual([]);
    const gone = lost({ state: 'replaced', missingSince: null });
    expect(walk({ of: done, transfers: [gone, half], now: at(1) })).toEqual(['failed']);
  });

  it('never counts the two together', () => {
    const sixty = lost({ amountAtoms: 60n });
    expect(outcome({ transfers: [sixty, heir(60n, 60n)] }).completedAt).toBeNull();
    expect(walk({ of: done, transfers: [sixty, heir(60n, 60n)], now: at(1) })).toEqual(['failed']);
  });

  describe('as a transaction that is mined again and pays less', () => {
    const place = { txid: '0xa', output: 'log:0' };
    const before = (given: Partial<Transfer>) =>
      missing(DURING, { ...place, superseded: true, replacedBy: '0xa', ...given });
    const now = (given: Partial<Transfer>) =>
      transfer({ ...place, firstSeenAt: at(1), observedAt: DURING, ...given });

    it('is lost with what it paid before, and no sooner', () => {
      const less = now({ amountAtoms: 99n });
      expect(walk({ of: done, transfers: [before({}), less], now: at(2) })).toEqual([]);
      const gone = before({ state: 'replaced', missingSince: null });
      expect(walk({ of: done, transfers: [gone, less], now: at(2) })).toEqual(['failed']);
    });

    it('counts what it pays as before to what it paid before', () => {
      const same = now({ output: 'log:1', amountAtoms: 40n, firstSeenAt: DURING });
      const transfers = [before({ amountAtoms: 60n }), now({ amountAtoms: 1n }), same];
      expect(walk({ of: done, transfers, now: at(2) })).toEqual([]);
    });

    it('twice never counts both of what it paid', () => {
      const twice = [before({ amountAtoms: 60n }), before({ amountAtoms: 50n })];
      expect(walk({ of: done, transfers: [...twice, now({ amountAtoms: 1n })], now: at(2) })).toEqual([
        'failed',
      ]);
    });

    it('never counts what it pays newly to what it paid before', () => {
      const fresh = now({ output: 'log:1', amountAtoms: 60n });
      expect(walk({ of: done, transfers: [before({ amountAtoms: 60n }), fresh], now: at(2) })).toEqual([
        'failed',
      ]);
    });
  });

  it('does not hold up another quote that is complete and deep, nor fail it after a day', () => {
    const stuck = transfer({ ...waiting });
    const deep = transfer({ asset: 'ETH', address: '0xcd' });
    const world = { of: done, quotes: [quote(), eth], transfers: [stuck, deep], now: at(48 * 3_600_000) };
    const later = { height: 12, syncedAt: at(25 * 3_600_000) };
    expect(outcome({ ...world, tip: later })).toMatchObject({
      walk: ['confirmed', 'settled'],
      quoteId: 'eth',
    });
  });
});

it('never counts the merchant’s own movements', () => {
  expect(walk({ transfers: [transfer({ own: true })], tip: { height: 99 } })).toEqual([]);
});

it('says of an expiry whether we could see what the buyer was asked to pay', () => {
  const facts = { transfers: [], tips: new Map() };
  const cause = (isUnseen: boolean) =>
    decide(intent(), [quote()], facts, at(1), isUnseen).steps.map((step) => step.cause);
  expect(cause(true)).toEqual(['window-lapsed-unseen']);
  expect(cause(false)).toEqual(['window-lapsed']);
});

it('each edge says what it was walked for', () => {
  const causes = (
    of: Partial<Intent>,
    transfers: readonly Transfer[],
    tips: Partial<ChainTip>,
    now = DURING,
  ) => {
    return decide(intent(of), [quote()], factsOf(transfers, tips), now).steps.map(({ from, to, cause }) => [
      from,
      to,
      cause,
    ]);
  };
  expect(causes({}, [transfer()], { height: 12 })).toEqual([
    ['initiated', 'pending', 'deposit-observed'],
    ['pending', 'confirmed', 'deposit-confirmed'],
    ['confirmed', 'settled', 'deposit-settled'],
  ]);
  const completed = { status: 'pending', completedAt: DURING } as const;
  const day = 24 * 3_600_000;
  expect(causes(completed, [], {}, at(day))).toEqual([['pending', 'failed', 'deposit-vanished']]);
  const waiting = transfer({ state: 'mempool', blockHeight: null, blockHash: null, blockTime: null });
  expect(causes(completed, [waiting], { syncedAt: at(day) }, at(day))).toEqual([
    ['pending', 'failed', 'deposit-never-confirmed'],
  ]);
  expect(causes(completed, [waiting], { syncedAt: at(day - 1) }, at(day))).toEqual([]);
});

it('what has ended stays as it is, whatever comes and however long ago', () => {
  for (const status of ['settled', 'failed', 'expired', 'cancelled'] as const) {
    for (const transfers of [[], [transfer()]])
      expect(walk({ of: { status }, transfers, tip: { height: 99 }, now: at(1) })).toEqual([]);
  }
});

describe('the quote that the intent is about', () => {
  const quotes = [quote(), eth];
  const inEth = (given: Partial<Transfer> = {}) => transfer({ asset: 'ETH', address: '0xcd', ...given });
  const dust = { amountAtoms: 1n } as const;
  const seen = (ms: number) => ({ firstSeenAt: at(ms), blockTime: null });

  it.each(['usdc', 'eth', null])('is the latest pick while nothing is paid: %s', (quoteId) => {
    expect(outcome({ of: { quoteId }, quotes })).toEqual({ walk: [], quoteId, completedAt: null });
  });

  it('is the one that received first, until another is complete', () => {
    const early = inEth({ ...dust, ...seen(-500_000) });
    const late = transfer({ ...dust, ...seen(-400_000) });
    expect(outcome({ quotes, transfers: [late, early] }).quoteId).toBe('eth');
    const whole = transfer(seen(-300_000));
    expect(outcome({ quotes, transfers: [whole, early], tip: { height: 9 } }).quoteId).toBe('usdc');
  });

  it('is the one whose first transfer came before any of the others, whenever its last came', () => {
    const transfers = [
      inEth({ ...dust, ...seen(-300_000) }),
      transfer({ ...dust, ...seen(-500_000) }),
      transfer({ ...dust, ...seen(-100_000) }),
    ];
    expect(outcome({ of: { quoteId: 'eth' }, quotes, transfers }).quoteId).toBe('usdc');
  });

  it('is pending by any of them', () => {
    expect(outcome({ quotes, transfers: [inEth(dust)] })).toMatchObject({
      walk: ['pending'],
      quoteId: 'eth',
    });
  });

  it('is the deeper one of two that are complete', () => {
    const unmined = transfer({ state: 'mempool', ...UNMINED, firstSeenAt: at(-700_000) });
    const shallow = transfer({ blockHeight: 12, ...seen(-700_000) });
    expect(outcome({ quotes, transfers: [unmined, inEth()] })).toMatchObject({
      walk: ['pending', 'confirmed'],
      quoteId: 'eth',
    });
    expect(outcome({ quotes, transfers: [shallow, inEth()], tip: { height: 12 } })).toMatchObject({
      walk: ['pending', 'confirmed', 'settled'],
      quoteId: 'eth',
    });
  });

  it('is for good the one that was complete and is confirmed', () => {
    const of = { status: 'confirmed', completedAt: DURING } as const;
    const transfers = [transfer({ blockHeight: 12 }), inEth()];
    expect(outcome({ of, quotes, transfers, tip: { height: 12 } })).toMatchObject({
      walk: [],
      quoteId: 'usdc',
    });
  });

  it('is the one that was complete, also where that is lost and another one has received', () => {
    const of = { status: 'pending', completedAt: DURING } as const;
    const transfers = [transfer({ state: 'replaced', ...UNMINED }), inEth(dust)];
    expect(outcome({ of, quotes, transfers, now: at(1) })).toMatchObject({
      walk: ['failed'],
      quoteId: 'usdc',
    });
  });
});

it('is not complete by what may come back to a quote that has never been', () => {
  const lost = missing(DURING, { txid: '0xa', superseded: true, replacedBy: '0xb' });
  const half = transfer({ state: 'mempool', ...UNMINED, txid: '0xb', amountAtoms: 50n, inPlaceOf: [lost] });
  const given = { transfers: [lost, half], of: { status: 'pending' } } as const;
  expect(outcome(given).completedAt).toBeNull();
  expect(outcome({ ...given, of: { status: 'pending', completedAt: DURING } }).completedAt).toEqual(DURING);
});

it('leaves what was confirmed and is in no block any more to the chain, however long', () => {
  const of = { status: 'confirmed', completedAt: DURING } as const;
  const day = 24 * 3_600_000;
  const transfers = [transfer({ state: 'mempool', ...UNMINED })];
  expect(walk({ of, transfers, tip: { syncedAt: at(day) }, now: at(2 * day) })).toEqual([]);
});

it.each(['initiated', 'pending', 'confirmed'] as const)(
  'expires an intent without a quote that is %s',
  (status) => {
    const world = { of: { status, quoteId: null }, quotes: [] };
    expect(outcome(world)).toEqual({ walk: [], quoteId: null, completedAt: null });
    expect(decide(intent(world.of), [], factsOf([]), at(1)).steps).toEqual([
      { from: status, to: 'expired', cause: 'window-lapsed' },
    ]);
  },
);
