import { priceText } from '../../rates.pure.js';
import type { Pair } from '../pair.js';
import { SourceError } from './answer.js';
import { isUnknownPair, type KrakenMarkets, parseKrakenMarkets, parseKrakenTicker } from './kraken.js';

const WANTED: readonly Pair[] = [
  { base: 'BTC', quote: 'USD' },
  { base: 'BTC', quote: 'CHF' },
  { base: 'USDC', quote: 'CHF' },
  { base: 'POL', quote: 'CHF' },
  { base: 'DOGE', quote: 'EUR' },
];

const market = (altname: string, wsname: string, status = 'online') => ({
  altname,
  wsname,
  aclass_base: 'currency',
  lot: 'unit',
  pair_decimals: 1,
  fees: [[0, 0.4]],
  status,
});

const MARKETS = {
  error: [],
  result: {
    XXBTZUSD: market('XBTUSD', 'XBT/USD'),
    XBTCHF: market('XBTCHF', 'XBT/CHF'),
    USDCCHF: market('USDCCHF', 'USDC/CHF', 'cancel_only'),
    XDGEUR: market('XDGEUR', 'XDG/EUR'),
    XETHZEUR: market('ETHEUR', 'ETH/EUR'),
  },
};

const ticker = (bid: string, ask: string) => ({
  a: [ask, '1', '1.000'],
  b: [bid, '2', '2.000'],
  c: ['97000.00000', '0.00100000'],
  v: ['10.1', '20.2'],
  p: ['97000.0', '97000.0'],
  t: [100, 200],
  l: ['96000.0', '96000.0'],
  h: ['98000.0', '98000.0'],
  o: '96500.0',
});

const markets: KrakenMarkets = new Map([
  ['BTC/USD', 'XXBTZUSD'],
  ['BTC/CHF', 'XBTCHF'],
]);

describe('Kraken', () => {
  it('finds its own keys and names of the wanted pairs, and leaves out what does not trade', () => {
    expect([...parseKrakenMarkets(MARKETS, WANTED)]).toEqual([...markets, ['DOGE/EUR', 'XDGEUR']]);
  });

  it('knows a coin by its own name where Kraken has none of its own for it, and passes over what is no market', () => {
    const result = { POLCHF: market('POLCHF', 'POL/CHF'), XDGCHF: market('XDGCHF', 'XDG/CHF'), none: null };
    expect([...parseKrakenMarkets({ error: [], result }, WANTED)]).toEqual([['POL/CHF', 'POLCHF']]);
  });

  it('leaves out a market with a key longer than any of Kraken’s, and keeps the others', () => {
    const long = {
      ['X'.repeat(33)]: market('XBTCHF', 'XBT/CHF'),
      ['Y'.repeat(32)]: market('POLCHF', 'POL/CHF'),
    };
    expect([...parseKrakenMarkets({ error: [], result: { ...MARKETS.result, ...long } }, WANTED)]).toEqual([
      ...markets,
      ['DOGE/EUR', 'XDGEUR'],
      ['POL/CHF', 'Y'.repeat(32)],
    ]);
  });

  it('reads the middle of each book', () => {
    const result = { XXBTZUSD: ticker('97000.00000', '97000.10000'), XBTCHF: ticker('78000.1', '78000.3') };
    const answers = parseKrakenTicker({ error: [], result }, markets);
    expect(answers.map(({ pair, price, atMs }) => [pair, priceText(price!), atMs])).toEqual([
      ['BTC/USD', '97000.05', null],
      ['BTC/CHF', '78000.2', null],
    ]);
  });

  it('answers without a price for a crossed book and for a pair that is missing', () => {
    const answers = parseKrakenTicker({ error: [], result: { XXBTZUSD: ticker('97001', '97000') } }, markets);
    expect(answers.map(({ price }) => price)).toEqual([null, null]);
  });

  it('takes a warning for what it is', () => {
    const body = { error: ['WGeneral:Danger'], result: { XBTCHF: ticker('1', '1') } };
    expect(parseKrakenTicker(body, markets)).toHaveLength(2);
  });

  it.each([
    ['an error with status 200', { error: ['EGeneral:Temporary lockout'] }, 'EGeneral:Temporary lockout'],
    ['an error beside a result', { error: ['EService:Busy'], result: {} }, 'EService:Busy'],
    ['an error that is no text', { error: [{}], result: {} }, 'no reason'],
    ['no list of errors', { result: {} }, 'the answer has no list of errors'],
    ['no result', { error: [] }, 'the result is not an object'],
    ['a list', [], 'the answer is not an object'],
    ['null', null, 'the answer is not an object'],
  ])('refuses %s', (_name, body, reason) => {
    expect(() => parseKrakenTicker(body, markets)).toThrow(new SourceError(reason));
    expect(() => parseKrakenMarkets(body, WANTED)).toThrow(new SourceError(reason));
  });

  it('knows when its list of pairs is out of date', () => {
    expect(isUnknownPair(new SourceError('EQuery:Unknown asset pair'))).toBe(true);
    expect(isUnknownPair(new SourceError('EQuery:Unknown asset pair:MATICCHF'))).toBe(true);
    expect(isUnknownPair(new SourceError('EService:Busy'))).toBe(false);
    expect(isUnknownPair(new Error('EQuery:Unknown asset pair'))).toBe(false);
  });
});
