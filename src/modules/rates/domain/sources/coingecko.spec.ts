import { priceText } from '../../rates.pure.js';
import type { Pair } from '../pair.js';
import { SourceError } from './answer.js';
import { coingeckoKey, coingeckoPath, parseCoingeckoPrices } from './coingecko.js';

const AT = 1_790_000_000;
const WANTED: Pair[] = [
  { base: 'BTC', quote: 'CHF' },
  { base: 'USDC', quote: 'CHF' },
  { base: 'SHOP', quote: 'CHF' },
  { base: 'EUR', quote: 'USD' },
  { base: 'USD', quote: 'CHF' },
];
const BODY = {
  bitcoin: { chf: 80000, eur: 86000.5, usd: 100000, last_updated_at: AT },
  'usd-coin': { chf: 0.7991234567891235, eur: 0.8602, usd: 0.99987, last_updated_at: AT - 40 },
};

const parse = (body: unknown) =>
  parseCoingeckoPrices(body, WANTED).map(({ pair, price, atMs }) => [pair, price && priceText(price), atMs]);

describe('CoinGecko', () => {
  it('is asked for all coins and currencies at once, and for bitcoin in any case', () => {
    const { searchParams } = new URL(coingeckoPath([WANTED[1]!, WANTED[2]!]), 'https://x.example');
    expect(Object.fromEntries(searchParams)).toEqual({
      ids: 'bitcoin,usd-coin',
      vs_currencies: 'chf,eur,usd',
      include_last_updated_at: 'true',
      precision: 'full',
    });
  });

  it('reads numbers by their digits, and one currency in another by what a bitcoin costs in both', () => {
    expect(parse(BODY)).toEqual([
      ['BTC/CHF', '80000', AT * 1000],
      ['USDC/CHF', '0.799123456789', (AT - 40) * 1000],
      ['SHOP/CHF', null, AT * 1000],
      ['EUR/USD', '1.1627839373', AT * 1000],
      ['USD/CHF', '0.8', AT * 1000],
    ]);
  });

  it('has no price for a coin that is missing, without a time, or with a price that is none', () => {
    const { 'usd-coin': usdc, bitcoin } = BODY;
    const times = [undefined, 0, -AT, AT + 0.5, String(AT), Infinity];
    const timeless = times.map((last_updated_at) => ({ 'usd-coin': { ...usdc, last_updated_at } }));
    const odd = [{}, ...timeless, { 'usd-coin': { ...usdc, chf: null } }];
    for (const changes of [...odd, { 'usd-coin': { ...usdc, chf: 0 } }, { 'usd-coin': [usdc] }]) {
      expect(parse({ bitcoin, ...changes })[1]?.[1]).toBeNull();
    }
    expect(parse({ 'usd-coin': usdc }).map(([, price]) => price)).toEqual([
      null,
      '0.799123456789',
      null,
      null,
      null,
    ]);
  });

  it('gets its key in the header of its host, and none where there is none', () => {
    const [free, paid] = ['https://api.coingecko.example', 'https://pro-api.coingecko.example'];
    expect(coingeckoKey(free, 'k')).toEqual({ 'x-cg-demo-api-key': 'k' });
    expect(coingeckoKey(paid, 'k')).toEqual({ 'x-cg-pro-api-key': 'k' });
    expect([coingeckoKey(free, null), coingeckoKey(paid, null)]).toEqual([{}, {}]);
  });

  it.each([
    ['a limit', { status: { error_code: 429, error_message: 'Rate limit' } }, 'Rate limit'],
    ['an error', { error: 'coin not found' }, 'coin not found'],
    ['a list', [BODY], 'the answer is not an object'],
  ])('refuses %s', (_name, body, reason) => {
    expect(() => parse(body)).toThrow(new SourceError(reason));
  });
});
