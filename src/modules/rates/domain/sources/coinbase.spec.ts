import { priceText } from '../../rates.pure.js';
import type { Pair } from '../pair.js';
import { SourceError } from './answer.js';
import { coinbaseBases, parseCoinbaseRates } from './coinbase.js';

const WANTED: readonly Pair[] = [
  { base: 'BTC', quote: 'CHF' },
  { base: 'BTC', quote: 'USD' },
  { base: 'BTC', quote: 'EUR' },
  { base: 'USDC', quote: 'USD' },
  { base: 'EUR', quote: 'USD' },
];
const RATES = { AED: '356243.25', CHF: '78123.456789', USD: '97000.005', EUR: '0' };

describe('Coinbase', () => {
  it('is asked once for each base, but never about USDC, which it values by promise', () => {
    expect(coinbaseBases(WANTED)).toEqual(['BTC', 'EUR']);
  });

  it('reads what one unit costs, and answers without a price where there is none', () => {
    const answers = parseCoinbaseRates({ data: { currency: 'BTC', rates: RATES } }, 'BTC', WANTED);
    expect(answers.map(({ pair, price }) => [pair, price && priceText(price)])).toEqual([
      ['BTC/CHF', '78123.456789'],
      ['BTC/USD', '97000.005'],
      ['BTC/EUR', null],
    ]);
  });

  it.each([
    ['an error', { errors: [{ id: 'not_found', message: 'Invalid currency' }] }, 'not_found'],
    ['an error of another shape', { errors: 'no\nway' }, 'no?way'],
    [
      'the rates of another currency',
      { data: { currency: 'ETH', rates: RATES } },
      'asked for BTC, answered for ETH',
    ],
    ['no data', {}, 'data is not an object'],
    ['no rates', { data: { currency: 'BTC' } }, 'rates is not an object'],
    ['text', 'maintenance', 'the answer is not an object'],
  ])('refuses %s', (_name, body, reason) => {
    expect(() => parseCoinbaseRates(body, 'BTC', WANTED)).toThrow(new SourceError(reason));
  });
});
