import { amountOf, priceAt } from '../../../../test/support/intents/amount.js';
import { gapOf } from './gap.js';

it.each<[bigint, string, string, string | null, bigint, bigint | null]>([
  [1000n, '12.50000000', '5.00000000', '0.8', 400n, 400n],
  [1000n, '12.50000000', '5.00000000', '0.88', 400n, 440n],
  [1000n, '12.50000000', '0.00000000', null, 0n, null],
  [99_999_999n, '0.00000003', '0.00000001', null, 33_333_333n, null],
  [7470n, '0.02667858', '0.01333929', '2800', 3735n, 3735n],
  [1000n, '3.00000000', '1.00000000', '3.3333', 334n, 334n],
])('of %s for %s short by %s at %s is %s, and %s today', (amount, quoted, missing, price, atQuote, today) => {
  const now = price === null ? null : priceAt(price);
  expect(gapOf(amount, amountOf(quoted), amountOf(missing), now)).toEqual({ atQuote, today });
});
