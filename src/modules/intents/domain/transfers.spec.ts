import type { ChainTip, Transfer } from '../../chains/chains.types.js';
import {
  atomsCountingBy,
  confirmations,
  firstObservedAt,
  hasDepth,
  isLive,
  liveTransfersOf,
  whollyObservedAt,
} from './transfers.js';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 8, minute));
const transfer = (given: Partial<Transfer> = {}) =>
  ({
    ...{ network: 'ethereum', asset: 'USDC', address: '0xab', amountAtoms: 100n, txid: '0x1' },
    ...{ state: 'included', blockHeight: 10, missingSince: null, superseded: false, own: false },
    ...{ beforeIssue: false, inherited: [], observedAt: at(5) },
    ...given,
  }) as unknown as Transfer;
const tip = {
  ...{ network: 'ethereum', height: 12, safeHeight: 10, finalizedHeight: 9, syncedAt: at(30) },
} as unknown as ChainTip;
const place = { network: 'ethereum', asset: 'USDC', watchedAddress: '0xab', family: 'evm' } as const;

describe('a replacement', () => {
  const inherits = transfer({
    inherited: [
      { atoms: 60n, at: at(1) },
      { atoms: 10n, at: at(2) },
    ],
  });

  it('counts early for what it inherited, and for the rest from its own first sight', () => {
    expect([at(0), at(1), at(2), at(4), at(5)].map((by) => atomsCountingBy(inherits, by))).toEqual([
      ...[0n, 60n, 70n, 70n, 100n],
    ]);
    expect([firstObservedAt(inherits), whollyObservedAt(inherits)]).toEqual([at(1), at(5)]);
  });

  it('that inherited all that it pays is wholly observed when the last of that was', () => {
    const whole = transfer({ inherited: [{ atoms: 100n, at: at(1) }] });
    expect([firstObservedAt(whole), whollyObservedAt(whole)]).toEqual([at(1), at(1)]);
    expect(atomsCountingBy(whole, at(1))).toBe(100n);
  });
});

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
      ...[{ network: 'polygon' }, { asset: 'USDT' }, { address: '0xcd' }, { beforeIssue: true }],
    ];
    const facts = { transfers: others.map(transfer), tips: new Map([['ethereum', tip]]) };
    expect(liveTransfersOf(place, facts)).toEqual([]);
  });
});
