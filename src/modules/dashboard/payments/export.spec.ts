import type { PaymentRow } from '../../intents/payments.types.js';
import { csvOf } from './export.js';

/** Of version 0.2.0, and of each later one once it is released: somebody reads them by their place. */
const PUBLISHED =
  'id,status,order_key,title,amount,currency,asset,network,quoted,received,address,in_review,' +
  'created_at,expires_at,confirmed_at,settled_at';

async function* noRows(): AsyncGenerator<PaymentRow> {}

it('keeps every published column at its place: a new one stands behind them', async () => {
  const { value: heading = '' } = await csvOf(noRows()).next();
  const columns = heading.trimEnd().split(',');
  const published = PUBLISHED.split(',');
  expect(columns.slice(0, published.length)).toEqual(published);
});
