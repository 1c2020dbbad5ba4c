import { amountOf } from '../../../../test/support/intents/amount.js';
import type { PaymentDetail } from '../../intents/payments.types.js';
import { sayIn } from '../language/say.js';
import { sentenceOf } from './sentence.js';

const usdc = (text: string) => amountOf(text, 6);
const QUOTE = {
  shown: true,
  asset: 'USDC',
  networkName: 'Ethereum',
  quoted: usdc('62.38'),
  received: usdc('0'),
};
const MONEY = {
  own: false,
  beforeIssue: false,
  amount: amountOf('5', 18),
  asset: 'ETH',
  networkName: 'Base',
};

function detail(status: string, more: object = {}): PaymentDetail {
  return {
    intent: { status, currency: 'CHF', expiresAt: '2026-11-24T14:32:00.000Z' },
    inReview: null,
    settlement: null,
    quotes: [],
    transfers: [],
    transitions: [{ cause: 'window-lapsed' }],
    ...more,
  } as unknown as PaymentDetail;
}
const paid = (received: string) => ({ quotes: [{ ...QUOTE, received: usdc(received) }], transfers: [MONEY] });
const read = (of: PaymentDetail) => {
  const { what, until, end, now } = sentenceOf(sayIn('en'), of);
  return [`${what}${until?.utc ?? ''}${end}`, now].join(' ').replaceAll('\u00a0', ' ');
};

it.each<[string, PaymentDetail, string]>([
  [
    'is not begun',
    detail('initiated'),
    'The buyer has not chosen how to pay, and can until 24 Nov 2026, 14:32 UTC. Nothing is to be done.',
  ],
  [
    'is not paid',
    detail('initiated', { quotes: [QUOTE] }),
    'Nothing has arrived. 62.38 USDC on Ethereum can be paid until 24 Nov 2026, 14:32 UTC. Nothing is to be done.',
  ],
  [
    'is paid in part',
    detail('pending', paid('31.19')),
    '31.19 of 62.38 USDC on Ethereum arrived. The rest can be paid until 24 Nov 2026, 14:32 UTC. Nothing is to be done.',
  ],
  [
    'is seen',
    detail('pending', paid('62.38')),
    '62.38 USDC on Ethereum arrived. It is not in a block that counts yet. It settles by itself once the network cannot undo it any more.',
  ],
  [
    'is too little',
    detail('expired', { ...paid('31.19'), inReview: 'underpaid' }),
    '31.19 of 62.38 USDC on Ethereum arrived. The rest did not come in time. It waits for your decision.',
  ],
  [
    'is another asset',
    detail('expired', { quotes: [QUOTE], transfers: [MONEY], inReview: 'other-asset' }),
    '5 ETH on Base arrived. Another asset arrived. It waits for your decision.',
  ],
  [
    'is over, unpaid',
    detail('expired'),
    'The payment window ended. No money has arrived. What comes later goes to the review queue.',
  ],
  [
    'is over, decided',
    detail('expired', paid('31.19')),
    'The payment window ended. 31.19 of 62.38 USDC on Ethereum arrived. What becomes of it is decided.',
  ],
  [
    'is overpaid',
    detail('settled', {
      settlement: {
        asset: 'USDC',
        networkName: 'Ethereum',
        received: usdc('63.38'),
        excess: usdc('1'),
        fiatMinor: 4990n,
        acceptedBy: null,
      },
    }),
    'Paid: 63.38 USDC on Ethereum, worth CHF 49.90. Overpaid by 1 USDC.',
  ],
])('says of one that %s how it stands', (_, of, sentence) => {
  expect(read(of)).toBe(sentence);
});
