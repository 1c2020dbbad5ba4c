import { priceAt } from '../../../../test/support/intents/amount.js';
import { priceText } from '../rates.pure.js';
import { judge, judgeFiat, type ObservationsBySource } from './judge.js';
import { askedPairs, offeredPairs, type PairName, pairName } from './pair.js';
import { presentHealth, presentRate } from './present.js';
import { readPrice } from './price.js';

const NOW = { wallMs: 1_790_000_000_000, monotonicMs: 900_000 };
const POLICY = { maxAgeMs: 300_000, maxDeviationBps: 200 };
const USDT_CHF = { base: 'USDT', quote: 'CHF' } as const;

type Said = Partial<Record<PairName, string | readonly [string, number]>>;

function observed(sources: Readonly<Record<string, Said>>): ObservationsBySource {
  return new Map(
    Object.entries(sources).map(([source, said]) => [
      source,
      new Map(
        Object.entries(said).map(([pair, value]) => {
          const [text, ageMs] = typeof value === 'string' ? [value, 0] : value!;
          const at = { wallMs: NOW.wallMs - ageMs, monotonicMs: NOW.monotonicMs - ageMs };
          return [pair as PairName, { price: readPrice(text)!, at }];
        }),
      ),
    ]),
  );
}
const rateOf = (sources: Readonly<Record<string, Said>>) =>
  presentRate(USDT_CHF, judge(USDT_CHF, observed(sources), NOW, POLICY));

describe('the pairs', () => {
  it('are those of the configured assets, each once, and the currencies among themselves', () => {
    const offered = offeredPairs([
      { assets: [{ symbol: 'ETH' }, { symbol: 'USDC' }] },
      { assets: [{ symbol: 'ETH' }] },
    ]);
    expect(offered.map(pairName)).toEqual([
      'ETH/CHF',
      'ETH/EUR',
      'ETH/USD',
      'USDC/CHF',
      'USDC/EUR',
      'USDC/USD',
    ]);
    expect(askedPairs(offered).map(pairName).slice(6)).toEqual(['EUR/USD', 'EUR/CHF', 'USD/CHF']);
    expect(askedPairs([])).toEqual([]);
  });
});

describe('judge', () => {
  it('prefers a direct book, and crosses where a source has none', () => {
    const rate = rateOf({
      kraken: { 'USDT/CHF': '0.8090', 'USDT/USD': '2', 'USD/CHF': '0.81' },
      bitstamp: { 'USDT/USD': '0.999' },
      coinbase: { 'USD/CHF': '0.812' },
    });
    expect(rate?.sources.map(({ name, price }) => [name, price])).toEqual([
      ['kraken', '0.809'],
      ['bitstamp', '0.810189'], // 0.999 × the median of 0.81 and 0.812
    ]);
    expect(rate?.sources[1]?.via).toEqual({
      pair: 'USDT/USD',
      price: '0.999',
      conversion: { pair: 'USD/CHF', price: '0.811', sources: ['kraken', 'coinbase'] },
    });
    expect(rate && priceText(rate.price)).toBe('0.8095945');
  });

  it('does not cross on one word alone: a wrong conversion would make all crossed prices wrong together', () => {
    const rate = rateOf({
      kraken: { 'USDT/USD': '1', 'USD/CHF': '0.81' },
      bitstamp: { 'USDT/USD': '1' },
    });
    expect(rate).toBeNull();
  });

  it('does not assume that a stablecoin is worth its currency', () => {
    const rate = rateOf({
      kraken: { 'USDT/USD': '0.90', 'USD/CHF': '0.8' },
      coinbase: { 'USDT/USD': '0.90', 'USD/CHF': '0.8' },
    });
    expect(rate && priceText(rate.price)).toBe('0.72');
    const disputed = rateOf({
      kraken: { 'USDT/USD': '0.90', 'USD/CHF': '0.8' },
      coinbase: { 'USDT/USD': '1', 'USD/CHF': '0.8' },
    });
    expect(disputed).toBeNull();
  });

  it('crosses through euros where there are no dollars, also by the inverse of a book', () => {
    const pair = { base: 'USDT', quote: 'USD' } as const;
    const said = { 'USDT/EUR': '0.9', 'EUR/USD': '1.1' } as const;
    const verdict = judge(pair, observed({ kraken: said, bitstamp: said }), NOW, POLICY);
    expect(priceText(verdict.rate!.price)).toBe('0.99');
    const inverse = judgeFiat('USD', 'EUR', observed({ kraken: said, bitstamp: said }), NOW, POLICY);
    expect(priceText(inverse.rate!.price)).toBe('0.90909090909');
    const none = judgeFiat('USD', 'CHF', observed({ kraken: said, bitstamp: {} }), NOW, POLICY);
    expect([none.rate, none.samples]).toEqual([null, []]);
  });

  it('crosses when the direct book has gone stale', () => {
    const rate = rateOf({
      kraken: { 'USDT/CHF': ['0.7', 300_001], 'USDT/USD': '1', 'USD/CHF': '0.81' },
      coinbase: { 'USDT/CHF': '0.81', 'USD/CHF': '0.81' },
    });
    expect(rate && priceText(rate.price)).toBe('0.81');
  });

  it('is as old as the older leg', () => {
    const rate = rateOf({
      kraken: { 'USDT/CHF': '0.81', 'USD/CHF': ['0.81', 50_000] },
      coinbase: { 'USDT/USD': ['1', 20_000], 'USD/CHF': '0.81' },
    });
    expect(rate?.at).toEqual(new Date(NOW.wallMs - 50_000));
  });

  it('has none when the conversion goes stale, however fresh the coin', () => {
    const rate = rateOf({
      kraken: { 'USDT/CHF': '0.81', 'USD/CHF': ['0.81', 300_001] },
      bitstamp: { 'USDT/USD': '1' },
      coinbase: { 'USD/CHF': '0.81' },
    });
    expect(rate).toBeNull();
  });

  it('tells the operator what a rate rests on, and how old it is', () => {
    const sources = {
      kraken: { 'USDT/CHF': ['0.81', 20_000], 'USD/CHF': '0.81' },
      coinbase: { 'USDT/CHF': '0.81', 'USD/CHF': '0.81' },
      bitstamp: { 'USDT/USD': '1' },
    } as const;
    expect(presentHealth(USDT_CHF, judge(USDT_CHF, observed(sources), NOW, POLICY), NOW)).toMatchObject({
      price: priceAt('0.81'),
      ageS: 20,
      used: ['kraken', 'coinbase', 'bitstamp'],
      dropped: [],
      deviationBps: 0,
      sources: [
        { name: 'bitstamp', part: 'used', via: 'USDT/USD' },
        { name: 'coinbase', part: 'used', via: null },
        { name: 'kraken', part: 'used', ageS: 20, via: null },
      ],
    });
    const alone = judge(USDT_CHF, observed({ kraken: { 'USDT/CHF': '0.81' }, bitstamp: {} }), NOW, POLICY);
    expect(presentHealth(USDT_CHF, alone, NOW)).toMatchObject({
      price: null,
      used: [],
      sources: [{ part: 'silent' }, { part: 'alone', price: priceAt('0.81') }],
    });
  });

  it('tells the operator who is silent, old or off', () => {
    const sources = {
      kraken: { 'USDT/CHF': '0.81' },
      coinbase: { 'USDT/CHF': ['0.82', 400_000] },
      bitstamp: { 'USDT/CHF': '0.90' },
      other: {},
    } as const;
    expect(presentHealth(USDT_CHF, judge(USDT_CHF, observed(sources), NOW, POLICY), NOW)).toEqual({
      asset: 'USDT',
      currency: 'CHF',
      price: null,
      ageS: null,
      used: [],
      dropped: [
        { source: 'coinbase', reason: 'stale' },
        { source: 'kraken', reason: 'deviant' },
        { source: 'bitstamp', reason: 'deviant' },
        { source: 'other', reason: 'silent' },
      ],
      sources: [
        { name: 'bitstamp', part: 'deviant', price: priceAt('0.90'), ageS: 0, via: null },
        { name: 'coinbase', part: 'stale', price: priceAt('0.82'), ageS: 400, via: null },
        { name: 'kraken', part: 'deviant', price: priceAt('0.81'), ageS: 0, via: null },
        { name: 'other', part: 'silent', price: null, ageS: null, via: null },
      ],
      deviationBps: 527,
    });
  });
});
