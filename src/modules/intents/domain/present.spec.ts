import {
  intent as intentOf,
  quote as quoteOf,
  transfer as moved,
} from '../../../../test/support/intents/payment.js';
import type { ChainTip, Transfer } from '../../chains/chains.types.js';
import { presentIntent, presentPayment } from './present.js';

const CREATED = new Date('2026-11-21T08:00:00.250Z');
const later = (minutes: number) => new Date(CREATED.getTime() + minutes * 60_000);

const intent = intentOf({
  status: 'settled',
  title: 'Order 1001',
  idempotencyKey: 'order-1001',
  returnUrl: 'https://shop.example/thanks',
  sequence: 4,
  createdAt: CREATED,
  expiresAt: later(15),
  completedAt: later(1),
  confirmedAt: later(2),
  settledAt: later(3),
});
const quote = quoteOf({ amountAtoms: 62_375_000n });

const transfer = (amountAtoms: bigint, given: Partial<Transfer> = {}) =>
  moved({ amountAtoms, txid: `0x${amountAtoms}`, observedAt: CREATED, ...given });
const tips = new Map([['ethereum', { height: 12, syncedAt: CREATED } as unknown as ChainTip]]);

describe('presentIntent', () => {
  it('tells everything of a settled intent, each of its four times in ISO 8601 with an offset', () => {
    expect(presentIntent(intent, quote, 'https://pay.example')).toEqual({
      id: 'pi_1',
      status: 'settled',
      amount: 49.9,
      currency: 'CHF',
      title: 'Order 1001',
      assetSymbol: 'USDC',
      cryptoAmount: '62.37500000',
      depositAddress: '0xAb',
      checkoutUrl: 'https://pay.example/pay/pi_1',
      returnUrl: 'https://shop.example/thanks',
      createdAt: '2026-11-21T08:00:00.250Z',
      expiresAt: '2026-11-21T08:15:00.250Z',
      confirmedAt: '2026-11-21T08:02:00.250Z',
      settledAt: '2026-11-21T08:03:00.250Z',
      idempotencyKey: 'order-1001',
    });
  });

  it('has null for what has not happened yet', () => {
    const fresh = { ...intent, confirmedAt: null, settledAt: null };
    expect(presentIntent(fresh, null, 'https://pay.example')).toMatchObject({
      assetSymbol: null,
      cryptoAmount: null,
      depositAddress: null,
      confirmedAt: null,
      settledAt: null,
    });
  });

  it('never asks for less than is owed: what the eighth decimal cannot show is rounded up', () => {
    const fine = { ...quote, decimals: 18, amountAtoms: 1n };
    expect(presentIntent(intent, fine, 'https://pay.example').cryptoAmount).toBe('0.00000001');
  });
});

describe('presentPayment', () => {
  it('tells what arrived, what is missing, and how deep each transfer is', () => {
    const transfers = [transfer(40_000_000n), transfer(2_375_000n, { blockHeight: 12 })];
    expect(presentPayment(quote, { transfers, tips })).toEqual({
      network: 'ethereum',
      received: '42.37500000',
      missing: '20.00000000',
      transfers: [
        { txid: '0x40000000', amount: '40.00000000', confirmations: 3 },
        { txid: '0x2375000', amount: '2.37500000', confirmations: 1 },
      ],
    });
  });

  it('never tells more than arrived, nor less than is missing', () => {
    const fine = { ...quote, decimals: 18, amountAtoms: 20_000_000_000n };
    expect(presentPayment(fine, { transfers: [transfer(9_999_999_999n)], tips })).toMatchObject({
      received: '0.00000000',
      missing: '0.00000002',
      transfers: [{ amount: '0.00000000' }],
    });
  });

  it('has nothing missing once the tolerance is reached', () => {
    const tolerant = { ...quote, toleranceBps: 100 };
    const enough = [transfer(61_751_250n)];
    const short = [transfer(61_751_249n)];
    expect(presentPayment(tolerant, { transfers: enough, tips }).missing).toBe('0.00000000');
    expect(presentPayment(tolerant, { transfers: short, tips }).missing).not.toBe('0.00000000');
  });

  it('lists a hundred of many transfers, the largest, and sums up all: the body of an event has a limit', () => {
    const dust = (length: number) =>
      Array.from({ length }, (_, i) => transfer(1n, { txid: `0x${i}${'d'.repeat(60)}` }));
    const transfers = [...dust(2_500), transfer(40_000_000n), ...dust(2_500), transfer(2_375_000n)];
    const payment = presentPayment(quote, { transfers, tips });
    expect(payment).toMatchObject({ received: '42.38000000', missing: '19.99500000' });
    const amounts = payment.transfers.map(({ amount }) => amount);
    expect(amounts).toHaveLength(100);
    expect(amounts.slice(-2)).toEqual(['40.00000000', '2.37500000']);
    expect(payment.transfers[0]).toMatchObject({ amount: '0.00000100', txid: transfers[0]?.txid });
    expect(JSON.stringify(payment).length).toBeLessThan(15_000);
  });

  it('counts nothing of another asset, of another address, or that was replaced', () => {
    const transfers = [
      transfer(1n, { asset: 'USDT' }),
      transfer(2n, { address: '0xcd' }),
      transfer(3n, { network: 'polygon' }),
      transfer(4n, { state: 'replaced' }),
      transfer(5n, { superseded: true }),
      transfer(6n, { own: true }),
      transfer(7n, { beforeIssue: true }),
    ];
    expect(presentPayment(quote, { transfers, tips })).toMatchObject({
      received: '0.00000000',
      transfers: [],
    });
  });
});
