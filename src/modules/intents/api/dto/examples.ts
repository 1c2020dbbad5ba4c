import type { EventBody, MoneyEventBody } from '../../domain/present.js';
import type { IntentWithPayment, PageOf, PaymentIntent } from '../../intents.types.js';

const ID = 'pi_01kdk3x0t6s2v9m4c8q7p5z1r0w3ya';

/** One payment as the examples of the contract tell it, from the request to the event that says `settled`. */
export const REQUEST_EXAMPLES = {
  order: {
    summary: 'An order: with a key, so that a retry is safe',
    value: {
      amount: 49.9,
      currency: 'CHF',
      title: 'Order 1001',
      idempotencyKey: 'order-1001',
      returnUrl: 'https://shop.example/thanks',
    },
  },
  least: { summary: 'The least that is needed', value: { amount: 20, currency: 'EUR' } },
};

const created: PaymentIntent = {
  id: ID,
  status: 'initiated',
  amount: 49.9,
  currency: 'CHF',
  title: 'Order 1001',
  assetSymbol: null,
  cryptoAmount: null,
  depositAddress: null,
  checkoutUrl: `https://pay.rappen.example/pay/${ID}`,
  returnUrl: 'https://shop.example/thanks',
  createdAt: '2026-11-21T08:15:00.000Z',
  expiresAt: '2026-11-21T08:30:00.000Z',
  confirmedAt: null,
  settledAt: null,
  idempotencyKey: 'order-1001',
};

const settled: PaymentIntent = {
  ...created,
  status: 'settled',
  assetSymbol: 'USDC',
  cryptoAmount: '62.37500000',
  depositAddress: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  confirmedAt: '2026-11-21T08:18:12.000Z',
  settledAt: '2026-11-21T08:24:36.000Z',
};

const paid = {
  network: 'ethereum',
  received: '62.37500000',
  missing: '0.00000000',
  transfers: [
    {
      txid: '0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060',
      amount: '62.37500000',
      confirmations: 32,
    },
  ],
};

const read = {
  initiated: { ...created, payment: null },
  settled: { ...settled, payment: paid },
} satisfies Record<string, IntentWithPayment>;

const page: PageOf<PaymentIntent> = { items: [settled], total: 1, page: 1, pageSize: 20 };

export const CREATED_EXAMPLES = { created: { summary: 'A new intent', value: created } };
export const REPLAYED_EXAMPLES = { replayed: { summary: 'The original, paid meanwhile', value: settled } };
export const READ_EXAMPLES = {
  initiated: { summary: 'Nothing paid yet', value: read.initiated },
  settled: { summary: 'Paid: fulfil the order', value: read.settled },
};
export const CANCELLED_EXAMPLES = {
  unpaid: { summary: 'Nothing had arrived', value: { ...read.initiated, status: 'cancelled' } },
};
export const PAGE_EXAMPLES = { page: { summary: 'The first page', value: page } };

const event: EventBody = {
  id: 'evt_01kdk4ew8m7h3n9t2x6c5b8v4q1z0d',
  type: 'payment.status',
  timestamp: '2026-11-21T08:24:36.000Z',
  sequence: 4,
  data: {
    intent: settled,
    previousStatus: 'confirmed',
    payment: paid,
  },
};

export const EVENT_EXAMPLES = { settled: { summary: 'Paid: fulfil the order', value: event } };

const money: MoneyEventBody = {
  id: 'evt_01kdk6q4h8w2r5n9x1t7c3b6v0z4ma',
  type: 'payment.money',
  timestamp: '2026-11-21T08:41:12.000Z',
  sequence: 1,
  data: {
    intent: { ...settled, status: 'expired', confirmedAt: null, settledAt: null },
    money: {
      id: 'tr_01kdk6p0y3m7s4d8f2g6h1j5k9l0qw',
      reason: 'late',
      network: 'ethereum',
      asset: 'USDC',
      amount: '62.37500000',
      txid: '0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060',
      observedAt: '2026-11-21T08:33:48.000Z',
    },
  },
};

export const MONEY_EXAMPLES = {
  late: { summary: 'Late, and final: it is in the wallet, and waits for a decision', value: money },
};

export const PAGE_OF_EVENTS_EXAMPLES = {
  page: { summary: 'What you have missed', value: { items: [event, money], hasMore: false } },
  none: {
    summary: 'Nothing new: ask again later, with the same `after`',
    value: { items: [], hasMore: false },
  },
};
