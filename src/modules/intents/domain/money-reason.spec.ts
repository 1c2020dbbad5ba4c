import {
  eth,
  factsOf,
  intent as intentOf,
  quote as usdc,
  transfer as moved,
  UNMINED,
} from '../../../../test/support/intents/payment.js';
import type { Transfer } from '../../chains/chains.types.js';
import type { ReviewReason } from '../reviews.types.js';
import { expiredReason, leadingReason, paidQuote, reasonsIn } from './money-reason.js';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 8, minute));
const END = at(15);
const quote = usdc();
const transfer = (amountAtoms: bigint, seen: number, observed = seen, inPlaceOf: readonly Transfer[] = []) =>
  moved({ amountAtoms, firstSeenAt: at(seen), observedAt: at(observed), inPlaceOf });

describe('money of an expired intent', () => {
  it.each<[string, ReviewReason, readonly Transfer[]]>([
    ['sent in time and seen after the end', 'in-time-seen-late', [transfer(100n, 20, 10)]],
    [
      'of which a part was seen after the end',
      'in-time-seen-late',
      [transfer(60n, 5), transfer(40n, 20, 10)],
    ],
    [
      'of which dust was seen, and the rest after the end',
      'in-time-seen-late',
      [transfer(100n, 20, 10, [transfer(1n, 5)])],
    ],
    [
      'that takes the place of money which was seen after the end too',
      'in-time-seen-late',
      [transfer(100n, 22, 11, [transfer(100n, 20, 10)])],
    ],
    [
      'that we saw in the place of what we had never seen',
      'late',
      [transfer(100n, 12, 11, [transfer(100n, 20, 10)])],
    ],
    [
      'that came back in the place of what we saw in time',
      'late',
      [transfer(100n, 20, 20, [transfer(100n, 5)])],
    ],
    ['seen in time, lost, and back', 'late', [transfer(100n, 5)]],
    ['seen in time, lost and back, with dust seen late', 'late', [transfer(100n, 5), transfer(1n, 20, 10)]],
    ['that came back with as much, and more', 'late', [transfer(150n, 20, 20, [transfer(100n, 5)])]],
    ['that was dust in time', 'late', [transfer(100n, 20, 20, [transfer(1n, 5)])]],
    ['sent after the end', 'late', [transfer(100n, 20)]],
    ['that is too little', 'underpaid', [transfer(99n, 20, 10)]],
  ])('%s is %s', (_what, reason, transfers) => {
    expect(expiredReason({ expiresAt: END }, quote, transfers)).toBe(reason);
  });
});

describe('money of an intent that has ended', () => {
  const ether = moved({ asset: 'ETH', address: '0xcd' });
  const tether = moved({ asset: 'USDT' });
  const elsewhere = moved({ network: 'polygon' });
  const before = moved({ beforeIssue: true });
  const paid = moved();
  const after = moved({ firstSeenAt: new Date(paid.firstSeenAt.getTime() + 60_000) });
  const open = (given: Parameters<typeof intentOf>[0], transfers = [paid]) => ({
    intent: intentOf({ settledAt: given?.status === 'settled' ? paid.firstSeenAt : null, ...given }),
    quotes: [usdc(), eth],
    facts: factsOf(transfers),
  });

  it.each([
    ['that settled by its quote, seen after that', 'settled', after, 'after-settlement'],
    ['that settled by its quote, seen before that', 'settled', paid, 'beside-settlement'],
    ['that settled by another quote', 'settled', ether, 'other-quote'],
    ['that expired, complete', 'expired', paid, 'late'],
    ['that expired, by the quote that is paid less', 'expired', ether, 'other-quote'],
    ['of an asset that was not quoted, at a quoted address', 'expired', tether, 'other-asset'],
    ['on a network that was not quoted, at the same address', 'expired', elsewhere, 'other-network'],
    ['at an address of nobody', 'settled', moved({ address: '0xef' }), 'other-network'],
    ['that was cancelled', 'cancelled', paid, 'cancelled'],
    ['that was cancelled, of another asset', 'cancelled', tether, 'cancelled'],
    ['that failed', 'failed', ether, 'failed'],
    ['that lay there before', 'cancelled', before, 'before-issue'],
  ] as const)('%s: %s', (_what, status, transfer, reason) => {
    expect(reasonsIn(open({ status }, [paid, transfer]))(transfer)).toBe(reason);
  });

  it('of several kinds is told by the one that matters most, whatever their order', () => {
    const transfers = [elsewhere, before, tether, ether, paid];
    for (const some of [transfers, transfers.toReversed()])
      expect(leadingReason(some, open({ status: 'expired' }, transfers))).toBe('late');
    expect(leadingReason([elsewhere, tether], open({ status: 'expired' }))).toBe('other-asset');
    expect(leadingReason([elsewhere, before], open({ status: 'expired' }))).toBe('other-network');
  });
});

describe('the quote that was paid', () => {
  const half = moved({ amountAtoms: 50n });
  const third = moved({ asset: 'ETH', address: '0xcd', amountAtoms: 10_000n });
  const large = { ...eth, amountAtoms: 30_000n };

  it('is the one with the most of what it asked for, not with the most atoms', () => {
    for (const quotes of [
      [usdc(), large],
      [large, usdc()],
    ])
      expect(paidQuote(quotes, factsOf([half, third]))?.id).toBe('usdc');
    expect(paidQuote([usdc(), large], factsOf([third]))?.id).toBe('eth');
  });

  it('is none where nothing came', () => {
    const gone = moved({ state: 'replaced', ...UNMINED });
    expect(paidQuote([usdc(), large], factsOf([gone]))).toBeNull();
  });
});
