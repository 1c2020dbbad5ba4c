import {
  at,
  DURING,
  eth,
  factsOf,
  intent,
  places,
  quote,
  transfer,
  UNMINED,
} from '../../../../../test/support/intents/payment.js';
import type { Transfer } from '../../../chains/chains.types.js';
import { type Ended, newMoney, renderMoney } from './unsettled-money.js';

/** At this height block 10 has every depth. */
const DEEP = { height: 21 };
const expired = intent({ status: 'expired' });
const settled = intent({ status: 'settled' });

const moneyOf = (transfers: readonly Transfer[], given: Partial<Ended> = {}, tip: object = DEEP) =>
  newMoney(
    {
      intent: expired,
      quotes: [quote(), eth],
      facts: factsOf(transfers, tip),
      settled: null,
      announced: new Set<string>(),
      covered: new Set<string>(),
      ...given,
    },
    places,
  );
const told = (...given: Parameters<typeof moneyOf>) =>
  moneyOf(...given).map(({ transfer: { id }, atoms, reason }) => [id, atoms, reason]);

describe('money of an intent that has ended is announced', () => {
  it('once it is final, with its decimals and the depth that it must keep', () => {
    const late = transfer({ firstSeenAt: at(1), blockTime: at(1) });
    expect(moneyOf([late])).toEqual([{ transfer: late, atoms: 100n, decimals: 6, depth: 3, reason: 'late' }]);
    expect(moneyOf([late], {}, { height: 11 })).toEqual([]);
    expect(moneyOf([{ ...late, state: 'mempool', ...UNMINED }])).toEqual([]);
  });

  it('once, whatever became of it since', () => {
    const [first, second] = [transfer({ amountAtoms: 40n }), transfer({ amountAtoms: 30n })];
    expect(told([first, second], { announced: new Set([first.id]) })).toEqual([
      [second.id, 30n, 'underpaid'],
    ]);
  });

  it('also where somebody dismissed it before it was final, for what it was', () => {
    const late = transfer({ firstSeenAt: at(1), blockTime: at(1) });
    expect(told([late], { covered: new Set([late.id]) })).toEqual([[late.id, 100n, 'late']]);
  });

  it('as what was dismissed then, by what had been neither told nor settled', () => {
    const [first, second] = [60n, 40n].map((amountAtoms) =>
      transfer({ amountAtoms, firstSeenAt: at(1), blockTime: at(1) }),
    );
    const covered = new Set([first!.id, second!.id]);
    expect(told([first!, second!], { covered })).toEqual([
      [first!.id, 60n, 'late'],
      [second!.id, 40n, 'late'],
    ]);
    expect(told([first!, second!], { covered, announced: new Set([first!.id]) })).toEqual([
      [second!.id, 40n, 'underpaid'],
    ]);
  });

  it('by what is open: what was dealt with makes no price whole', () => {
    const [dismissed, later] = [60n, 40n].map((amountAtoms) => transfer({ amountAtoms }));
    const given = { announced: new Set([dismissed!.id]), covered: new Set([dismissed!.id]) };
    expect(told([dismissed!, later!], given)).toEqual([[later!.id, 40n, 'underpaid']]);
  });

  it('with the decimals of its quote, also where nobody knows those of its asset any more', () => {
    const ether = transfer({ asset: 'ETH', address: '0xcd', decimals: null });
    expect(moneyOf([ether])).toMatchObject([{ transfer: ether, decimals: 18, depth: 3 }]);
  });

  it('where nobody quoted it, with the decimals of its asset; and not at all where nobody knows them', () => {
    const [known, unknown] = [transfer({ asset: 'USDT' }), transfer({ asset: 'GONE', decimals: null })];
    expect(moneyOf([known, unknown])).toMatchObject([
      { transfer: known, decimals: 6, depth: 12, reason: 'other-asset' },
    ]);
  });
});

describe('money beyond a settlement', () => {
  const [early, later] = [1, 2]
    .map((minute) => transfer({ amountAtoms: 80n, firstSeenAt: at(-minute * 60_000), blockTime: null }))
    .toReversed() as [Transfer, Transfer];
  const beyond = (excessAtoms: bigint, transferIds = [early.id, later.id]) => ({
    intent: settled,
    covered: new Set(transferIds),
    settled: { quoteId: 'usdc', excessAtoms, transferIds },
  });

  it.each([
    [60n, [['later', 60n]]],
    [80n, [['later', 80n]]],
    [
      100n,
      [
        ['early', 20n],
        ['later', 80n],
      ],
    ],
    [0n, []],
  ])('of %i atoms came with the latest of its transfers', (excessAtoms, parts) => {
    const names = new Map([
      [early.id, 'early'],
      [later.id, 'later'],
    ]);
    for (const transfers of [
      [early, later],
      [later, early],
    ]) {
      const found = moneyOf(transfers, beyond(excessAtoms)).map(({ transfer: { id }, atoms, reason }) => {
        expect(reason).toBe('excess');
        return [names.get(id), atoms];
      });
      expect(found.sort()).toEqual(parts);
    }
  });

  it('comes with the same of two transfers of one moment, in whatever order they are read', () => {
    const [a, b] = ['tr_a', 'tr_b'].map((id) => transfer({ id, firstSeenAt: DURING })) as [
      Transfer,
      Transfer,
    ];
    for (const transfers of [
      [a, b],
      [b, a],
    ])
      expect(told(transfers, beyond(60n, ['tr_a', 'tr_b']))).toEqual([['tr_b', 60n, 'excess']]);
  });

  it('is whole where the settlement did not take it', () => {
    const more = transfer({ amountAtoms: 7n });
    expect(told([early, later, more], beyond(0n))).toEqual([[more.id, 7n, 'after-settlement']]);
    const latest = transfer({ amountAtoms: 70n, firstSeenAt: at(-1), blockTime: null });
    expect(told([later, latest], beyond(60n))).toEqual([
      [later.id, 60n, 'excess'],
      [latest.id, 70n, 'after-settlement'],
    ]);
  });
});

it('the event names the transfer, what it is for, and the intent as it is', () => {
  const late = transfer({ id: 'tr_a', txid: '0xaa', firstSeenAt: at(1), blockTime: at(1) });
  const [money] = moneyOf([late]);
  const event = { id: 'evt_1', sequence: 2, at: at(60_000), checkoutUrl: 'https://pay.example' };
  expect(JSON.parse(renderMoney({ intent: expired, quotes: [eth, quote()] }, money!, event))).toMatchObject({
    id: 'evt_1',
    type: 'payment.money',
    timestamp: at(60_000).toISOString(),
    sequence: 2,
    data: {
      intent: { id: 'pi_1', status: 'expired', assetSymbol: 'USDC' },
      money: {
        id: 'tr_a',
        reason: 'late',
        network: 'ethereum',
        asset: 'USDC',
        amount: '0.00010000',
        txid: '0xaa',
        observedAt: at(1).toISOString(),
      },
    },
  });
  const unpicked = { intent: intent({ quoteId: null }), quotes: [quote()] };
  expect(JSON.parse(renderMoney(unpicked, money!, event))).toMatchObject({
    data: { intent: { assetSymbol: null } },
  });
});

it('an amount of the event is never more than arrived', () => {
  const fine = {
    transfer: transfer(),
    reason: 'late',
    decimals: 18,
    depth: 3,
    atoms: 19_999_999_999n,
  } as const;
  const event = { id: 'evt_1', sequence: 2, at: DURING, checkoutUrl: 'https://pay.example' };
  expect(JSON.parse(renderMoney({ intent: expired, quotes: [] }, fine, event))).toMatchObject({
    data: { money: { amount: '0.00000001' } },
  });
});
