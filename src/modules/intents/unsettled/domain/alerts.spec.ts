import {
  factsOf,
  intent as intentOf,
  transfer,
  UNMINED,
} from '../../../../../test/support/intents/payment.js';
import type { ReviewReason } from '../../reviews.types.js';
import { reviewAlert, undone, undoneAlert } from './alerts.js';

const intent = intentOf({ amountMinor: 1_000n });

it.each<[ReviewReason, boolean]>([
  ['in-time-seen-late', true],
  ['late', true],
  ['underpaid', true],
  ['beside-settlement', false],
  ['after-settlement', false],
  ['cancelled', false],
  ['failed', false],
  ['other-quote', false],
  ['other-asset', false],
  ['other-network', false],
  ['before-issue', false],
])('asks to accept money that is %s: %s', (reason, mayAccept) => {
  expect(reviewAlert(intent, reason, ['tr_1']).detail.includes('Accept it')).toBe(mayAccept);
});

it('the alert of money that waits names the payment and its money, and neither title nor key', () => {
  const alert = reviewAlert(intentOf({ title: 'Secret', idempotencyKey: 'order-1' }), 'late', ['tr_1']);
  expect(alert).toMatchObject({
    kind: 'review-entry',
    subject: 'pi_1',
    merchantId: 'mer_1',
    summary: 'A payment of CHF 49.90 waits for your decision',
    data: { reason: 'late', transfers: ['tr_1'] },
  });
  expect(alert.detail).toContain('recorded with payment pi_1');
  expect(JSON.stringify(alert)).not.toMatch(/Secret|order-1/);
});

it('alerts name a hundred transfers and no more, however much dust somebody sends', () => {
  const ids = (kind: string, length: number) => Array.from({ length }, (_, i) => `tr_${kind}${i}`);
  const named = (alert: { readonly data?: unknown }) => alert.data;
  const first = ids('a', 100);
  expect(named(reviewAlert(intent, 'late', ids('a', 5_000)))).toEqual({ reason: 'late', transfers: first });
  expect(named(undoneAlert(intent, [], ids('a', 5_000)))).toEqual({ transfers: first });
  const alert = undoneAlert(intent, ids('a', 60), ids('b', 5_000));
  expect(named(alert)).toEqual({ transfers: [...ids('a', 60), ...ids('b', 40)] });
});

describe('money that has left the chain', () => {
  const kept = transfer({ id: 'tr_kept' });
  const less = transfer({ id: 'tr_less', amountAtoms: 99n });
  const unmined = transfer({ id: 'tr_unmined', state: 'mempool', ...UNMINED });
  const facts = factsOf([kept, less, unmined]);

  it('is what is in no block any more, or is less than it was', () => {
    const settled = ['tr_kept', 'tr_less', 'tr_unmined', 'tr_gone'].map((id) => ({ id, amountAtoms: 100n }));
    expect(undone(settled, facts)).toEqual(['tr_less', 'tr_unmined', 'tr_gone']);
    expect(undone([{ id: 'tr_kept', amountAtoms: 99n }], facts)).toEqual([]);
  });

  it('is told of a settled payment first: whether the order was shipped is what matters', () => {
    const alert = undoneAlert(intent, ['tr_1'], ['tr_2', 'tr_3']);
    expect(alert).toMatchObject({
      kind: 'reorganised-after-settlement',
      subject: 'pi_1',
      merchantId: 'mer_1',
      summary: 'Money of a settled payment of CHF 10.00 has left the chain',
      data: { transfers: ['tr_1', 'tr_2', 'tr_3'] },
    });
    expect(alert.detail).toContain('1 of the transfers that settled payment pi_1');
  });

  it('is told of what was only announced, so that nobody sends it back', () => {
    const alert = undoneAlert(intent, [], ['tr_2', 'tr_3']);
    expect(alert).toMatchObject({
      kind: 'reorganised-after-settlement',
      subject: 'pi_1',
      merchantId: 'mer_1',
      summary: 'Money that was announced for a payment of CHF 10.00 has left the chain',
      data: { transfers: ['tr_2', 'tr_3'] },
    });
    expect(alert.detail).toContain('2 of the transfers that you were told of for payment pi_1');
  });
});
