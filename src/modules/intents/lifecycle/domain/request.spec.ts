import { intent } from '../../../../../test/support/intents/payment.js';
import { mismatchesOf, type NewIntent } from './request.js';

const original = intent({ title: 'Order 1001', idempotencyKey: 'order-1001' });
const replay: NewIntent = {
  amountMinor: 4990n,
  currency: 'CHF',
  title: 'Order 1001',
  idempotencyKey: 'order-1001',
  returnUrl: null,
};

it('a replay is the same request', () => {
  expect(mismatchesOf(original, replay)).toEqual([]);
});

it.each<[string, Partial<NewIntent>]>([
  ['amount', { amountMinor: 4991n }],
  ['currency', { currency: 'EUR' }],
  ['title', { title: null }],
  ['returnUrl', { returnUrl: 'https://shop.example' }],
])('another %s under the same key is named', (field, given) => {
  expect(mismatchesOf(original, { ...replay, ...given })).toEqual([field]);
});
