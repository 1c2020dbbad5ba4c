import type { BitcoinTransaction } from './bitcoin-node.types.js';
import { payersIn } from './payments.js';

const KEYS = ['02', '03'].map((sign) => sign + '11'.repeat(32));
const transaction = (...inputKeys: string[]): BitcoinTransaction => ({
  txid: 'aa',
  spends: [],
  inputKeys,
  isCoinbase: false,
  outputs: [],
});

it('who signed a transaction is worked out once, however many outputs and inputs it has', () => {
  const payersOf = payersIn('bcrt');
  const [one, other] = [transaction(KEYS[0]!, KEYS[1]!, KEYS[0]!), transaction(KEYS[1]!)];
  expect(payersOf(one)).toHaveLength(2);
  expect(payersOf(one)).toBe(payersOf(one));
  expect(payersOf(other)).toEqual(payersOf(one).slice(1));
});
