import { amountOf, priceAt } from '../../../../../test/support/intents/amount.js';
import {
  at,
  eth,
  EXPIRES,
  factsOf,
  intent,
  missing,
  network,
  places,
  quote,
  transfer,
  UNMINED,
} from '../../../../../test/support/intents/payment.js';
import type { NetworkConfig } from '../../../../config/config.types.js';
import { withSpread } from '../../../../kernel/crypto-amount.js';
import type { Transfer } from '../../../chains/chains.types.js';
import type { Intent, Quote } from '../../domain/model.js';
import {
  checkoutQuote,
  droppedTransfers,
  isWithheld,
  mayCancel,
  maySwitch,
  otherTransfers,
  sendBefore,
  shownTransferIn,
} from './checkout.js';

/** CHF 50 for 50 USDC. */
const fifty = quote({ amountAtoms: 50_000_000n, settlementDepths: [3, 6, 9, 12] });
const paid = (amountAtoms: bigint, given: Partial<Transfer> = {}) => transfer({ amountAtoms, ...given });
const formsFor = (atoms: bigint) => ({ withAmount: `pay:${atoms}`, addressOnly: 'pay:', call: null });

function page(of: Partial<Intent>, transfers: readonly Transfer[], tip: object = {}, shown: Quote = fifty) {
  const facts = factsOf(transfers, tip);
  return checkoutQuote(intent({ amountMinor: 50_00n, ...of }), shown, facts, network, places, formsFor);
}

describe('what a reorganisation has taken out', () => {
  const withheld = (status: Intent['status'], transfers: readonly Transfer[]) =>
    isWithheld(intent({ status }), fifty, factsOf(transfers, { syncedAt: at(0) }));
  const gone = (minutes: number) => missing(at(-60_000 * minutes), { amountAtoms: 50_000_000n });

  it('is said of a payment that was seen, as of one that was confirmed', () => {
    expect(withheld('pending', [gone(1)])).toBe(true);
    expect(withheld('confirmed', [gone(1)])).toBe(true);
    expect(withheld('settled', [gone(1)])).toBe(false);
  });

  it('is not said while it is there, nor of what has been gone for too long and was paid again', () => {
    expect(withheld('pending', [paid(50_000_000n)])).toBe(false);
    expect(withheld('pending', [gone(60), paid(50_000_000n)])).toBe(false);
    expect(withheld('confirmed', [gone(60)])).toBe(true);
    expect(withheld('confirmed', [paid(50_000_000n)])).toBe(false);
  });

  it('is said where a part is gone, and of what was only seen no more once that is over', () => {
    expect(withheld('pending', [gone(1), paid(20_000_000n)])).toBe(true);
    expect(withheld('pending', [gone(60)])).toBe(false);
    expect(withheld('pending', [])).toBe(false);
  });
});

describe('what was seen for a failed payment and is gone', () => {
  const gone = missing(at(-60_000), { amountAtoms: 50_000_000n });
  const dropped = (status: Intent['status'], transfers: readonly Transfer[], shown: Quote | null = fifty) =>
    droppedTransfers(intent({ status }), shown, factsOf(transfers, { syncedAt: EXPIRES }));

  it('is told once it has failed', () => {
    expect(dropped('failed', [gone])).toEqual([gone]);
    expect(dropped('pending', [gone])).toEqual([]);
    expect(dropped('failed', [gone], null)).toEqual([]);
  });

  it('is nothing that is there, nor of another price, nor our own', () => {
    const others = [paid(20_000_000n), transfer({ asset: 'ETH', address: '0xcd' }), { ...gone, own: true }];
    expect(dropped('failed', [...others, gone])).toEqual([gone]);
    expect(dropped('failed', others)).toEqual([]);
  });
});

describe('the page of a quote', () => {
  it('says exactly what to send, where, at which price and for how long', () => {
    expect(page({}, [])).toEqual({
      network: 'ethereum',
      networkName: 'Ethereum',
      asset: 'USDC',
      address: '0xAb',
      amount: amountOf('50', 6),
      uri: 'pay:50000000',
      addressUri: 'pay:',
      call: null,
      price: withSpread(priceAt('1'), 0),
      received: amountOf('0', 6),
      missing: amountOf('50', 6),
      excess: null,
      complete: false,
      transfers: [],
      requiredConfirmations: 3,
      expectedSettleS: 42,
      sendBefore: at(-24_000),
    });
  });

  it('asks for the rest once a part has come, and for nothing more once it is complete', () => {
    expect(page({}, [paid(20_000_000n)])).toMatchObject({
      received: amountOf('20', 6),
      missing: amountOf('30', 6),
      uri: 'pay:30000000',
      complete: false,
    });
    const tolerant = { ...fifty, toleranceBps: 100 };
    expect(page({}, [paid(49_500_000n)], {}, tolerant)).toMatchObject({
      received: amountOf('49.5', 6),
      missing: { atoms: 0n },
      complete: true,
    });
    expect(page({}, [paid(49_499_999n)], {}, tolerant)).toMatchObject({ complete: false });
  });

  it('never asks for less than is owed, nor says that more came than did', () => {
    const fine = { ...eth, amountAtoms: 20_000_000_001n };
    const some = transfer({ asset: 'ETH', address: '0xcd', amountAtoms: 9_999_999_999n });
    expect(page({}, [some], {}, fine)).toMatchObject({
      amount: amountOf('0.00000003', 18),
      received: { atoms: 9_999_999_999n },
      missing: amountOf('0.00000002', 18),
      uri: 'pay:10000000002',
    });
  });

  it('has the merchant’s spread in its price', () => {
    const withTenPercent = { ...fifty, price: '0.333333333', spreadBps: 1000 };
    expect(page({}, [], {}, withTenPercent).price).toEqual(withSpread(priceAt('0.333333333'), 1000));
  });

  it('counts to no number where the network says what is final', () => {
    expect(page({}, [], {}, { ...fifty, settlementDepth: 'safe' })).toMatchObject({
      requiredConfirmations: null,
      expectedSettleS: 400,
    });
  });

  it('of an open intent says at once what came, too much too', () => {
    const waiting = paid(60_000_000n, { state: 'mempool', ...UNMINED });
    expect(page({ status: 'pending' }, [waiting])).toMatchObject({
      received: amountOf('60', 6),
      excess: amountOf('10', 6),
      complete: true,
      uri: 'pay:50000000',
    });
  });

  it('of an ended one says what has the depth of its price, and that it was too much once that is final', () => {
    const tenfold = [paid(500_000_000n)];
    const ended = (height: number) => page({ status: 'settled' }, tenfold, { height });
    expect(ended(11)).toMatchObject({ received: { atoms: 0n }, complete: false, excess: null });
    expect(ended(12)).toMatchObject({ received: amountOf('500', 6), complete: true, excess: null });
    // CHF 500 wait for the next tier.
    expect(ended(14)).toMatchObject({ received: amountOf('500', 6), excess: null });
    expect(ended(15)).toMatchObject({ received: amountOf('500', 6), excess: amountOf('450', 6) });
  });

  it('of an ended one says that it was too much once all of it is final', () => {
    const parts = [paid(500_000_000n), paid(10_000_000n, { blockHeight: 13 })];
    const ended = (height: number) => page({ status: 'settled' }, parts, { height });
    expect(ended(15)).toMatchObject({ received: amountOf('510', 6), excess: null });
    expect(ended(18)).toMatchObject({ received: amountOf('510', 6), excess: amountOf('460', 6) });
  });

  it('of an ended one has nothing that is neither on the chain nor on its way', () => {
    const gone = missing(at(-60_000), { amountAtoms: 50_000_000n });
    const synced = { syncedAt: EXPIRES };
    expect(page({ status: 'pending' }, [gone], synced).transfers).toHaveLength(1);
    expect(page({ status: 'failed' }, [gone], synced).transfers).toEqual([]);
  });
});

describe('a transfer as its buyer sees it', () => {
  const shown = (given: Partial<Transfer>, height = 10) => {
    const facts = factsOf([], { height });
    return shownTransferIn({ intent: intent(), quotes: [fifty], facts }, places)(transfer(given));
  };

  it('has its amount, its depth and a link', () => {
    expect(shown({ txid: '0xaa', amountAtoms: 1_234_567n }, 11)).toEqual({
      txid: '0xaa',
      network: 'ethereum',
      networkName: 'Ethereum',
      asset: 'USDC',
      amount: amountOf('1.234567', 6),
      state: 'included',
      confirmations: 2,
      final: false,
      explorerUrl: 'https://explorer.example/tx/0xaa',
    });
    expect(shown({}, 12)).toMatchObject({ confirmations: 3, final: true });
  });

  it.each([
    ['mempool', 'mempool'],
    ['included', 'included'],
    ['orphaned', 'missing'],
    ['replaced', 'missing'],
  ] as const)('that is %s is told as %s', (state, told) => {
    expect(shown({ state }).state).toBe(told);
  });

  it('is of an unknown amount where nobody knows its decimals: never a wrong one', () => {
    expect(shown({ asset: 'GONE', decimals: null })).toMatchObject({ asset: 'GONE', amount: null });
    expect(shown({ network: 'gone' })).toMatchObject({ networkName: 'gone', explorerUrl: null });
  });
});

describe('what a buyer may still do', () => {
  const foreign = transfer({ asset: 'USDT' });
  const quotes = [fifty, eth];
  const may = (rule: typeof maySwitch, transfers: readonly Transfer[], of: Partial<Intent> = {}) =>
    rule(intent(of), quotes, factsOf(transfers));

  it('is everything while nothing came to the intent', () => {
    const nothing = [transfer({ beforeIssue: true }), transfer({ address: '0xef' })];
    expect([may(maySwitch, nothing), may(mayCancel, nothing)]).toEqual([true, true]);
  });

  it('is to switch, though not to cancel, after money of another kind came', () => {
    expect([may(maySwitch, [foreign]), may(mayCancel, [foreign])]).toEqual([true, false]);
  });

  it('is nothing once anything of any quote came', () => {
    for (const one of [transfer(), transfer({ asset: 'ETH', address: '0xcd' })])
      expect([may(maySwitch, [one]), may(mayCancel, [one])]).toEqual([false, false]);
  });

  it.each([
    ['initiated', true],
    ['pending', true],
    ['confirmed', false],
    ['settled', false],
    ['failed', false],
    ['expired', false],
    ['cancelled', false],
  ] as const)('of an intent that is %s: %s', (status, allowed) => {
    expect([may(maySwitch, [], { status }), may(mayCancel, [], { status })]).toEqual([allowed, allowed]);
  });
});

describe('money beside the quote that is shown', () => {
  const [shown, other, foreign] = [
    transfer(),
    transfer({ asset: 'ETH', address: '0xcd' }),
    transfer({ asset: 'USDT' }),
  ];
  const facts = factsOf([shown, other, foreign, transfer({ beforeIssue: true })]);

  it('is of other quotes and of none, and was not there before', () => {
    expect(otherTransfers(intent(), fifty, [fifty, eth], facts)).toEqual([other, foreign]);
    expect(otherTransfers(intent(), null, [fifty, eth], facts)).toEqual([shown, other, foreign]);
  });

  it('is told of an ended intent only while it is on the chain or on its way', () => {
    const gone = factsOf([missing(at(-60_000), { asset: 'USDT' })], { syncedAt: EXPIRES });
    expect(otherTransfers(intent(), fifty, [fifty], gone)).toHaveLength(1);
    expect(otherTransfers(intent({ status: 'expired' }), fifty, [fifty], gone)).toEqual([]);
  });
});

it('the page stops asking two blocks early where a payment is first seen in a block', () => {
  expect(sendBefore(EXPIRES, network)).toEqual(at(-24_000));
  expect(sendBefore(EXPIRES, { ...network, family: 'bitcoin' } satisfies NetworkConfig)).toEqual(EXPIRES);
});
