import {
  at,
  eth,
  factsOf,
  intent as intentOf,
  missing,
  network as ethereum,
  places as configured,
  quote as usdc,
  transfer as moved,
} from '../../../../test/support/intents/payment.js';
import type { NetworkConfig } from '../../../config/config.types.js';
import type { Transfer } from '../../chains/chains.types.js';
import { depthsIn, finalIn, finalMoney } from './final-money.js';
import type { Quote } from './model.js';

const TIERS = [1, 2, 3, 6] as const;
const network = {
  id: 'bitcoin',
  name: 'Bitcoin',
  family: 'bitcoin',
  blockIntervalS: 600,
  settlementDepths: TIERS,
  safeAfterS: 1,
  finalizedAfterS: 1,
  assets: [],
} as unknown as NetworkConfig;
const places = { network: (id: string) => (id === 'bitcoin' ? network : null), asset: () => null };
/** CHF 50 for 50,000 atoms. */
const intent = intentOf({ amountMinor: 50_00n, status: 'settled', expiresAt: new Date(), quoteId: 'quo_1' });
const quote = usdc({
  id: 'quo_1',
  network: 'bitcoin',
  asset: 'BTC',
  decimals: 8,
  amountAtoms: 50_000n,
  family: 'bitcoin',
  address: 'bc1q',
  watchedAddress: 'bc1q',
  price: '100000',
  settlementDepth: 1,
  settlementDepths: TIERS,
});
const transfer = (changes: Partial<Transfer> = {}) =>
  moved({
    id: 'tr_1',
    txid: 't',
    network: 'bitcoin',
    asset: 'BTC',
    address: 'bc1q',
    amountAtoms: 50_000n,
    blockHeight: 100,
    observedAt: new Date(0),
    firstSeenAt: new Date(0),
    ...changes,
  });
const judged = (transfers: readonly Transfer[], of = quote) => ({
  intent,
  quotes: [of],
  facts: {
    transfers,
    tips: new Map([['bitcoin', { network: 'bitcoin', height: 100, safeHeight: 0, finalizedHeight: 0 }]]),
  } as never,
});
const depthOf = (transfers: readonly Transfer[], of = quote) =>
  depthsIn(judged(transfers, of), places)(transfers[0]!);

describe('money beyond a price', () => {
  it('is as deep as the price while nothing is beyond it', () => {
    expect(depthOf([transfer()])).toBe(1);
    expect(
      depthOf([transfer({ amountAtoms: 20_000n }), transfer({ id: 'tr_2', amountAtoms: 30_000n })]),
    ).toBe(1);
  });

  it.each([
    [100_000n, 2],
    [1_000_000n, 3],
    [10_000_000n, 6],
  ])('of %i atoms in all waits %i blocks, in one transfer or in two hundred', (atoms, depth) => {
    expect(depthOf([transfer({ amountAtoms: atoms })])).toBe(depth);
    const parts = Array.from({ length: 200 }, (_, i) =>
      transfer({ id: `tr_${i}`, amountAtoms: atoms / 200n }),
    );
    expect(depthOf(parts)).toBe(depth);
  });

  it('goes by the depths that the quote was given, whatever the network has by now', () => {
    const own = { ...quote, settlementDepths: [1, 6, 20, 50] } as unknown as Quote;
    expect(depthOf([transfer({ amountAtoms: 1_000_000n })], own)).toBe(20);
    const old = { ...quote, settlementDepths: null };
    expect(depthOf([transfer({ amountAtoms: 1_000_000n })], old)).toBe(3);
  });

  it('that nobody quoted waits for the deepest', () => {
    expect(depthOf([transfer({ asset: 'OTHER' })])).toBe(6);
    expect(depthOf([transfer({ network: 'gone' })])).toBe('finalized');
  });
});

describe('money of several quotes', () => {
  const TIERED = { settlementDepths: [3, 6, 9, 12] } as const;
  /** CHF 90 for 100 atoms of either. */
  const of = { intent: intentOf({ amountMinor: 90_00n }), quotes: [usdc(TIERED), { ...eth, ...TIERED }] };
  const ether = (amountAtoms: bigint) => moved({ asset: 'ETH', address: '0xcd', amountAtoms });
  const judgedAt = (height: number, ...transfers: Transfer[]) => ({
    ...of,
    facts: factsOf(transfers, { height }),
  });

  it('waits by what all of it is worth', () => {
    const [price, more] = [moved(), ether(12n)];
    expect(depthsIn(judgedAt(10, price, ether(11n)), configured)(price)).toBe(3);
    expect(depthsIn(judgedAt(10, price, more), configured)(price)).toBe(6);
    expect(depthsIn(judgedAt(10, price, more), configured)(more)).toBe(6);
  });

  it('waits no shorter than its price did, though the tier of its worth is sooner', () => {
    const slow = usdc({ ...TIERED, settlementDepth: 'finalized' });
    const double = moved({ amountAtoms: 200n });
    const facts = factsOf([double]);
    expect(depthsIn({ ...of, quotes: [slow], facts }, configured)(double)).toBe('finalized');
  });

  it('goes by its worth alone where nobody knows how long a depth takes any more', () => {
    const gone = { ...configured, network: () => null };
    const double = moved({ amountAtoms: 200n });
    expect(depthsIn(judgedAt(10, double), gone)(double)).toBe(6);
    const old = { ...of, quotes: [usdc()], facts: factsOf([double]) };
    expect(depthsIn(old, gone)(double)).toBe(3);
  });

  it('that was sent beside a quote of its network waits for the deepest that was quoted, configured or not', () => {
    const beside = moved({ asset: 'USDT' });
    const own = { ...of, quotes: [usdc({ settlementDepths: [1, 2, 3, 50] })], facts: factsOf([beside]) };
    for (const known of [configured, { ...configured, network: () => null }])
      expect(depthsIn(own, known)(beside)).toBe(50);
    const elsewhere = { ...own, quotes: [usdc({ network: 'gone' })] };
    expect(depthsIn(elsewhere, configured)(beside)).toBe(ethereum.settlementDepths[3]);
  });

  it('is final at that depth, and where none is known at the deepest that anybody could have configured', () => {
    const price = moved();
    expect([11, 12].map((height) => finalIn(judgedAt(height, price), configured)(price))).toEqual([
      false,
      true,
    ]);
    const lost = moved({ asset: 'USDT' });
    const gone = { network: () => null };
    const at = (height: number, finalizedHeight: number) => {
      const quotes = [usdc({ settlementDepths: null })];
      return { ...of, quotes, facts: factsOf([lost], { height, finalizedHeight }) };
    };
    const isFinal = (...given: Parameters<typeof at>) => finalIn(at(...given), gone)(lost);
    expect([isFinal(109, 9), isFinal(108, 10), isFinal(109, 10)]).toEqual([false, false, true]);
    expect(depthsIn(at(109, 10), gone)(lost)).toBe('finalized');
  });

  it('is told as final only while it is live, and each by its own depth', () => {
    const [price, beside, gone] = [moved(), moved({ asset: 'USDT' }), missing(at(-86_400_000))];
    const final = (height: number) => finalMoney(judgedAt(height, price, beside, gone), configured);
    expect(final(11)).toEqual([]);
    expect(final(12)).toEqual([price]);
    expect(final(21)).toEqual([price, beside]);
  });
});
