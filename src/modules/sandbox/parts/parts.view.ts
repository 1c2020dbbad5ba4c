import { INTENT_STATUSES } from '../../../kernel/intent-status.js';
import { coinAmount, fiatAmount } from '../../dashboard/domain/amounts.js';
import { ago, moment } from '../../dashboard/domain/times.js';
import { statusLabel } from '../../dashboard/payments/messages.js';

const NOW = new Date('2026-11-24T14:32:00Z');
const ADDRESS = '0x52ab91c0D4e7F83b6A2951dcE08f47B3a96C1e5D';
const TXID = `0x${'7f69ea41'.repeat(8)}`;

const ROWS = [
  ['Order 1042: two bags of coffee', 4_990n, 'CHF', '56.12340000', 'USDC', 'settled'],
  [
    'Order 1043: a title that is longer than what a phone has room for in a line',
    1_240_000n,
    'CHF',
    '15500.00000000',
    'USDC',
    'pending',
  ],
  ['Order 1044', 189n, 'EUR', '0.00063000', 'ETH', 'failed'],
] as const;

/** The parts with made-up contents: what a page gives to each of them, in all of its states. */
export function partsView() {
  return {
    title: 'Parts',
    layout: { zone: 'Europe/Zurich', language: 'en-GB', csrf: '', merchant: null },
    flaws: { wrong: 'This is not an e-mail address.', 'wrong-note': 'Say why, in a few words.' },
    tabs: ['All', 'Waiting', 'To review', 'Settled'].map((label, i) => ({
      label,
      path: '#tabs',
      isCurrent: i === 1,
    })),
    statuses: INTENT_STATUSES.map(statusLabel),
    tones: ['good', 'warn', 'bad', 'quiet'].map((tone) => ({ tone, text: tone })),
    rows: ROWS.map(([name, minor, currency, received, asset, status]) => ({
      name,
      amount: fiatAmount(minor, currency),
      received: coinAmount(received, asset),
      status: statusLabel(status),
      at: moment(NOW),
    })),
    timeline: (['initiated', 'pending', 'confirmed', 'settled'] as const).map((status) => ({
      status: statusLabel(status),
      at: moment(NOW),
      why: 'Why it came to this',
    })),
    address: ADDRESS,
    transaction: { txid: TXID, explorerUrl: null },
    times: { exact: moment(NOW), since: ago(new Date(NOW.getTime() - 180_000), NOW) },
    paging: { text: '51–100 of 1,234', previous: '#paging', next: '#paging' },
  };
}
