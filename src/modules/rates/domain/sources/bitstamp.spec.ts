import { priceText } from '../../rates.pure.js';
import { SourceError } from './answer.js';
import { bitstampPath, parseBitstampTicker } from './bitstamp.js';

const PAIR = { base: 'BTC', quote: 'EUR' } as const;
const TICKER = {
  timestamp: '1790000000',
  open: '83000',
  high: '84500',
  low: '82500',
  last: '84000',
  volume: '512.10000000',
  vwap: '83500',
  bid: '83999',
  ask: '84002',
  side: '0',
  open_24: '83100',
  percent_change_24: '1.08',
};

describe('Bitstamp', () => {
  it('is asked by lower-case pair', () => {
    expect(bitstampPath(PAIR)).toBe('/api/v2/ticker/btceur/');
  });

  it('reads the middle of the book and its time', () => {
    const { pair, price, atMs } = parseBitstampTicker(TICKER, PAIR);
    expect([pair, priceText(price!), atMs]).toEqual(['BTC/EUR', '84000.5', 1_790_000_000_000]);
  });

  it('answers without a price for a crossed book', () => {
    expect(parseBitstampTicker({ ...TICKER, bid: '84003' }, PAIR).price).toBeNull();
  });

  it.each([
    ['an error', { status: 'error', reason: 'Pair not found', code: 'API0005' }, 'Pair not found'],
    ['an error by code', { response_code: '400.002', response_explanation: 'Rate limit' }, '400.002'],
    ['an error in one word', { error: 'Invalid pair' }, 'Invalid pair'],
    ['an error without a reason beside a price', { ...TICKER, status: 'error' }, 'no reason'],
    ['an error without a reason', { status: 'error' }, 'no reason'],
    ['no time', { ...TICKER, timestamp: undefined }, 'the answer has no time'],
    ['a time that is none', { ...TICKER, timestamp: 'now' }, 'the answer has no time'],
    ['a time with more behind it', { ...TICKER, timestamp: '1790000000Z' }, 'the answer has no time'],
    ['a time with more before it', { ...TICKER, timestamp: '-1790000000' }, 'the answer has no time'],
    ['a time far beyond ours', { ...TICKER, timestamp: '179000000000' }, 'the answer has no time'],
    ['several times', { ...TICKER, timestamp: ['1790000000'] }, 'the answer has no time'],
    ['a list', [TICKER], 'the answer is not an object'],
  ])('refuses %s', (_name, body, reason) => {
    expect(() => parseBitstampTicker(body, PAIR)).toThrow(new SourceError(reason));
  });
});
