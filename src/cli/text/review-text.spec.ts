import { amountOf } from '../../../test/support/intents/amount.js';
import type { ReviewDetail } from '../../modules/intents/review/reviews.service.js';
import { detailJson, detailText } from './review-text.js';

const AT = new Date('2026-11-21T14:40:00.000Z');

const detail: ReviewDetail = {
  intentId: 'pi_1',
  merchantId: 'mer_1',
  status: 'expired',
  reason: 'underpaid',
  title: null,
  amountMinor: 4_990n,
  currency: 'CHF',
  asset: 'USDC',
  network: 'ethereum',
  acceptable: {
    amount: amountOf('50', 6),
    missing: amountOf('6.1234', 6),
    receivedBps: 8_908n,
    transferIds: ['tr_1'],
  },
  final: true,
  quoted: amountOf('56.1234', 6),
  received: amountOf('50', 6),
  missing: amountOf('6.1234', 6),
  receivedBps: 8_908n,
  transfers: [
    {
      id: 'tr_1',
      txid: '0xaa',
      network: 'ethereum',
      networkName: 'Ethereum',
      asset: 'USDC',
      state: 'included',
      confirmations: 9,
      final: true,
      explorerUrl: null,
      observedAt: AT,
      amount: amountOf('50', 6),
    },
    {
      id: 'tr_2',
      txid: '0xbb',
      network: 'ethereum',
      networkName: 'Ethereum',
      asset: 'GONE',
      state: 'included',
      confirmations: 9,
      final: true,
      explorerUrl: null,
      observedAt: AT,
      amount: null,
    },
  ],
  transferIds: ['tr_1', 'tr_2'],
  refundRequest: null,
  refundRequests: [],
  expiredAt: AT,
  openedAt: AT,
  decisions: [
    {
      id: 'rd_1',
      intentId: 'pi_1',
      kind: 'refund',
      actor: 'ann',
      note: 'too late',
      transfers: ['tr_1'],
      refund: {
        typed: '12.5',
        money: { network: 'ethereum', asset: 'USDC', ...amountOf('12.5', 6) },
        txid: null,
      },
      createdAt: AT,
    },
  ],
  refundable: [{ network: 'ethereum', networkName: 'Ethereum', asset: 'USDC', ...amountOf('37.5', 6) }],
};

it('an entry is JSON with its amounts as text, also where something was sent back', () => {
  expect(JSON.parse(JSON.stringify(detailJson(detail)))).toMatchObject({
    amount: 49.9,
    quoted: '56.12340000',
    received: '50.00000000',
    missing: '6.12340000',
    receivedPercent: '89.08',
    acceptable: {
      amount: '50.00000000',
      missing: '6.12340000',
      receivedPercent: '89.08',
      transferIds: ['tr_1'],
    },
    transfers: [{ amount: '50.00000000' }, { amount: 'unknown' }],
    refundable: [{ network: 'ethereum', asset: 'USDC', amount: '37.500000' }],
    decisions: [{ kind: 'refund', refundAmount: '12.5', refundAsset: 'USDC' }],
  });
});

it('an entry says in words what arrived, and of what', () => {
  const text = detailText(detail);
  expect(text).toContain(
    'received 50.00000000 of 56.12340000 USDC on ethereum (89.08 %), missing 6.12340000',
  );
  expect(text).toContain('CHF 49.90');
  expect(text).toContain('unknown GONE on Ethereum');
  expect(detailText({ ...detail, final: false })).toContain('of which 50.00000000 final');
  expect(detailText({ ...detail, final: false, acceptable: null })).toContain('not final');
});
