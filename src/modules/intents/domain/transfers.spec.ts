import {
  at as fromEnd,
  eth,
  factsOf,
  quote,
  transfer as moved,
} from '../../../../test/support/intents/payment.js';
import type { ChainTip, Transfer } from '../../chains/chains.types.js';
import {
  confirmations,
  hasDepth,
  isLive,
  liveTransfers,
  liveTransfersOf,
  possibleAtomsOf,
  sentTransfers,
} from './transfers.js';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 8, minute));
const transfer = (given: Partial<Transfer> = {}) => moved({ observedAt: at(5), ...given });
const tip = {
  network: 'ethereum',
  height: 12,
  safeHeight: 10,
  finalizedHeight: 9,
  syncedAt: at(30),
} as unknown as ChainTip;
const place = { network: 'ethereum', asset: 'USDC', watchedAddress: '0xab', family: 'evm' } as const;

describe('the depth of a transfer', () => {
  it.each<[string, Partial<Transfer>, ChainTip | undefined]>([
    ['in the mempool', { state: 'mempool', blockHeight: null }, tip],
    ['orphaned, of which the old height is still known', { state: 'orphaned' }, tip],
    ['of which no height is known', { blockHeight: null }, tip],
    ['on a network without a tip', {}, undefined],
  ])('is none %s', (_what, given, seen) => {
    expect(confirmations(transfer(given), seen)).toBe(0);
    for (const depth of [1, 'safe', 'finalized'] as const)
      expect(hasDepth(transfer(given), depth, seen)).toBe(false);
  });

  it('counts its own block, and never falls below nothing while the tip is behind it', () => {
    expect(confirmations(transfer(), tip)).toBe(3);
    expect(confirmations(transfer({ blockHeight: 14 }), tip)).toBe(0);
  });

  it.each([
    [3, 10, true],
    [4, 10, false],
    ['safe', 10, true],
    ['safe', 11, false],
    ['finalized', 9, true],
    ['finalized', 10, false],
  ] as const)('%s is reached by block %s: %s', (depth, blockHeight, reached) => {
    expect(hasDepth(transfer({ blockHeight }), depth, tip)).toBe(reached);
  });
});

describe('a transfer that is missing', () => {
  const missing = (minute: number) => transfer({ state: 'orphaned', missingSince: at(minute) });

  it('is live for ten minutes of a synced node', () => {
    expect([21, 20].map((since) => isLive(missing(since), 'evm', tip))).toEqual([true, false]);
  });

  it('stays live while no tip says how long', () => {
    expect(isLive(missing(0), 'evm', undefined)).toBe(true);
  });
});

describe('the live transfers of a quote', () => {
  it('come oldest first, whatever order they were recorded in', () => {
    const facts = {
      transfers: [3, 1, 2].map((minute) => transfer({ txid: `0x${minute}`, observedAt: at(minute) })),
      tips: new Map([['ethereum', tip]]),
    };
    expect(liveTransfersOf(place, facts).map(({ txid }) => txid)).toEqual(['0x1', '0x2', '0x3']);
  });

  it('are of its network, asset and address, and none of them was there before anybody had the address', () => {
    const others: Partial<Transfer>[] = [
      { network: 'polygon' },
      { asset: 'USDT' },
      { address: '0xcd' },
      { beforeIssue: true },
    ];
    const facts = { transfers: others.map(transfer), tips: new Map([['ethereum', tip]]) };
    expect(liveTransfersOf(place, facts)).toEqual([]);
  });
});

describe('the live transfers of an intent', () => {
  const before = moved({ beforeIssue: true });
  const foreign = moved({ asset: 'USDT', address: '0xcd' });
  const facts = factsOf([before, foreign, moved({ address: '0xef' }), moved({ state: 'replaced' })]);

  it('are at any of its addresses, of whatever asset', () => {
    expect(liveTransfers([quote(), eth], facts)).toEqual([before, foreign]);
  });

  it('were sent for it unless they lay there before', () => {
    expect(sentTransfers([quote(), eth], facts)).toEqual([foreign]);
  });
});

describe('the most that can still turn out to be there', () => {
  const END = fromEnd(0);
  /** `100` of `0xa`, or by what it was replaced. */
  const of = (txid: string, amountAtoms: bigint, replacedBy: string | null = null) =>
    moved({ txid, amountAtoms, replacedBy, superseded: replacedBy !== null, state: 'mempool' });
  const possible = (...transfers: ReturnType<typeof of>[]) =>
    possibleAtomsOf(quote(), factsOf(transfers), END);

  it('is all of it while nothing is in doubt', () => {
    expect(possible()).toBe(0n);
    expect(possible(of('0xa', 60n), of('0xa', 1n), of('0xb', 40n))).toBe(101n);
  });

  it.each([
    ['less', 60n, 100n],
    ['as much', 100n, 100n],
    ['more', 130n, 130n],
  ])('is the greater of a transaction and of what took its place with %s', (_what, heir, most) => {
    expect(possible(of('0xa', 100n, '0xb'), of('0xb', heir))).toBe(most);
  });

  it('is both of two that one took the place of, or that one', () => {
    const losers = [of('0xa', 60n, '0xc'), of('0xb', 50n, '0xc')];
    expect(possible(...losers, of('0xc', 100n))).toBe(110n);
    expect(possible(...losers, of('0xc', 120n))).toBe(120n);
  });

  it('is decided anew at each step of a chain of replacements', () => {
    expect(possible(of('0xa', 90n, '0xb'), of('0xb', 30n, '0xc'), of('0xc', 60n))).toBe(90n);
    expect(possible(of('0xa', 20n, '0xb'), of('0xb', 30n, '0xc'), of('0xc', 25n))).toBe(30n);
  });

  it('has each output of a transaction once, where mining it again moved them', () => {
    const before = moved({ txid: '0xa', amountAtoms: 70n, superseded: true, replacedBy: '0xa' });
    expect(possible(before, of('0xa', 70n))).toBe(70n);
    expect(possible(before, of('0xa', 50n))).toBe(70n);
    const lost = of('0xb', 10n, '0xa');
    expect(possible(before, of('0xa', 50n), lost)).toBe(80n);
  });

  it('ends although what was replaced goes in a circle', () => {
    const circle = [of('0xa', 10n, '0xc'), of('0xa', 5n, '0xb'), of('0xb', 7n, '0xa')];
    expect(possible(...circle, of('0xc', 100n))).toBe(100n);
  });

  it('is what came back beside what it is said to have been replaced by', () => {
    const back = moved({ txid: '0xa', amountAtoms: 100n, replacedBy: '0xb', superseded: false });
    expect(possible(back, of('0xc', 10n, '0xd'), of('0xb', 60n))).toBe(170n);
  });

  it('counts what was replaced by a transaction that pays nothing here', () => {
    expect(possible(of('0xa', 100n, '0xelsewhere'))).toBe(100n);
  });

  it('is what was there, once: not what came back beside what had taken its place as well', () => {
    const [back, also] = [of('0xa', 60n), of('0xb', 40n, '0xc')];
    const heir = moved({
      txid: '0xc',
      amountAtoms: 70n,
      firstSeenAt: fromEnd(1),
      blockTime: null,
      inPlaceOf: [back, also],
    });
    expect(possible(back, heir)).toBe(100n);
    expect(possible(back, also, heir)).toBe(100n);
  });

  it('is of this quote, observed in time, and not lost for good', () => {
    const others = [
      moved({ asset: 'ETH' }),
      moved({ state: 'replaced' }),
      moved({ own: true }),
      moved({ firstSeenAt: fromEnd(1), blockTime: null }),
    ];
    expect(possible(...others)).toBe(0n);
  });
});
