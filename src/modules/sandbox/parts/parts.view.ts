import { INTENT_STATUSES, type IntentStatus } from '../../../kernel/intent-status.js';
import { addressGroups } from '../../../kernel/text/address-text.js';
import { Refusal } from '../../../platform/pages/forms/refusal.js';
import { STATUS_TONES } from '../../dashboard/tones.pure.js';
import { checkoutPartsView } from './checkout-parts.view.js';
import { facesView } from './faces.view.js';

const AT = { iso: '2026-11-24T14:32:00.000Z', utc: '24 Nov 2026, 14:32 UTC', since: null };
const THREE_MINUTES = { text: '{count, plural, one {# minute ago} other {# minutes ago}}', count: 3 };
const label = (status: IntentStatus) => ({ text: status, tone: STATUS_TONES[status] });
const ADDRESS = '0x52ab91c0D4e7F83b6A2951dcE08f47B3a96C1e5D';
const TXID = `0x${'7f69ea41'.repeat(8)}`;

const ROWS = [
  ['Order 1042: two bags of coffee', 'CHF', '49', '.90', '56', '.1234', 'USDC', 'settled'],
  [
    'Order 1043: a title that is longer than a line of a phone',
    'CHF',
    '12,400',
    '.00',
    '15,500',
    '',
    'USDC',
    'pending',
  ],
  ['Order 1044', 'EUR', '1', '.89', '0', '.00063', 'ETH', 'failed'],
] as const;

const FLAWS = {
  wrong: 'This is not an e-mail address.',
  'wrong-note': 'Say why, in a few words.',
  'wrong-choice': 'Choose one.',
};

/** The parts with made-up contents: what a page gives to each of them, in all of its states. */
export function partsView() {
  return {
    ...checkoutPartsView(),
    title: 'Parts',
    layout: {
      zone: 'Europe/Zurich',
      language: 'en',
      locale: 'en-GB',
      csrf: '',
      merchant: null,
      merchantId: '',
    },
    refusal: new Refusal(FLAWS, '', ''),
    tabs: ['All', 'Waiting', 'To review', 'Settled'].map((text, i) => ({
      label: text,
      path: '#tabs',
      isCurrent: i === 1,
    })),
    views: ['Large orders', 'Of a name that is longer than the room'].map((name) => ({
      name,
      path: '#tabs',
      isCurrent: false,
    })),
    statuses: INTENT_STATUSES.map(label),
    tones: ['good', 'warn', 'bad', 'quiet'].map((tone) => ({ tone, text: tone })),
    rows: ROWS.map(([name, currency, whole, part, received, fraction, asset, status]) => ({
      name,
      amount: { currency, whole, part, asset: null },
      received: { currency: null, whole: received, part: fraction, asset },
      status: label(status),
      at: AT,
    })),
    timeline: (['initiated', 'pending', 'confirmed', 'settled'] as const).map((status) => ({
      status: label(status),
      at: AT,
      why: 'Why it came to this',
    })),
    transfers: [
      { status: { text: 'final', tone: 'good' }, beside: '12 confirmations' },
      { status: { text: 'in no block yet', tone: 'warn' }, beside: null },
    ].map((row) => ({
      ...row,
      amount: '31.19\u00a0USDC',
      onNetwork: 'on Ethereum',
      seen: AT,
      txid: TXID,
      explorerUrl: null,
    })),
    faces: facesView(),
    address: ADDRESS,
    compared: { text: ADDRESS, ...addressGroups(ADDRESS) },
    transaction: { txid: TXID, explorerUrl: null },
    times: { exact: AT, since: { ...AT, since: THREE_MINUTES } },
    paging: { range: '51–100', total: '1,234', previous: '#paging', next: '#paging' },
  };
}
