import { CREATED, EXPIRES } from '../../../../../test/support/intents/payment.js';
import {
  ACCOUNTING_COLUMNS,
  accountingCells,
  type AccountingRecord,
  accountingRow,
} from './accounting-row.js';

const SOURCES = [
  { name: 'kraken', price: '0.8', at: '2026-11-21T08:00:00.000Z' },
  { name: 'coinbase', price: '0.81', at: '2026-11-21T08:00:01.000Z' },
];
const payment: AccountingRecord = {
  type: 'payment',
  at: EXPIRES,
  intentId: 'pi_1',
  title: 'Order 1001',
  reference: 'order-1001',
  currency: 'CHF',
  amountMinor: 123450n,
  network: 'ethereum',
  asset: 'USDC',
  decimals: 6,
  quotedAtoms: 1543125000n,
  receivedAtoms: 1543125001n,
  excessAtoms: 1n,
  fiatMinor: 123451n,
  price: '0.8',
  spreadBps: 0,
  rateSources: SOURCES,
  rateAt: CREATED,
  txids: ['0xaa', '0xbb'],
  decidedBy: null,
  reason: null,
  refunded: null,
  inAtoms: 1543125001n,
  outAtoms: null,
};
const dismissal: AccountingRecord = {
  ...payment,
  type: 'dismissal',
  network: null,
  asset: null,
  decimals: null,
  quotedAtoms: null,
  receivedAtoms: null,
  excessAtoms: null,
  fiatMinor: null,
  price: null,
  spreadBps: null,
  rateSources: null,
  rateAt: null,
  txids: [],
  decidedBy: 'usr_1',
  reason: 'sent back',
  inAtoms: null,
};

describe('a line of the accounting export', () => {
  it('has every amount as an exact decimal, crypto with all decimals of its asset', () => {
    expect(accountingRow(payment)).toEqual({
      type: 'payment',
      at: EXPIRES.toISOString(),
      intentId: 'pi_1',
      reference: 'order-1001',
      title: 'Order 1001',
      currency: 'CHF',
      amount: '1234.50',
      asset: 'USDC',
      network: 'ethereum',
      quoted: '1543.125000',
      received: '1543.125001',
      excess: '0.000001',
      fiatReceived: '1234.51',
      rate: '0.8',
      spreadBps: 0,
      rateSources: SOURCES,
      quotedAt: CREATED.toISOString(),
      txids: ['0xaa', '0xbb'],
      networkFee: 'unknown',
      decidedBy: null,
      reason: null,
      refunded: null,
      in: '1543.125001',
      out: null,
    });
    const fine = { ...payment, decimals: 18, inAtoms: null, outAtoms: 1n };
    expect(accountingRow(fine)).toMatchObject({ in: null, out: '0.000000000000000001' });
  });

  it('leaves out what only a settlement has', () => {
    const none = { quoted: null, received: null, excess: null, fiatReceived: null, in: null, out: null };
    expect(accountingRow(dismissal)).toMatchObject({ ...none, quotedAt: null, reason: 'sent back' });
  });

  it('has no amount of what has no decimals: no digits are better than wrong ones', () => {
    expect(accountingRow({ ...payment, decimals: null })).toMatchObject({ received: null, in: null });
  });
});

describe('the cells of a line', () => {
  const cells = (row: AccountingRecord) =>
    Object.fromEntries(accountingCells(accountingRow(row)).map((cell, i) => [ACCOUNTING_COLUMNS[i], cell]));

  it('are one for each column, lists in one cell', () => {
    expect(Object.keys(cells(payment))).toEqual(Object.keys(cells(dismissal)));
    expect(cells(payment)).toMatchObject({
      type: 'payment',
      amount: '1234.50',
      received: '1543.125001',
      out: null,
      spreadBps: '0',
      rateSources: 'kraken 0.8; coinbase 0.81',
      txids: '0xaa 0xbb',
      networkFee: 'unknown',
    });
  });

  it('are empty where there is nothing to say', () => {
    expect(cells(dismissal)).toMatchObject({ spreadBps: null, rateSources: null, txids: '', rate: null });
  });
});
