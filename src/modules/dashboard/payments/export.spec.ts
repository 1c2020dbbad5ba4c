import { PAYMENT_COLUMNS } from './export.js';

/** Of version 0.2.0, and of each later one once it is released: somebody reads them by their place. */
const PUBLISHED =
  'id,status,order_key,title,amount,currency,asset,network,quoted,received,address,in_review,' +
  'created_at,expires_at,confirmed_at,settled_at';

it('keeps every published column at its place: a new one stands behind them', () => {
  const columns = PAYMENT_COLUMNS.map(([name]) => name);
  const published = PUBLISHED.split(',');
  expect(columns.slice(0, published.length)).toEqual(published);
});
