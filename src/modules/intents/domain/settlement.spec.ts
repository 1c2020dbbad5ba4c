import { at, eth, factsOf, intent, quote, transfer } from '../../../../test/support/intents/payment.js';
import fc from '../../../../test/support/run/fast-check.js';
import { acceptedSettlement, excessOf, priceOf, settlementOf } from './settlement.js';

const rateSources = [{ name: 'kraken', price: '0.8', at: '2026-11-21T08:00:00.000Z' }];
/** CHF 40.00 for 50 USDC. */
const fifty = quote({ amountAtoms: 50_000_000n, price: '0.8', rateSources });

describe('the record of a settlement', () => {
  it('is what the chain says of each transfer, with what was received in the currency, at the quoted price', () => {
    const paid = transfer({ id: 'tr_a', output: 'log:7', amountAtoms: 50_000_000n });
    expect(settlementOf(intent(), fifty, factsOf([paid], { height: 12 }))).toEqual({
      quoteId: 'usdc',
      network: 'ethereum',
      asset: 'USDC',
      price: '0.8',
      rateSources,
      receivedAtoms: 50_000_000n,
      excessAtoms: 0n,
      fiatMinor: 40_00n,
      acceptedBy: null,
      acceptReason: null,
      transfers: [
        {
          id: 'tr_a',
          txid: '0x1',
          output: 'log:7',
          amountAtoms: '50000000',
          blockHeight: 10,
          blockHash: '0xb',
        },
      ],
    });
  });

  it('rests on nothing that could be undone, that came late, or that is of another quote', () => {
    const deep = transfer({ amountAtoms: 50_000_000n });
    const shallow = transfer({ amountAtoms: 1_000_000n, blockHeight: 11 });
    const late = transfer({ amountAtoms: 1_000_000n, blockTime: at(1), firstSeenAt: at(1) });
    const foreign = transfer({ asset: 'ETH', address: '0xcd' });
    const settlement = settlementOf(intent(), fifty, factsOf([deep, shallow, late, foreign], { height: 12 }));
    expect(settlement.transfers.map(({ id }) => id)).toEqual([deep.id]);
    expect(settlement).toMatchObject({ receivedAtoms: 50_000_000n, excessAtoms: 0n });
  });

  it('never says that more was received than was', () => {
    const paid = transfer({ amountAtoms: 50_009_999n });
    const { fiatMinor, excessAtoms } = settlementOf(intent(), fifty, factsOf([paid], { height: 12 }));
    expect([fiatMinor, excessAtoms]).toEqual([40_00n, 9_999n]);
  });

  it('of an accept names who decided and why, and takes what it is given, late or not', () => {
    const late = transfer({ amountAtoms: 25_000_000n, blockTime: at(1), firstSeenAt: at(1) });
    const settlement = acceptedSettlement(fifty, [late], { actor: 'usr_1', note: 'a friend of the house' });
    expect(settlement).toMatchObject({
      acceptedBy: 'usr_1',
      acceptReason: 'a friend of the house',
      receivedAtoms: 25_000_000n,
      excessAtoms: 0n,
      fiatMinor: 20_00n,
      transfers: [{ id: late.id }],
    });
  });
});

describe('what came on top of a price', () => {
  it.each([
    ['an atom of USDC, which has no dust', fifty, 1n, 1n],
    ['what eight decimals cannot show of ether', eth, 10n ** 10n - 1n, 0n],
    ['the least that they can show', eth, 10n ** 10n, 10n ** 10n],
    ['nothing', fifty, 0n, 0n],
  ])('is %s', (_what, of, more, excess) => {
    expect(excessOf(of, of.amountAtoms + more)).toBe(excess);
  });

  it('is never more than what came beyond it, and nothing of too little', () => {
    const atoms = fc.bigInt(0n, 10n ** 24n);
    fc.assert(
      fc.property(atoms, atoms, fc.constantFrom(fifty, eth), (amountAtoms, received, of) => {
        const excess = excessOf({ ...of, amountAtoms }, received);
        const beyond = received - amountAtoms;
        return excess === 0n ? beyond < 10n ** 10n : excess === beyond;
      }),
    );
  });
});

describe('the price of a quote', () => {
  it('has the merchant’s spread in it', () => {
    const { numerator, denominator } = priceOf({ ...fifty, spreadBps: 250 });
    expect(numerator * 1000n).toBe(denominator * 780n);
  });

  it('is never guessed', () => {
    expect(() => priceOf({ ...fifty, price: '' })).toThrow('quote usdc holds no price');
  });
});
