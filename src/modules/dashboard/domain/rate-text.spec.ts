import { priceAt } from '../../../../test/support/intents/amount.js';
import { groupedPrice, rateText } from './rate-text.js';

it('groups the thousands of a price, has its cents, and no zeros that say nothing', () => {
  const prices = ['3000', '0.86', '81490.67184200', '0.00001234', '1234567.1'];
  expect(prices.map((price) => groupedPrice({ language: 'en' }, priceAt(price)))).toEqual([
    '3,000.00',
    '0.86',
    '81,490.671842',
    '0.00001234',
    '1,234,567.10',
  ]);
  expect(rateText({ language: 'de' }, 'ETH', 'EUR', priceAt('3000.00000000'))).toBe(
    '1\u00a0ETH = EUR\u00a03’000.00',
  );
});
