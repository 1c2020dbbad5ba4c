import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AlertKind, NewAlert } from '../../src/modules/alerts/alerts.types.js';
import { sayIn } from '../../src/modules/dashboard/language/say.js';
import { gapAlert } from '../../src/modules/intents/reporting/gap-alerts.js';
import {
  paidAgainAlert,
  undoneRefundAlert,
  unfoundAlert,
} from '../../src/modules/intents/review/domain/refund-alerts.js';
import { MONEY_REASONS } from '../../src/modules/intents/reviews.types.js';
import {
  refundedBeyondAlert,
  reviewAlert,
  undoneAlert,
} from '../../src/modules/intents/unsettled/domain/alerts.js';
import { disabledAlert } from '../../src/modules/webhooks/delivery/disable-notices.js';
import { intent } from '../support/intents/payment.js';

const OPERATIONS = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8');
/** The first table of alerts is of what merchants hear. */
const [, FIRST_TABLE = ''] = OPERATIONS.split('\n| Kind | Raised when | Over when |\n');
const OF_MERCHANTS = [...FIRST_TABLE.split('\n\n')[0]!.matchAll(/^\| `([a-z-]+)` \|/gm)].map(
  ([, kind]) => kind,
);

const refund = {
  id: 'rf_1',
  merchantId: 'mer_1',
  intentId: 'pi_1',
  atoms: 700_000_000n,
  decimals: 8,
  asset: 'BTC',
  state: 'final',
  networkName: 'Bitcoin',
} as const;
const endpoint = { id: 'we_1', merchantId: 'mer_1', url: 'https://shop.example/hook' };

/** Every alert to a merchant, with each of its texts. */
const EXAMPLES: Partial<Record<AlertKind, readonly NewAlert[]>> = {
  'review-entry': MONEY_REASONS.filter((reason) => reason !== 'excess').map((reason) =>
    reviewAlert(intent(), reason, ['tr_1']),
  ),
  'reorganised-after-settlement': [undoneAlert(intent(), [], ['tr_1']), undoneAlert(intent(), ['tr_1'], [])],
  'webhook-endpoint-disabled': [disabledAlert(endpoint, 'failing'), disabledAlert(endpoint, 'answered-410')],
  'wallet-gap': [
    gapAlert({ id: 'xk_1', merchantId: 'mer_1', family: 'evm', hint: 'xpub…1234', unused: 18 }, [
      'Ethereum',
      'Polygon',
    ]),
  ],
  'refund-unfound': [
    unfoundAlert(refund, 'time'),
    unfoundAlert(refund, 'refused'),
    unfoundAlert(refund, { gone: 7 }),
  ],
  'refund-undone': [undoneRefundAlert(refund)],
  'refund-paid-again': [
    paidAgainAlert(refund, '0x1'),
    paidAgainAlert({ ...refund, state: 'withdrawn' }, '0x1'),
  ],
  'refund-beyond-money': [
    refundedBeyondAlert(intent(), [{ network: 'bitcoin', asset: 'BTC', decimals: 8, atoms: 7n }]),
  ],
};

it('has an example of every kind of which merchants hear', () => {
  expect(OF_MERCHANTS.length).toBeGreaterThan(5);
  expect(OF_MERCHANTS.toSorted()).toEqual(Object.keys(EXAMPLES).toSorted());
});

it.each(Object.values(EXAMPLES).flat())(
  'says in German “$summary”, and what to do',
  ({ summary, detail }) => {
    const { told } = sayIn('de');
    expect(told(summary)).not.toBe(summary);
    for (const sentence of detail.split(/(?<=\.) /)) expect(told(sentence)).not.toBe(sentence);
  },
);
